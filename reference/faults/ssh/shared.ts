/** Ways of getting it wrong that several faults of the SSH engine share. */
import { generateKeyPairSync } from 'node:crypto'
import type { Call, JsonObject, Reply, Route } from '../../core/engine.ts'
import { type Fault, fault, type Mutation } from '../../core/mutation.ts'
import { sshEngine } from '../../engines/ssh/index.ts'
import { publicKeyOf } from '../../engines/ssh/keys.ts'
import type { SshRules } from '../../engines/ssh/rules.ts'
import type { CaPair, Role, SshState } from '../../engines/ssh/state.ts'
import { forgivingCalls } from '../forgiving.ts'

export type Handle = Route<SshState, SshRules>['handle']
export type SshCall = Call<SshState, SshRules>

/** Declares a fault of the engine; its id gets the engine's prefix. */
export const sshFault = (name: string, clauses: string | string[], title: string, mutation: Mutation<SshRules, Handle>): Fault =>
  fault(sshEngine, { id: `ssh-${name}`, engine: 'ssh', title, clauses: [clauses].flat() }, mutation)

/** A fault in the rules alone. */
export const ruleFault = (
  name: string,
  clauses: string | string[],
  title: string,
  rules: NonNullable<Mutation<SshRules, Handle>['rules']>,
): Fault => sshFault(name, clauses, title, { rules })

/** A fault in how one operation is handled. */
export const routeFault = (
  name: string,
  clauses: string | string[],
  title: string,
  operation: string,
  wrap: (original: Handle) => Handle,
): Fault => sshFault(name, clauses, title, { routes: { [`ssh.${operation}`]: wrap } })

/** Changes the body of a request before it is handled. */
export const withBody =
  (change: (body: JsonObject, call: SshCall) => JsonObject) =>
  (original: Handle): Handle =>
  (call) =>
    original({ ...call, body: change(call.body, call) })

/** A pair that nobody gave. */
export const newPair = (): CaPair => {
  const { privateKey } = generateKeyPairSync('ed25519')
  return { privateKey, publicKey: publicKeyOf(privateKey) }
}

/** Changes `data` of answers that have some. */
export const withData =
  (change: (data: JsonObject, call: SshCall) => JsonObject) =>
  (original: Handle): Handle =>
  async (call) => {
    const reply = await original(call)
    const body = reply.body as JsonObject | undefined
    return body === undefined ? reply : { ...reply, body: { ...body, data: change((body.data ?? {}) as JsonObject, call) } }
  }

/** Answers with success where the original refuses. */
export const forgiving = forgivingCalls<SshCall>

/** Acknowledges some requests without doing anything. */
export const idle =
  (when: (call: SshCall) => boolean, reply: () => Reply) =>
  (original: Handle): Handle =>
  (call) =>
    when(call) ? reply() : original(call)

export const nameOf = (call: SshCall): string => call.params.name ?? ''

/** A value that is an object or holds one, where none may be. */
export const isNested = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (!Array.isArray(value) || value.some((item) => typeof item === 'object'))

/** Takes an object where a plain value belongs for another value; the field is left out where none is named. */
export const tolerating = (field: string, value: JsonObject[string] = null) =>
  withBody((body) => (isNested(body[field]) ? { ...body, [field]: value } : body))

/** Takes objects within a map for texts. */
export const flattening = (field: string) =>
  withBody((body) =>
    isNested(body[field])
      ? { ...body, [field]: Object.fromEntries(Object.keys(body[field] as JsonObject).map((name) => [name, '1'])) }
      : body,
  )

/** Treats every role as though some of its settings were others. */
export const asIf =
  <R>(change: (role: Role) => Partial<Role>, rule: (role: Role, ...rest: never[]) => R) =>
  (role: Role, ...rest: never[]): R =>
    rule({ ...role, ...change(role) }, ...rest)
