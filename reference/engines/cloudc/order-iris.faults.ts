/** Faults of time and order: second rotations, re-creation, what was true before. */
import { empty } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import { afterReplacement, type Handler, KEYS, keysOf, nameOf, rolesetOf, TOKENS, under, withTimes } from './iris-help.ts'
import type { SecretType } from './state.ts'

const { route, change } = faultsOf(cloudcEngine, 'cloudc')

const namesTo = <T>() => remembered(() => new Map<string, T>())

route(
  'iris-renewed-keys-survive',
  'CLOUDC-BIND-19',
  'new bindings leave keys whose leases were renewed, with their account (3: revokes all secrets generated under that roleset)',
  'cloudc.writeRoleset',
  (original) => (call) => {
    const { leases } = call.services
    const isRenewed = (id: string): boolean => leases.find(id)?.renewedAt !== undefined
    if (!leases.withPrefix(keysOf(call)).some(isRenewed)) return original(call)
    const ending = afterReplacement(async () => {
      for (const id of leases.withPrefix(keysOf(call))) if (!isRenewed(id)) await leases.forcePrefix(id)
    })
    return ending(original)(under(call, { endsKeys: () => false, deletesAccount: () => false }))
  },
)

const rotatedTo = namesTo<string>()

route(
  'iris-second-rotation-idle',
  'CLOUDC-ROT-10',
  'a second rotation in a row leaves the account of the first (4.3: rotates the service account)',
  'cloudc.rotate',
  (original) => async (call) => {
    const email = rolesetOf(call)?.account.email
    if (email !== undefined && rotatedTo(call.state).get(nameOf(call)) === email) return empty()
    const reply = await original(call)
    rotatedTo(call.state).set(nameOf(call), rolesetOf(call)?.account.email ?? '')
    return reply
  },
)

const writtenEmail = namesTo<string>()

change(
  'iris-rotate-key-of-old-account',
  'CLOUDC-ROT-11',
  'rotate-key after rotate asks for the account before (4.3: rotates the key, 204)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => async (call) => {
        const reply = await original(call)
        writtenEmail(call.state).set(nameOf(call), rolesetOf(call)?.account.email ?? '')
        return reply
      },
      'cloudc.rotateKey': (original) => async (call) => {
        const roleset = rolesetOf(call)
        const email = writtenEmail(call.state).get(nameOf(call))
        if (roleset === undefined || email === undefined || email === roleset.account.email) return original(call)
        call.state.rolesets.set(nameOf(call), { ...roleset, account: { ...roleset.account, email } })
        try {
          return await original(call)
        } catch (error) {
          call.state.rolesets.set(nameOf(call), roleset)
          throw error
        }
      },
    },
  },
)

const firstScopes = namesTo<string[]>()

change(
  'iris-rotation-resets-scopes',
  'CLOUDC-ROT-05',
  'a rotation brings back token_scopes of the creation (4.3: it rotates the service account; scopes stay)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => async (call) => {
        const isNew = rolesetOf(call) === undefined
        const reply = await original(call)
        if (isNew) firstScopes(call.state).set(nameOf(call), rolesetOf(call)?.scopes ?? [])
        return reply
      },
      'cloudc.rotate': afterReplacement(async (call) => {
        const [now, scopes] = [rolesetOf(call), firstScopes(call.state).get(nameOf(call))]
        if (now && scopes) call.state.rolesets.set(nameOf(call), { ...now, scopes })
      }),
    },
  },
)

const deletedScopes = namesTo<string[]>()

change(
  'iris-recreated-with-scopes',
  'CLOUDC-SET-11',
  'a roleset made again without token_scopes has those of the deleted one (4.3: default [])',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        const roleset = rolesetOf(call)
        if (roleset) deletedScopes(call.state).set(nameOf(call), roleset.scopes)
        return original(call)
      },
      'cloudc.writeRoleset': (original) => (call) => {
        const scopes = deletedScopes(call.state).get(nameOf(call))
        const isBare = call.body.token_scopes === undefined && call.body.secret_type !== 'service_account_key'
        if (!scopes || !isBare || rolesetOf(call)) return original(call)
        return original({ ...call, body: { ...call.body, token_scopes: scopes } })
      },
    },
  },
)

const deletedType = namesTo<SecretType>()

