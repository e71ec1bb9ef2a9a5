import { check } from '../../../harness/checks/index.ts'
import { storedUnder, storeEntry, valueIn } from '../fixtures.ts'

check(
  'core/token-header',
  'CORE-AUTH-06',
  "the service's own header carries the token, for reads and writes",
  async ({ bench, expect }) => {
    const { path, value } = await storeEntry(bench, { carrier: 'token' })
    expect(valueIn(await bench.call('kv1.read', { path: { path }, carrier: 'token' }))).toBe(value)
  },
)

check(
  'core/bearer-header',
  'CORE-AUTH-07',
  'the Authorization header carries the token, for reads and writes',
  async ({ bench, expect }) => {
    const path = bench.fresh('key')
    const value = bench.canary('value')
    expect(await bench.call('kv1.write', { path: { path }, body: { value }, carrier: 'bearer' })).toSucceed()
    expect(valueIn(await bench.call('kv1.read', { path: { path }, carrier: 'bearer' }))).toBe(value)
    expect(await storedUnder(bench, path)).toBe(value)
  },
)

check(
  'core/token-header-readings',
  ['CORE-AUTH-09', 'CORE-AUTH-10', 'CORE-AUTH-11'],
  'which spellings of the token headers authenticate',
  { needs: { features: ['identities'] } },
  async ({ bench }) => {
    const { path } = await storeEntry(bench)
    const caller = await bench.identity([{ operation: 'kv1.read', path: { path }, capabilities: ['read'] }])
    const status = async (as: 'none' | 'wrong' | typeof caller, authorization: string) =>
      (await bench.call('kv1.read', { path: { path }, as, headers: { Authorization: authorization }, observing: true })).status
    bench.observe('CORE-AUTH-09', {
      'wrong token, good bearer': await status('wrong', `Bearer ${caller.token}`),
      'good token, wrong bearer': await status(caller, 'Bearer assay-never-issued'),
    })
    bench.observe('CORE-AUTH-10', {
      bearer: await status('none', `bearer ${caller.token}`),
      BEARER: await status('none', `BEARER ${caller.token}`),
    })
    bench.observe('CORE-AUTH-11', { Token: await status('none', `Token ${caller.token}`), 'no scheme': await status('none', caller.token) })
  },
)

check(
  'core/token-not-echoed',
  'CORE-AUTH-14',
  'answers do not repeat the token',
  { kind: 'security', needs: { features: ['identities'] } },
  async ({ bench, expect }) => {
    const { path } = await storeEntry(bench)
    const caller = await bench.identity([{ operation: 'kv1.read', path: { path }, capabilities: ['read'] }])
    for (const key of [path, bench.fresh('other')]) {
      expect((await bench.call('kv1.read', { path: { path: key }, as: caller })).text).not.toContain(caller.token)
    }
  },
)
