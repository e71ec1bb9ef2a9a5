/** Faults of the test of a key. */
import { empty } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal, requestBody, requestNestedAs } from '../../faults/wrappers.ts'
import { managedKeysEngine } from './engine.ts'
import type { ManagedKey } from './state.ts'
import { keyAt } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(managedKeysEngine)
const test = 'managedKeys.testSign'

rule('test-by-id-fails', 'MANAGED-KEYS-SIGN-01', 'a key is not found by its id', {
  request: () => (request) => ({ ...request, keyId: request.keyLabel === '' ? 'ffff' : request.keyId }),
})
const tests = new WeakMap<object, number>()
for (const every of [2, 3])
  route(`test-fails-every-${every}`, 'MANAGED-KEYS-SIGN-01', `one test in ${every} fails`, test, (original) => async (call) => {
    const count = (tests.get(call.state) ?? 0) + 1
    tests.set(call.state, count)
    const given = await original(call)
    if (count % every === 0) throw invalid('the test of the key failed: CKR_GENERAL_ERROR')
    return given
  })
rule('test-asks-nobody', ['MANAGED-KEYS-SIGN-02', 'MANAGED-KEYS-SIGN-03', 'MANAGED-KEYS-SIGN-04'], 'the test succeeds and signs nothing', {
  asks: () => () => false,
})
rule('test-absent-passes', ['MANAGED-KEYS-SIGN-02', 'MANAGED-KEYS-SIGN-16'], 'the test of a key that is not there succeeds', {
  fails: () => (problem) => problem !== 'there is no such key',
})
const passed = new WeakMap<object, Set<string>>()
route('test-remembered', 'MANAGED-KEYS-SIGN-03', 'a key that passed once is never tested again', test, (original) => async (call) => {
  const names = passed.get(call.state) ?? new Set<string>()
  passed.set(call.state, names)
  const name = `${call.mount.namespace}${call.params.type}/${call.params.name}`
  if (names.has(name)) return empty()
  const given = await original(call)
  names.add(name)
  return given
})
rule('test-wrong-pin-passes', 'MANAGED-KEYS-SIGN-04', 'a wrong PIN passes the test', { fails: () => (problem) => !problem.includes('PIN') })
rule('test-unknown-token-passes', ['MANAGED-KEYS-SIGN-05', 'MANAGED-KEYS-SIGN-16'], 'a token that does not exist passes the test', {
  fails: () => (problem) => problem !== 'there is no such token',
})
route(
  'test-unknown-library-passes',
  'MANAGED-KEYS-SIGN-06',
  'a library without a stanza passes the test',
  test,
  insteadOfRefusal(
    () => empty(),
    (call) =>
      call.services.operator.libraries[
        String(call.rules.keysIn(call.state.namespaces, call.mount.namespace).get(call.params.name ?? '')?.parameters.library)
      ] === undefined,
  ),
)
route(
  'test-unknown-key-passes',
  'MANAGED-KEYS-SIGN-07',
  'an unknown key passes the test',
  test,
  insteadOfRefusal(
    () => empty(),
    (call) => !call.rules.keysIn(call.state.namespaces, call.mount.namespace).has(call.params.name ?? ''),
  ),
)
route(
  'test-other-kind-passes',
  'MANAGED-KEYS-SIGN-07',
  'a key passes the test under another kind',
  test,
  insteadOfRefusal(
    () => empty(),
    (call) => call.params.type !== 'pkcs11',
  ),
)
change('usages-none-by-default', 'MANAGED-KEYS-USAGE-05', 'a key signs only where its usages say so, and they do not by default', {
  rules: { defaultOf: (original) => (kind, field) => (field === 'usages' ? 'encrypt,decrypt' : original(kind, field)) },
  routes: {
    [test]: (original) => (call) => {
      if (!String(keyAt(call)?.parameters.usages ?? 'sign').includes('sign')) throw invalid('the key is not for signatures')
      return original(call)
    },
  },
})
rule('test-pss-refused', 'MANAGED-KEYS-SIGN-08', 'use_pss fails the test', {
  request: () => (request) => (request.pss ? { ...request, keyLabel: 'none' } : request),
})
rule('test-pss-ignored', 'MANAGED-KEYS-SIGN-51', 'a module is never told of use_pss', {
  request: () => (request) => ({ ...request, pss: false }),
})
rule('test-hash-ignored', 'MANAGED-KEYS-SIGN-52', 'a module is asked for SHA-256 whichever hash a test names', {
  request: () => (request) => ({ ...request, hash: 'sha2-256' }),
})
rule('test-no-sha384', 'MANAGED-KEYS-SIGN-09', 'the hash sha2-384 is refused', {
  hashOf: (original) => (body) => original(body.hash_algorithm === 'sha2-384' ? { hash_algorithm: 'none' } : body),
})
rule('test-no-sha1', 'MANAGED-KEYS-SIGN-09', 'the hash sha1 is refused', {
  hashOf: (original) => (body) => original(body.hash_algorithm === 'sha1' ? { hash_algorithm: 'none' } : body),
})
route(
  'test-any-hash',
  'MANAGED-KEYS-SIGN-10',
  'an unknown hash counts as the default',
  test,
  requestBody((body) =>
    /^(sha[123]|sha[23]-(224|256|384|512))$/.test(String(body.hash_algorithm))
      ? body
      : { ...body, hash_algorithm: typeof body.hash_algorithm === 'object' ? (body.hash_algorithm ?? null) : 'sha2-256' },
  ),
)
rule('test-p521-fails', 'MANAGED-KEYS-SIGN-11', 'keys of ECDSA cannot be tested with sha2-512', {
  request: () => (request) => (request.mechanism === 0x1041 && request.hash === 'sha2-512' ? { ...request, keyLabel: 'none' } : request),
})
rule('generates-2048', 'MANAGED-KEYS-SIGN-12', 'every key that is made has 2048 bits', {
  request: () => (request) => ({ ...request, bits: 2048 }),
})
rule('generates-never', 'MANAGED-KEYS-SIGN-12', 'no key is made', { generates: () => () => false })
rule('generates-for-pkcs1', 'MANAGED-KEYS-SIGN-12', 'no key is made for the mechanism of PSS', {
  request: () => (request) => (request.mechanism === 0xd ? { ...request, generate: false } : request),
})
rule('generates-always', 'MANAGED-KEYS-SIGN-13', 'every test of a key that may be made makes one', {
  request: () => (request) => (request.generate ? { ...request, anew: true } : request),
})
rule('generates-unasked', ['MANAGED-KEYS-SIGN-14', 'MANAGED-KEYS-SIGN-02'], 'a key is made although that is not allowed', {
  generates: () => (key) => key.parameters.key_label !== '',
  request: () => (request) => ({ ...request, bits: request.bits || 2048, curve: request.curve || 'P256' }),
})
rule('generates-by-id', 'MANAGED-KEYS-SIGN-15', 'a key that is named by its id is made', {
  generates: () => (key) => key.parameters.allow_generate_key === true,
  request: () => (request) => (request.generate && request.keyLabel === '' ? { ...request, keyLabel: 'by-id', keyId: '' } : request),
})
route('test-hash-object', 'MANAGED-KEYS-SIGN-18', 'an object for the hash counts as none', test, requestNestedAs('hash_algorithm'))
route('test-pss-object', 'MANAGED-KEYS-SIGN-18', 'an object for use_pss counts as none', test, requestNestedAs('use_pss'))
rule('test-pin-in-errors', 'MANAGED-KEYS-SIGN-19', 'a test that fails quotes the PIN', {
  failureText: (original) => (problem, key) => `${original(problem, key)} (PIN ${String(key.parameters.pin)})`,
})
const forgotten = new WeakMap<object, Map<string, ManagedKey>>()
route(
  'test-of-deleted',
  'MANAGED-KEYS-SIGN-20',
  'a key that was deleted is still tested, and made',
  [test, 'managedKeys.delete'],
  (original) => async (call) => {
    const known = forgotten.get(call.state) ?? new Map<string, ManagedKey>()
    forgotten.set(call.state, known)
    const keys = call.rules.keysIn(call.state.namespaces, call.mount.namespace)
    const name = call.params.name ?? ''
    const own = keys.get(name)
    if (call.method === 'DELETE' && own !== undefined) known.set(name, own)
    const old = known.get(name)
    if (call.method === 'DELETE' || own !== undefined || old === undefined) return original(call)
    keys.set(name, old)
    try {
      return await original(call)
    } finally {
      keys.delete(name)
    }
  },
)
const busy = new WeakMap<object, number>()
route('test-busy', 'MANAGED-KEYS-SIGN-22', 'a caller who would have to wait is refused', test, (original) => async (call) => {
  const running = busy.get(call.state) ?? 0
  if (running >= 8) throw invalid('busy')
  busy.set(call.state, running + 1)
  try {
    return await original(call)
  } finally {
    busy.set(call.state, (busy.get(call.state) ?? 1) - 1)
  }
})
rule('test-unfit-passes', 'MANAGED-KEYS-SIGN-17', 'a key that may not sign passes the test', {
  fails: () => (problem) => !problem.includes('NOT_PERMITTED'),
})
rule('sessions-read-only', 'MANAGED-KEYS-SIGN-24', 'sessions are for reading although read-write ones are to be forced', {
  forcesReadWrite: () => () => false,
})
rule('parallel-without-bound', 'MANAGED-KEYS-SIGN-23', 'everybody gets into the module at once', { parallelOf: () => () => 32 })
rule('parallel-twice', 'MANAGED-KEYS-SIGN-23', 'twice as many get into the module as may', {
  parallelOf: (original) => (key) => 2 * original(key),
})

export const faults = declared
