import { isDeepStrictEqual } from 'node:util'
import { check, sweep } from '../../../harness/checks/index.ts'
import { methodsOf } from '../access/methods.ts'
import { storedUnder } from '../fixtures.ts'

check('core/no-content-type', 'CORE-MEDIA-02', 'a JSON body is accepted without a content type', async ({ bench, expect }) => {
  for (const method of ['POST', 'PUT']) {
    const path = bench.fresh('key')
    // Letters beyond ASCII: without a media type JSON is in UTF-8 as well.
    const value = `${bench.canary('value')} äöü ß 日本語 🙂`
    // An empty header value leaves the header out.
    expect(await bench.call('kv1.write', { path: { path }, body: { value }, method, headers: { 'Content-Type': '' } }), method).toSucceed()
    expect(await storedUnder(bench, path), method).toBe(value)
  }
})

sweep({
  id: 'core/no-content-type-anywhere',
  clauses: ['CORE-MEDIA-02'],
  title: 'a request with a JSON body succeeds without a content type',
  kind: 'scenario',
  applies: ({ hasBody, engine }) => hasBody && engine !== 'core',
  async body({ bench, expect, operation, input, state }) {
    const effectOf = async (method: string, headers: Record<string, string>) => {
      const request = await input()
      const before = await state(request)
      const answer = await bench.call(operation.id, { ...request, method, headers })
      return { answer, changed: !isDeepStrictEqual(before, await state(request)) }
    }
    for (const method of methodsOf(operation)) {
      const without = await effectOf(method, { 'Content-Type': '' })
      if (without.answer.ok && without.changed) {
        expect(without.answer, method).toSucceed()
        continue
      }
      // What does not succeed with one either, or changes nothing then, says nothing of it.
      const usual = await effectOf(method, {})
      if (!usual.answer.ok) await bench.given(operation.id, await input())
      expect(without.answer, method).toSucceed()
      expect(without.changed || !usual.changed, `${method} changes what it changes with a content type`).toBe(true)
    }
  },
})

check('core/other-content-types', 'CORE-MEDIA-03', 'a JSON body under other media types', async ({ bench }) => {
  const seen: Record<string, number> = {}
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-8', 'nonsense']) {
    const { status } = await bench.call('kv1.write', {
      path: { path: bench.fresh('key') },
      body: { a: 1 },
      headers: { 'Content-Type': type },
      observing: true,
    })
    seen[type] = status
  }
  bench.observe('CORE-MEDIA-03', seen)
})

check('core/parameters-in-query', 'CORE-QUERY-01', 'parameters of a write in the query string', async ({ bench }) => {
  const path = bench.fresh('key')
  const written = await bench.call('kv1.write', { path: { path }, body: { other: 1 }, query: { value: 'from-query' }, observing: true })
  bench.observe('CORE-QUERY-01', { write: written.status, value: await storedUnder(bench, path) })
})
