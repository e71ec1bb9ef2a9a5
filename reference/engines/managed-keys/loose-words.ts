/** Words that the loose faults share: the keys that a call is about, other rules or services for one call, and what was sent. */
import type { Call } from '../../core/engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules } from '../../core/rules.ts'
import { withBody } from '../../mutations/request-kinds.ts'
import type { KeyCall } from './keys.ts'
import type { ManagedKeyRules } from './rules.ts'
import { KINDS, type Kind, type ManagedKey } from './state.ts'

export type Handler = (call: KeyCall) => Reply | Promise<Reply>

export type Wrap = (original: Handler) => Handler

const writeOf = (kind: Kind): string => `managedKeys.write${kind[0]?.toUpperCase()}${kind.slice(1)}`

export const WRITES = KINDS.map(writeOf)

export const writesOf = (wrap: (kind: Kind) => Wrap): Record<string, Wrap> =>
  Object.fromEntries(KINDS.map((kind) => [writeOf(kind), wrap(kind)]))

export const nameOf = ({ params }: Pick<KeyCall, 'params'>): string => params.name ?? ''

export const keysOf = (call: KeyCall): Map<string, ManagedKey> => call.rules.keysIn(call.state.namespaces, call.mount.namespace)

export const keyAt = (call: KeyCall): ManagedKey | undefined => keysOf(call).get(nameOf(call))

export const placeOf = (call: KeyCall): string => `${call.mount.namespace} ${nameOf(call)}`

export const withRules = (call: KeyCall, changed: Partial<ManagedKeyRules>): KeyCall => ({ ...call, rules: { ...call.rules, ...changed } })

export const byRules =
  (choose: (call: KeyCall) => Partial<ManagedKeyRules>): Wrap =>
  (original) =>
  (call) =>
    original(withRules(call, choose(call)))

type Lists = KeyCall['services']['allowedManagedKeys']

export const byLists =
  (choose: (call: KeyCall, lists: Lists) => ReturnType<Lists>): Wrap =>
  (original) =>
  (call) => {
    const allowedManagedKeys = () => choose(call, call.services.allowedManagedKeys)
    return original({ ...call, services: { ...call.services, allowedManagedKeys } })
  }

export const listing =
  (change: (names: Json[]) => Json): Wrap =>
  (original) =>
  async (call) =>
    withBody(await original(call), (body) => (Array.isArray(body.keys) ? { ...body, keys: change(body.keys) } : body))

export const onRefusal =
  (tell: (call: KeyCall, refused: ApiError) => void): Wrap =>
  (original) =>
  async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError) tell(call, cause)
      throw cause
    }
  }

export const isFailedTest = ({ message }: ApiError): boolean => message.startsWith('the test of the key failed')

export const isTrue = (value: Json | undefined): boolean => value === true || value === 'true'

export const withParameters = (key: ManagedKey, changed: JsonObject): ManagedKey => ({
  ...key,
  parameters: { ...key.parameters, ...changed },
})

export const isOurs = (call: Call<unknown, object> | undefined): call is Call<unknown, object> =>
  call !== undefined && 'hinders' in call.rules

const sent = new WeakMap<object, string>()

export const notingVerbs = {
  effectivePath:
    (original: CoreRules['effectivePath']): CoreRules['effectivePath'] =>
    (header, facts, namespaces) => {
      sent.set(facts.headers, facts.method)
      return original(header, facts, namespaces)
    },
}

export const verbOf = (call: Call<unknown, object>): string => sent.get(call.headers) ?? call.method
