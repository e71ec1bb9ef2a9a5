import { check } from '../../../harness/checks/index.ts'
import { storedUnder } from '../fixtures.ts'

check('core/no-content-type', 'CORE-MEDIA-02', 'a JSON body is accepted without a content type', async ({ bench, expect }) => {
  const path = bench.fresh('key')
  const value = bench.canary('value')
  // An empty header value leaves the header out.
  expect(await bench.call('kv1.write', { path: { path }, body: { value }, headers: { 'Content-Type': '' } })).toSucceed()
  expect(await storedUnder(bench, path)).toBe(value)
})

check('core/other-content-types', 'CORE-MEDIA-03', 'a JSON body under other media types', async ({ bench }) => {
  const seen: Record<string, number> = {}
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-8', 'nonsense']) {
    const { status } = await bench.call('kv1.write', {
      path: { path: bench.fresh('key') },
      body: { a: 1 },
      headers: { 'Content-Type': type },
    })
    seen[type] = status
  }
  bench.observe('CORE-MEDIA-03', seen)
})

check('core/parameters-in-query', 'CORE-QUERY-01', 'parameters of a write in the query string', async ({ bench }) => {
  const path = bench.fresh('key')
  const written = await bench.call('kv1.write', { path: { path }, body: { other: 1 }, query: { value: 'from-query' } })
  bench.observe('CORE-QUERY-01', { write: written.status, value: await storedUnder(bench, path) })
})
