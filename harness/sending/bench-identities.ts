/** Callers that a check makes and ends. */
import { Blocked } from '../base/errors.ts'
import { encodePath } from '../target/dialect.ts'
import type { Grant, Identity } from '../target/exchange.ts'
import { fillPath } from '../target/wire.ts'
import { operationOf, targetOfOperation } from './calls.ts'
import { type RunContext, targetOfCheck } from './context.ts'
import { objectName, sharedMount } from './provision.ts'
import type { Session } from './session.ts'

/** The path on the wire that a grant is about. */
const grantPath = async (context: RunContext, session: Session, grant: Grant) => {
  const operation = operationOf(context, grant.operation)
  const target = targetOfOperation(context, operation)
  const alias = grant.mount ?? [...session.mounts].find(([, mount]) => mount.type === operation.mount)?.[0]
  const ownMount = async () =>
    alias === undefined
      ? operation.mount === undefined
        ? undefined
        : await sharedMount(context, target, operation.mount)
      : session.mounts.get(alias)?.path
  const named = grant.mountName
  const mount = typeof named === 'function' ? named((await ownMount()) ?? '') : (named ?? (await ownMount()))
  const { namespace: given = '' } = grant
  const namespace =
    typeof given === 'function' ? given((alias === undefined ? undefined : session.mounts.get(alias)?.namespace) ?? '') : given
  if (grant.wholeMount === true) return { path: `${namespace}${mount}/*`, capabilities: grant.capabilities }
  const path = Object.fromEntries(operation.parameters.map(({ name }) => [name, grant.path?.[name] ?? '*']))
  const spelled = encodePath(target.dialect, operation.id, path)
  const below = fillPath(operation, target.dialect.paths?.[operation.id] ?? operation.path, spelled, mount, false).replace(/^\//, '')
  return { path: `${namespace}${below}`, capabilities: grant.capabilities }
}

const mergeGrants = (grants: { path: string; capabilities: Grant['capabilities'] }[]) => {
  const byPath = new Map<string, Set<Grant['capabilities'][number]>>()
  for (const { path, capabilities } of grants) byPath.set(path, new Set([...(byPath.get(path) ?? []), ...capabilities]))
  return [...byPath].map(([path, capabilities]) => ({ path, capabilities: [...capabilities] }))
}

/** Makes a caller with these permissions, ended when the check is over. */
export const makeIdentity = async (
  context: RunContext,
  session: Session,
  grants: Grant[],
  options: { namespace?: string; displayName?: string; ttl?: number; like?: Identity; entity?: boolean } = {},
): Promise<Identity> => {
  const target = targetOfCheck(context, session.check)
  const pathsOf = async (some: Grant[]) => mergeGrants(await Promise.all(some.map((grant) => grantPath(context, session, grant))))
  const policies = Array.from({ length: 1 + Math.max(0, ...grants.map(({ apart }) => apart ?? 0)) }, (_, at) =>
    grants.filter(({ apart }) => (apart ?? 0) === at),
  )
  const [first = [], ...further] = await Promise.all(policies.map(pathsOf))
  const made = await target.provisioner.identity({
    name: objectName(context, 'id'),
    namespace: options.namespace ?? '',
    grants: first,
    further,
    ...(options.displayName === undefined ? {} : { displayName: options.displayName }),
    ...(options.like === undefined ? {} : { like: options.like.name }),
    ...(options.ttl === undefined ? {} : { ttl: options.ttl }),
    ...(options.entity === undefined ? {} : { entity: options.entity }),
  })
  context.secrets.add(made.identity.token)
  session.undoOn(target, made.undo)
  if (made.undo !== undefined) session.identities.set(made.identity.name, made.undo)
  return made.identity
}

/** Ends the token of a caller that the check made. */
export const endToken = async (context: RunContext, session: Session, { name }: Identity): Promise<void> => {
  const entry = session.identities.get(name)
  if (entry === undefined) throw new Blocked('a token that is given cannot be ended', 'use --provisioner sys')
  if (await targetOfCheck(context, session.check).provisioner.endToken(entry)) session.undone(entry)
}
