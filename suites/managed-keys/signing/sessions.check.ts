/** What the module itself was asked, as the log of a spy in its place shows it. */
import { type Bench, check, type JsonObject, spiedOn } from '../../../harness/checks/index.ts'
import { givenKey } from '../fixtures.ts'
import { alone, inToken, MECHANISMS, onModule, ownToken, signingKey, testKey } from './module-tokens.ts'

/** The library that leads through the spy, and the spy's log. */
const spyOf = (bench: Bench): { library: string; log: string } => {
  const { spiedLibrary: library, spyLog: log } = bench.module('softhsm').extra
  if (library === undefined || log === undefined)
    return bench.blocked(
      'no library stanza of the target leads through pkcs11-spy.so',
      'name one in backends.softhsm.spiedLibrary, and the file that the spy writes in backends.softhsm.spyLog',
    )
  return { library, log }
}

/** What the spy told of signatures that it saw; blocks where it saw some and told nothing. */
const told = <T>(bench: Bench, seen: number, of: readonly T[]): readonly T[] =>
  seen > 0 && of.length === 0 ? bench.blocked('the spy does not write with what a signature is begun', 'take OpenSC 0.23 or later') : of

check(
  'managed-keys/signs-in-module',
  ['MANAGED-KEYS-SIGN-01', 'MANAGED-KEYS-SIGN-51', 'MANAGED-KEYS-SIGN-52'],
  'the module is asked for a signature in every test, with the padding and the hash of the test',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const { library, log } = spyOf(bench)
    const { name } = await signingKey(bench, place, 'EC:prime256v1', { library })
    for (const round of ['first', 'second']) {
      const { result, calls } = await alone(bench, () => spiedOn(log, () => testKey(bench, name)))
      await bench.decide('MANAGED-KEYS-SIGN-01', () => {
        expect(result, `the ${round} test`).toSucceed()
        expect(calls.signatures, `signatures that the module was asked for in the ${round} test`).not.toBe(0)
      })
      bench.count('signatures seen by the module', calls.signatures)
    }
    const { name: plain, label } = await signingKey(bench, place, 'rsa:2048', { library })
    const pss = await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: label, mechanism: MECHANISMS.pss, library }))
    for (const [of, key, use_pss] of [
      ['PKCS #1', plain, false],
      ['PKCS #1', plain, true],
      ['PSS', pss, true],
    ] as const) {
      const { result, calls } = await alone(bench, () => spiedOn(log, () => testKey(bench, key, { use_pss })))
      // Whether a key whose mechanism is another is tested with PSS is not said.
      if (key === plain && use_pss && !result.ok) continue
      await bench.decide('MANAGED-KEYS-SIGN-51', () => {
        expect(result, `the test of a key for ${of} with use_pss ${use_pss}`).toSucceed()
        const isPss = told(bench, calls.signatures, calls.signedBy).map((mechanism) => mechanism.includes('_PSS'))
        expect(isPss, `whether the signatures of a key for ${of} with use_pss ${use_pss} have PSS`).toEqual(isPss.map(() => use_pss))
        expect(isPss.length, 'signatures that were begun').not.toBe(0)
      })
    }
    for (const [hash_algorithm, called] of [
      ['sha2-384', 'SHA384'],
      ['sha2-512', 'SHA512'],
      ['sha2-256', 'SHA256'],
      [undefined, 'SHA256'],
    ] as const) {
      const body: JsonObject = hash_algorithm === undefined ? { use_pss: true } : { use_pss: true, hash_algorithm }
      const { result, calls } = await alone(bench, () => spiedOn(log, () => testKey(bench, pss, body)))
      // Which hashes a module has for PSS is its own affair.
      if (!result.ok && called !== 'SHA256') continue
      await bench.decide('MANAGED-KEYS-SIGN-52', () => {
        const named = calls.signedBy.flatMap((mechanism) => /SHA\d[_\d]*/.exec(mechanism) ?? [])
        const hashes = told(bench, calls.signatures, named)
        expect(hashes.length, `signatures with ${hash_algorithm ?? 'the default'}`).not.toBe(0)
        expect(hashes, `hashes of the signatures with ${hash_algorithm ?? 'the default'}`).toEqual(hashes.map(() => called))
      })
    }
  },
)

check(
  'managed-keys/read-write',
  'MANAGED-KEYS-SIGN-24',
  'sessions are for reading and writing where that is forced',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const { library, log } = spyOf(bench)
    const [asCreated, updated] = [
      await signingKey(bench, place, 'EC:prime256v1', { library, force_rw_session: 'true' }),
      await signingKey(bench, place, 'EC:prime256v1', { library, force_rw_session: 'false' }),
    ]
    await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: updated.label, library, force_rw_session: 'true' }), updated.name)
    let opened = 0
    for (const { name } of [asCreated, updated]) {
      const { result, calls } = await alone(bench, () => spiedOn(log, () => testKey(bench, name)))
      expect(result, 'the test').toSucceed()
      opened += calls.sessions.length
      expect(calls.sessions, 'sessions that are for reading and writing').toEqual(calls.sessions.map(() => true))
    }
    if (opened === 0) bench.blocked('the tests opened no session of their own', 'let the server open one for a key that it sees first')
  },
)

check(
  'managed-keys/parallel-bound',
  'MANAGED-KEYS-SIGN-23',
  'no more requests are in the module than may be',
  onModule,
  async ({ bench, expect }) => {
    const place = await ownToken(bench)
    const { library, log } = spyOf(bench)
    // Large, so that signatures take long enough to meet: of short ones the last that may not be there is often late.
    const { name, label } = await signingKey(bench, place, 'rsa:4096', { library, max_parallel: 8 })
    const silent = bench.fresh('key')
    // As it was updated, and 1 where it was never given.
    const bounds: [key: string, more: JsonObject, most: number][] = [
      [name, { max_parallel: 3 }, 3],
      [name, { max_parallel: 2 }, 2],
      [name, { max_parallel: 1 }, 1],
      [silent, {}, 1],
    ]
    for (const [one, more, most] of bench.few(bounds, 2)) {
      await givenKey(bench, 'pkcs11', inToken(bench, place, { key_label: label, mechanism: MECHANISMS.rsa, library, ...more }), one)
      const { result, calls } = await alone(bench, () =>
        spiedOn(log, () => Promise.all(Array.from({ length: 32 }, () => testKey(bench, one)))),
      )
      // Whether a request waits for its turn or is refused is advised elsewhere.
      if (!result.some(({ ok }) => ok)) bench.blocked('no test succeeds beside others', 'see why the module signs none')
      expect(calls.atOnce <= most, `${calls.atOnce} calls were in the module at once with ${JSON.stringify(more)}`).toBe(true)
    }
  },
)
