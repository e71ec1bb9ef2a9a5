/** Finds out what a target lacks, by trying each feature that its provisioner may give. */
import { setTimeout } from 'node:timers/promises'
import { Blocked, Denied, LostAnswer, Unsupported } from '../base/errors.ts'
import type { Feature, Provided } from './features.ts'
import type { UndoEntry } from './provisioner.ts'
import type { Target } from './target.ts'

const ATTEMPTS = 3
const PAUSE_MS = 300
const HEAD = 'assay-probe'

/** A lease that was never given: a server with the endpoints refuses it, and one without has no such path. */
const NO_LEASE = `${HEAD}/no/such/lease`

const NOT_FOUND = 404
const NOT_THERE = [NOT_FOUND, 405, 501]

/** Tries one feature, and returns what undoes the attempt. @throws Blocked where it is refused. */
type Attempt = (target: Target, name: string, type: string | undefined) => Promise<UndoEntry | undefined>

const tryLeases: Attempt = async ({ provisioner }) => {
  const { status } = await provisioner.lease('lookup', NO_LEASE)
  // Some servers say 404 of a lease that they do not know: one that answers a revocation in the same way has neither.
  const isMissing =
    NOT_THERE.includes(status) && (status !== NOT_FOUND || (await provisioner.lease('revoke', NO_LEASE)).status === NOT_FOUND)
  const remedy = 'see sys/leases on the server'
  if (isMissing) throw new Unsupported(`looking up a lease answered ${status}: the server has no lease endpoints`, remedy)
  if (status >= 500 || status === 403) throw new Blocked(`looking up a lease answered ${status}`, remedy)
  return undefined
}

const ATTEMPTS_OF: Record<Exclude<Provided, 'mounts'>, Attempt> = {
  identities: async ({ provisioner }, name) =>
    (await provisioner.identity({ name, namespace: '', grants: [{ path: HEAD, capabilities: ['read'] }], further: [] })).undo,
  namespaces: async ({ provisioner }, name) => (await provisioner.namespace('', name)).undo,
  leases: tryLeases,
  tuning: async ({ provisioner }, name, type) => {
    if (type === undefined) return undefined
    const { path, undo } = await provisioner.mount({ type, name, exclusive: false, namespace: '' })
    try {
      await provisioner.tune({ type, path, namespace: '' }, { defaultLeaseTtl: 3600 })
    } finally {
      if (undo !== undefined) await provisioner.undo(undo)
    }
    return undefined
  },
}

const isFinal = (error: unknown): boolean => !(error instanceof Blocked) || error instanceof Denied || error instanceof LostAnswer

const tried = async (attempt: Attempt, target: Target, name: string, type: string | undefined, signal: AbortSignal): Promise<void> => {
  for (let nth = 1; ; nth += 1) {
    signal.throwIfAborted()
    try {
      const undo = await attempt(target, `${name}-${nth}`, type)
      if (undo !== undefined) await target.provisioner.undo(undo)
      return
    } catch (error) {
      if (nth === ATTEMPTS || isFinal(error)) throw error
    }
    await setTimeout(PAUSE_MS * nth)
  }
}

/**
 * Tries what a provisioner may give, on the target itself. Mounts are left out: preflight makes one anyway, and refuses a target without.
 *
 * @param type a mount type that the target serves; undefined: the tuning of mounts is not tried, and stays claimed.
 * @returns the features that were not seen, each with why; an `Unsupported` says that the target lacks it.
 * @throws the reason of the signal.
 */
export const missingFeatures = async (target: Target, type: string | undefined, signal: AbortSignal): Promise<Map<Feature, Blocked>> => {
  const missing = new Map<Feature, Blocked>()
  for (const [feature, attempt] of Object.entries(ATTEMPTS_OF) as [Provided, Attempt][]) {
    try {
      await tried(attempt, target, `${HEAD}-${feature}-${process.pid}`, type, signal)
    } catch (error) {
      if (!(error instanceof Blocked)) throw error
      missing.set(feature, error)
    }
  }
  return missing
}
