/** The provisioner for servers of this family: throw-away mounts, policies and tokens through sys/ and auth/token. */
import { setTimeout } from 'node:timers/promises'
import { Blocked, Denied, Unsupported } from '../../base/errors.ts'
import { asObject, type JsonObject } from '../../base/json.ts'
import { someOf } from '../../base/text.ts'
import type { Identity } from '../exchange.ts'
import type { LeaseAnswer, MountConfig, PathGrant, Provisioner, ProvisionerContext, UndoEntry } from '../provisioner.ts'
import { configuredFixtures, configuredIdentity } from './static.ts'
import { removeEntity, tokenOfEntity } from './sys-entities.ts'

const TOKEN_TTL = '2h'
const NAMESPACE_REMOVAL_MS = 10_000
const READY_MS = 10_000
const READY_POLL_MS = 50
const NAMESPACE_POLL_MS = 100

const NOT_FOUND = 404

/** How a name is refused that is taken. */
const EXISTS = 400

/** The one refusal after which the request may have been carried out nevertheless. */
const TOO_LATE = 408

/** How a server answers below sys/ where it has no such endpoint. */
const NO_ENDPOINT = [404, 405, 501]

const ELSE = 'choose another provisioner'

const fail = (what: string, answer: LeaseAnswer): Blocked => {
  const errors = Array.isArray(answer.body.errors) ? `: ${someOf(answer.body.errors)}` : ''
  const reason = `${what} failed with status ${answer.status}${errors}`
  if (NO_ENDPOINT.includes(answer.status))
    return new Unsupported(reason, `check that the namespace exists and that the server has sys/, or ${ELSE}`)
  const remedy = `give a token that may use sys/ and auth/token, or ${ELSE}`
  return answer.status === 403 ? new Denied(reason, remedy) : new Blocked(reason, remedy)
}

const objectAt = (body: JsonObject, name: string): JsonObject => asObject(body[name])

/** A token as the server made it. @throws Blocked where the answer holds none that a header could carry. */
const tokenIn = ({ status, body }: LeaseAnswer): { token: string; accessor: string } => {
  const { client_token: token, accessor } = objectAt(body, 'auth')
  const missing = typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token) ? 'client_token' : 'accessor'
  if (missing === 'client_token' || typeof accessor !== 'string')
    throw new Blocked(
      `creating a token was answered with ${status} and no usable \`auth.${missing}\``,
      `see POST auth/token/create, or ${ELSE}`,
    )
  return { token: token as string, accessor }
}

/** Names in the answer to a listing: below `data` or at the top, without closing slashes; only texts count. */
const keysIn = ({ body }: LeaseAnswer): string[] => {
  const keys = objectAt(body, 'data').keys ?? body.keys
  return (Array.isArray(keys) ? keys : []).filter((key) => typeof key === 'string').map((key) => key.replace(/\/$/, ''))
}

const tuningOf = ({ defaultLeaseTtl, maxLeaseTtl, allowedManagedKeys }: MountConfig): JsonObject => ({
  ...(defaultLeaseTtl === undefined ? {} : { default_lease_ttl: `${defaultLeaseTtl}s` }),
  ...(maxLeaseTtl === undefined ? {} : { max_lease_ttl: `${maxLeaseTtl}s` }),
  ...(allowedManagedKeys === undefined ? {} : { allowed_managed_keys: allowedManagedKeys }),
})

