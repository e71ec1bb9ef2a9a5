/** Targets of which nothing more can be learned in this run: they refuse its token, or they restarted and forgot what it had made. */

import { type RunContext, targetOfCheck } from '../sending/context.ts'
import { objectName } from '../sending/provision.ts'
import type { MadeMount, Session } from '../sending/session.ts'
import type { Explanation } from '../target/failures.ts'
import type { Target } from '../target/target.ts'

const TOKEN_LOST: Explanation = {
  reason: "the target no longer accepts the run's token: it has expired, was revoked, or went with a restart",
  remedy: 'give a token that outlives the run, or --token-command, and run it again',
}

const RESTARTED: Explanation = {
  reason: 'the target restarted in the middle of the run and forgot what the run had made on it',
  remedy: 'see in its log why it restarted, and run it again; where it keeps its state in memory, it must not restart',
}

type Witness = Pick<MadeMount, 'type' | 'path'>

/** Mounts that the target must still have: those that last as long as the run, else those of the check itself. */
const witnesses = async (context: RunContext, { mounts }: Session, { api }: Target): Promise<Witness[]> => {
  const lasting = [...context.shared].filter(([key]) => key.startsWith(`${api.api}/`))
  const made = lasting.map(async ([key, path]): Promise<Witness> => ({ type: key.slice(api.api.length + 1), path: await path }))
  const there = (await Promise.allSettled(made)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  return there.length > 0 ? there : [...mounts.values()].filter(({ namespace, undo }) => undo !== undefined && namespace === '')
}

const listed = async ({ run }: RunContext, { provisioner }: Target): Promise<Set<string>> =>
  new Set((await provisioner.leftovers(`assay-${run}-`)).map(({ name }) => name))

/** Whether a mount that is made now is listed: the control for those that are not. */
const listsNewOnes = async (context: RunContext, target: Target, type: string): Promise<boolean> => {
  const { provisioner } = target
  const { path, undo } = await provisioner.mount({ type, name: objectName(context, 'control'), exclusive: false, namespace: '' })
  const there = await listed(context, target)
  if (undo !== undefined) await provisioner.undo(undo)
  return there.has(path)
}

/** Whether connections broke and, since then, all that would witness the run is gone: one of both alone may have other causes. */
const hasForgotten = async (context: RunContext, session: Session, target: Target): Promise<boolean> => {
  const { http, provisioner } = target
  if (http.brokenOff === 0 || !provisioner.features.has('mounts')) return false
  const made = await witnesses(context, session, target)
  if (made.length === 0) return false
  try {
    const there = await listed(context, target)
    return !made.some(({ path }) => there.has(path)) && (await listsNewOnes(context, target, made[0]!.type))
  } catch {
    // A target that does not answer is not back yet.
    return false
  }
}

/** Why what went wrong in a check says nothing about its target; undefined where it does. */
export const lostTarget = async (context: RunContext, session: Session): Promise<Explanation | undefined> => {
  const target = targetOfCheck(context, session.check)
  const lost = target.lost ?? context.clock.doubtAbout(target)
  if (lost !== undefined) return lost
  if ((await target.tokenLost?.()) === true) {
    if (context.tokens.lost(target)) return TOKEN_LOST
    target.lost = TOKEN_LOST
  }
  if (!(await hasForgotten(context, session, target))) return target.lost
  context.ledger.restarted()
  target.lost = RESTARTED
  return target.lost
}
