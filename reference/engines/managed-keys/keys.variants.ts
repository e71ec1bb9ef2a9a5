import { secret } from '../../core/envelope.ts'
import type { JsonObject } from '../../core/json.ts'
import { variantsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { refusalStatus, replyInsteadOf204 } from '../../faults/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import type { SignRequest } from './sign-request.ts'
import { KINDS, type Kind } from './state.ts'

const { rule, route, declared } = variantsOf(managedKeysEngine)

const WRITES = KINDS.map((kind: Kind) => `managedKeys.write${kind[0]?.toUpperCase()}${kind.slice(1)}`)
const FLAGS = ['allow_generate_key', 'allow_replace_key', 'allow_store_key', 'any_mount', 'force_rw_session']

route(
  'writes-200',
  'success of a write without a stated status',
  'writes answer 200 with an empty envelope',
  [...WRITES, 'managedKeys.delete', 'managedKeys.testSign'],
  replyInsteadOf204(),
)
route(
  'under-data',
  'fields at the top level or under data: either',
  'reads and listings stand under data',
  ['managedKeys.read', 'managedKeys.list'],
  (original) => async (call) => secret((await original(call)).body as JsonObject),
)
rule('flags-boolean', 'flags on read: text or boolean', 'flags are read as booleans', {
  shownField: (original) => (key, field) => (FLAGS.includes(field) ? key.parameters[field] === true : original(key, field)),
})
rule('usages-any-case', 'a stated word in another letter case is accepted or refused', 'usages are taken in any letter case', {
  valueIn: (original) => (kind, body, field, fallback) => {
    const value = original(kind, body, field, fallback)
    return field === 'usages' ? String(value).toLowerCase() : value
  },
})
rule('names-lowered', 'an upper-case name: refused or stored in lower case', 'names are stored in lower case', {
  nameAllowed: () => () => true,
  storedName: () => (name) => name.toLowerCase(),
})
rule('names-plain', 'names of one letter, or with `_` or `.`: open', 'a name is two or more letters, digits and hyphens', {
  nameAllowed: (original) => (name) => original(name) && /^[a-z][a-z0-9-]{1,59}$/.test(name),
})
rule('slot-of-any-size', 'numbers beyond 64 bits: open', 'a slot may have any number of digits', {
  slotAllowed: () => (text) => /^\d+$/.test(text),
})
rule('updates-whole', 'partial updates: open', 'an update replaces all parameters', { baseOf: () => () => ({}) })
rule('cloudckms-listed', 'lists, reads and deletions of kind c: open', 'keys of kind c are listed', { listsOf: () => () => true })
route(
  'failure-500',
  'a failing backend: 4xx, 500 or 502',
  'a test that fails gives 500',
  'managedKeys.testSign',
  refusalStatus(500, ({ message }) => message.includes('failed')),
)
route(
  'unknown-delete-404',
  'deletion of what is absent: 204, 200 or 404',
  'the deletion of an unknown key gives 404',
  'managedKeys.delete',
  (original) => (call) =>
    call.rules.keysIn(call.state.namespaces, call.mount.namespace).get(call.params.name ?? '')?.kind === call.params.type
      ? original(call)
      : { status: 404, body: { errors: ['no such key'] } },
)
rule('cloud-fields-hidden', 'the read row names fields of keys in modules', 'reads of cloud keys show the generic fields only', {
  shownFields: (original) => (kind) => (kind === 'pkcs11' ? original(kind) : FLAGS.slice(0, 4)),
})
rule('parallel-zero', 'max_parallel of 0: open', 'max_parallel of 0 is taken', { parallelAllowed: () => (calls) => calls >= 0 })
rule('sessions-read-write', 'which sessions are opened without force_rw_session: open', 'every session is for reading and writing', {
  forcesReadWrite: () => () => true,
})

const placeOf = ({ tokenLabel, slot }: SignRequest): string => tokenLabel || slot
const loggedIn = remembered(() => new Map<string, string>())
route(
  'login-stays',
  'a wrong PIN after a right one: open',
  'a token that was used with its PIN is used with any',
  'managedKeys.testSign',
  (original) => async (call) => {
    const pins = loggedIn(call.state)
    const asked: SignRequest[] = []
    const request = (given: SignRequest): SignRequest => {
      const one = call.rules.request(given)
      asked.push(one)
      return { ...one, pin: pins.get(placeOf(one)) ?? one.pin }
    }
    const reply = await original({ ...call, rules: { ...call.rules, request } })
    for (const one of asked) if (!pins.has(placeOf(one))) pins.set(placeOf(one), one.pin)
    return reply
  },
)

export const variants = declared