/** Body that writes a policy. */
/** Names of an identity's policies beside the one of its own name. */
const furtherNames = (name: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${name}-${at + 2}`)

const policyOf = (grants: readonly PathGrant[]): JsonObject => ({
  policy: JSON.stringify({ path: Object.fromEntries(grants.map(({ path, capabilities }) => [path, { capabilities }])) }),
})

const identityOf = (name: string, { token, displayName }: { token: string; displayName?: string }): Identity => ({
  name,
  token,
  ...(displayName === undefined ? {} : { displayName }),
})

const ok = (answer: LeaseAnswer): boolean => answer.status >= 200 && answer.status < 300

export const sysProvisioner = (context: ProvisionerContext): Provisioner => {
  const fixtureOf = configuredFixtures(context)
  const expectOk = async (what: string, method: string, path: string, body?: JsonObject, namespace = ''): Promise<LeaseAnswer> => {
    const answer = await context.send(method, path, { ...(body === undefined ? {} : { body }), namespace })
    if (!ok(answer)) throw fail(what, answer)
    return answer
  }
  const journalled = (entry: UndoEntry): UndoEntry => {
    context.journal(entry)
    return entry
  }
  /** Makes what the journal knows already. What the server refuses to make is struck again, or it would be looked for ever after. */
  const make = async (what: string, path: string, body: JsonObject, entry: UndoEntry): Promise<void> => {
    const answer = await context.send('POST', path, { body, namespace: entry.namespace })
    // Sent twice, a name that nobody else takes is refused the second time because the first has made it.
    if (ok(answer) || (answer.repeated && answer.status === EXISTS)) return
    if (answer.status >= 400 && answer.status < 500 && answer.status !== TOO_LATE) context.unmade(entry)
    throw fail(what, answer)
  }
  /** Waits while a new mount refuses everything; one that goes on refusing is for the checks to judge. */
  const untilReady = async (path: string, namespace: string): Promise<number> => {
    const deadline = performance.now() + READY_MS
    for (;;) {
      const { status } = await context.send('GET', path, { namespace })
      if (status < 400 || status === 403 || status === 404 || status === 405 || performance.now() > deadline) return status
      await setTimeout(READY_POLL_MS)
    }
  }
  /** Whether the server lists its mounts, and this one is not among them: it was removed before, whatever a second removal is answered. */
  const isGone = async ({ kind, name, namespace }: UndoEntry): Promise<boolean> => {
    if (kind !== 'mount') return false
    const listing = await context.send('GET', 'sys/mounts', { namespace })
    const mounts = Object.keys({ ...listing.body, ...objectAt(listing.body, 'data') }).filter((path) => path.endsWith('/'))
    return ok(listing) && mounts.length > 0 && !mounts.includes(`${name}/`)
  }
  /** Whether the server lists a mount with the options that it was asked for. */
  const hasOptions = async ({ name, namespace }: UndoEntry, options: Record<string, string> = {}): Promise<boolean> => {
    const { body } = await context.send('GET', 'sys/mounts', { namespace })
    const shown = objectAt(
      objectAt(objectAt(body, 'data')[`${name}/`] === undefined ? body : objectAt(body, 'data'), `${name}/`),
      'options',
    )
    return Object.entries(options).every(([key, value]) => shown[key] === value)
  }
  /** A token that was made, kept out of artefacts, and the name that the service shows for it. */
  const tokenKnown = async (made: LeaseAnswer, namespace: string): Promise<{ token: string; accessor: string; displayName?: string }> => {
    const { token, accessor } = tokenIn(made)
    context.secret(token)
    const lookup = await context.send('POST', 'auth/token/lookup-accessor', { body: { accessor }, namespace })
    const shown = objectAt(lookup.body, 'data').display_name
    return { token, accessor, ...(typeof shown === 'string' ? { displayName: shown } : {}) }
  }
  const removals: Record<string, (entry: UndoEntry) => Promise<LeaseAnswer>> = {
    mount: (entry) => context.send('DELETE', `sys/mounts/${entry.name}`, { namespace: entry.namespace }),
    async namespace(entry) {
      const answer = await context.send('DELETE', `sys/namespaces/${entry.name}`, { namespace: entry.namespace })
      // Some servers remove it later than they answer, and a parent cannot go before its children.
      const deadline = performance.now() + NAMESPACE_REMOVAL_MS
      while (ok(answer) && performance.now() < deadline) {
        if (!ok(await context.send('GET', `sys/namespaces/${entry.name}`, { namespace: entry.namespace }))) break
        await setTimeout(NAMESPACE_POLL_MS)
      }
      return answer
    },
    async identity(entry) {
      if (entry.entity !== undefined) await removeEntity(context, { name: entry.name, entity: entry.entity, namespace: entry.namespace })
      if (entry.accessor !== undefined) {
        await context.send('POST', 'auth/token/revoke-accessor', { body: { accessor: entry.accessor }, namespace: entry.namespace })
      }
      for (const name of furtherNames(entry.name, Number(entry.further ?? 0)).reverse())
        await context.send('DELETE', `sys/policies/acl/${name}`, { namespace: entry.namespace })
      return context.send('DELETE', `sys/policies/acl/${entry.name}`, { namespace: entry.namespace })
    },
  }
  return {
    kind: 'sys',
    features: new Set(['identities', 'namespaces', 'leases', 'mounts', 'tuning']),
    async mount({ type, name, namespace, config }) {
      const tuning = tuningOf(config ?? {})
      const { ready, ...wire } = context.mountType(type)
      const body: JsonObject = { ...wire, ...(Object.keys(tuning).length > 0 ? { config: tuning } : {}) }
      const undo = journalled({ kind: 'mount', name, namespace })
      await make(`mounting ${type}`, `sys/mounts/${name}`, body, undo)
      // Options that the server passes over make another mount than the one that was asked for.
      if (
        ready !== undefined &&
        (await untilReady(`${name}/${ready}`, namespace)) === NOT_FOUND &&
        !(await hasOptions(undo, wire.options))
      ) {
        if (ok(await removals.mount!(undo))) context.unmade(undo)
        throw new Unsupported(
          `mounting ${type}: the server passes over the options ${JSON.stringify(wire.options)}`,
          `take ${type} out of what is claimed`,
        )
      }
      return { path: name, undo }
    },
    async tune({ path, namespace }, config) {
      await expectOk('tuning a mount', 'POST', `sys/mounts/${path}/tune`, tuningOf(config), namespace)
    },
    async identity({ name, displayName, namespace, grants, further, like, ttl, entity }) {
      const names = furtherNames(name, further.length)
      const entry = journalled({ kind: 'identity', name, namespace, ...(names.length === 0 ? {} : { further: `${names.length}` }) })
      if (like === undefined) await make('writing a policy', `sys/policies/acl/${name}`, policyOf(grants), entry)
      for (const [at, one] of names.entries())
        await expectOk('writing a further policy', 'POST', `sys/policies/acl/${one}`, policyOf(further[at]!), namespace)
      const lifetime = ttl === undefined ? TOKEN_TTL : `${ttl}s`
      const request = {
        policies: [like ?? name, ...names],
        no_default_policy: true,
        ttl: lifetime,
        display_name: displayName ?? name,
      }
      const made = await expectOk('creating a token', 'POST', 'auth/token/create', request, namespace)
      const plain = await tokenKnown(made, namespace)
      const first = journalled({ ...entry, accessor: plain.accessor })
      if (entity !== true || plain.displayName === undefined) return { identity: identityOf(name, plain), undo: first }
      const undo = journalled({ ...first, entity: plain.displayName })
      const owned = await tokenOfEntity(context, { name, entity: plain.displayName, namespace, token: request })
      if (owned === undefined) return { identity: identityOf(name, plain), undo }
      // The first one told the name that the service shows.
      await context.send('POST', 'auth/token/revoke-accessor', { body: { accessor: plain.accessor }, namespace })
      const known = await tokenKnown(owned, namespace)
      return { identity: identityOf(name, known), undo: journalled({ ...undo, accessor: known.accessor }) }
    },
    async namespace(parent, name) {
      const undo = journalled({ kind: 'namespace', name, namespace: parent })
      await make('creating a namespace', `sys/namespaces/${name}`, {}, undo)
      return { path: `${parent}${name}/`, undo }
    },
    fixture: async (purpose) => ({ fixture: fixtureOf(purpose) }),
    named: (name) => configuredIdentity(context, name),
    lease: (action, leaseId, increment) =>
      context.send('POST', `sys/leases/${action}`, { body: { lease_id: leaseId, ...(increment === undefined ? {} : { increment }) } }),
    async undo(entry, force = false) {
      if (force && entry.kind === 'mount')
        await context.send('POST', `sys/leases/revoke-force/${entry.name}`, { namespace: entry.namespace })
      const remove = removals[entry.kind]
      if (remove === undefined) throw new Error(`the journal has an entry of unknown kind ${entry.kind}`)
      const answer = await remove(entry)
      if (!ok(answer) && answer.status !== 404 && !(await isGone(entry))) throw fail(`removing ${entry.kind} ${entry.name}`, answer)
    },
    endLeases: ({ name, namespace }) => context.send('POST', `sys/leases/revoke-prefix/${name}`, { namespace }),
    async endToken({ accessor, namespace }) {
      await expectOk('revoking a token', 'POST', 'auth/token/revoke-accessor', { accessor: accessor ?? '' }, namespace)
      return false
    },
    async leftovers(prefix) {
      const mounts = await expectOk('listing mounts', 'GET', 'sys/mounts')
      const policies = await context.send('LIST', 'sys/policies/acl')
      const namespaces = await context.send('LIST', 'sys/namespaces')
      const listed = 'data' in mounts.body ? objectAt(mounts.body, 'data') : mounts.body
      const mountNames = Object.keys(listed).map((key) => key.replace(/\/$/, ''))
      return [
        ...mountNames.filter((path) => path.startsWith(prefix)).map((name) => ({ kind: 'mount', name, namespace: '' })),
        ...keysIn(policies)
          .filter((policy) => policy.startsWith(prefix))
          .map((name) => ({ kind: 'identity', name, namespace: '' })),
        ...keysIn(namespaces)
          .filter((name) => name.startsWith(prefix))
          .map((name) => ({ kind: 'namespace', name, namespace: '' })),
      ]
    },
  }
}