change(
  'iris-recreated-type-fixed',
  'CLOUDC-SET-21',
  'a deleted name cannot be used for another secret_type (4.3: only an update cannot change it)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        const roleset = rolesetOf(call)
        if (roleset) deletedType(call.state).set(nameOf(call), roleset.secretType)
        return original(call)
      },
      'cloudc.writeRoleset': (original) => (call) => {
        const type = deletedType(call.state).get(nameOf(call))
        const isOther = type !== undefined && call.rules.secretTypeOf(call.body, rolesetOf(call)) !== type
        if (isOther && rolesetOf(call) === undefined) throw invalid('secret_type cannot be updated')
        return original(call)
      },
    },
  },
)

const deletedNames = namesTo<true>()
const brokenOnceDeleted =
  (original: Handler): Handler =>
  (call) =>
    original(deletedNames(call.state).has(nameOf(call)) ? under(call, { unknownStatus: () => 500 }) : call)

change(
  'iris-deleted-roleset-500',
  'CLOUDC-RACE-02',
  'secrets of a deleted roleset are refused with 500 (7: 400 or 404; 500 is an internal error)',
  {
    routes: {
      'cloudc.deleteRoleset': (original) => (call) => {
        if (rolesetOf(call)) deletedNames(call.state).set(nameOf(call), true)
        return original(call)
      },
      ...Object.fromEntries([...KEYS, ...TOKENS].map((operation) => [operation, brokenOnceDeleted])),
    },
  },
)

const timesAtWrite = namesTo<{ ttl: number; maxTtl: number }>()
const byOldTimes =
  (original: Handler): Handler =>
  (call) =>
    original(withTimes(call, timesAtWrite(call.state).get(nameOf(call))))

change(
  'iris-times-at-roleset-write',
  'CLOUDC-LEASE-03',
  'keys have the times configured when their roleset was written (4.3: TTL and max TTL from engine config)',
  {
    routes: {
      'cloudc.writeRoleset': (original) => async (call) => {
        const reply = await original(call)
        timesAtWrite(call.state).set(nameOf(call), call.state.config)
        return reply
      },
      'cloudc.readKey': byOldTimes,
      'cloudc.createKey': byOldTimes,
    },
  },
)

const lastToken = namesTo<{ email: string; until: number; reply: Reply }>()

route(
  'iris-token-over-update',
  'CLOUDC-RACE-01',
  'a token asked for after new bindings or a rotation is the one given before (3: invalidates secrets generated earlier)',
  TOKENS,
  (original) => async (call) => {
    const roleset = rolesetOf(call)
    const known = lastToken(call.state).get(nameOf(call))
    const email = roleset?.secretType === 'access_token' ? roleset.account.email : undefined
    if (email !== undefined && known && known.email !== email && known.until > call.now()) return known.reply
    const reply = await original(call)
    if (email !== undefined) lastToken(call.state).set(nameOf(call), { email, until: call.now() + 3000, reply })
    return reply
  },
)

const shownEmail = namesTo<string>()

change(
  'iris-email-before-rotation',
  'CLOUDC-RACE-01',
  'a read after a rotation shows the account before it (4.3: service_account_email of the roleset)',
  {
    routes: {
      'cloudc.rotate': afterReplacement(async (call, { account }) => void shownEmail(call.state).set(nameOf(call), account.email)),
      'cloudc.writeRoleset': (original) => (call) => {
        shownEmail(call.state).delete(nameOf(call))
        return original(call)
      },
      'cloudc.readRoleset': replyData((data, call) => {
        const email = shownEmail(call.state).get(nameOf(call))
        return email === undefined ? data : { ...data, service_account_email: email }
      }),
    },
  },
)

route(
  'iris-failed-update-shown',
  'CLOUDC-BIND-16',
  'bindings that could not be given are shown after the failed update (7: 400 invalid request, which has no effect)',
  'cloudc.writeRoleset',
  (original) => async (call) => {
    const before = rolesetOf(call)
    try {
      return await original(call)
    } catch (error) {
      const { bindings: text } = call.body
      const bindings = typeof text === 'string' ? await call.rules.bindingsOf(text).catch(() => undefined) : undefined
      if (before && bindings) call.state.rolesets.set(nameOf(call), { ...before, bindings })
      throw error
    }
  },
)
