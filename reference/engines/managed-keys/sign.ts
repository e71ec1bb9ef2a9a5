/** `sys/managed-keys/:type/:name/test/sign`: the module signs random data, and verifies it. */
import type { Route } from '../../core/engine.ts'
import { empty } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { testAtService } from './clouds.ts'
import { type KeyCall, keyOf } from './keys.ts'
import type { ManagedKeyRules } from './rules.ts'
import type { SignRequest } from './sign-request.ts'
import type { ManagedKey, ManagedKeysState } from './state.ts'

const DATA_BYTES = 32

const requestOf = ({ rules, body, services }: KeyCall, key: ManagedKey): SignRequest => {
  const text = (field: string) => String(key.parameters[field] ?? '')
  return rules.request({
    pin: text('pin'),
    slot: text('slot'),
    tokenLabel: text('token_label'),
    keyLabel: text('key_label'),
    keyId: text('key_id'),
    mechanism: rules.mechanismOf(text('mechanism')),
    hash: rules.hashOf(body),
    pss: rules.pssOf(body),
    generate: rules.generates(key),
    curve: text('curve'),
    bits: Number(key.parameters.key_bits),
    readWrite: rules.forcesReadWrite(key),
    anew: false,
    data: Buffer.from(services.random.bytes(DATA_BYTES)).toString('hex'),
  })
}

/** The problem of a test in words; undefined where there is none. Throws 400 where the module is not known. */
const problemOf = async (call: KeyCall, key: ManagedKey): Promise<string | undefined> => {
  const { rules, state, services, body } = call
  if (key.kind !== 'pkcs11') {
    const data = Buffer.from(services.random.bytes(DATA_BYTES))
    return testAtService(call, key, key.kind, { hash: rules.hashOf(body), pss: rules.pssOf(body), data })
  }
  const request = requestOf(call, key)
  const library = services.operator.libraries[String(key.parameters.library)]
  if (library === undefined) throw new ApiError(rules.failureStatus(), 'no library stanza has this name')
  return state.modules.sign(library, request, rules.parallelOf(key))
}

const testSign = async (call: KeyCall): Promise<Reply> => {
  const { rules, body } = call
  const key = keyOf(call)
  rules.hashOf(body)
  rules.pssOf(body)
  if (!rules.asks(key)) return empty()
  const problem = await problemOf(call, key)
  if (problem !== undefined && rules.fails(problem)) throw new ApiError(rules.failureStatus(), rules.failureText(problem, key))
  return empty()
}

export const signRoutes: Route<ManagedKeysState, ManagedKeyRules>[] = [
  { id: 'managedKeys.testSign', method: 'POST', path: ':type/:name/test/sign', handle: testSign },
]
