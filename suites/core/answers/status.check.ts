import { check, type JsonObject, sweep } from '../../../harness/checks/index.ts'
import { storedUnder, storeEntry } from '../fixtures.ts'

check('core/found', 'CORE-STATUS-01', 'a read that finds its object is answered with 200 and a body', async ({ bench, expect }) => {
  const { path } = await storeEntry(bench)
  await bench.given('kv2.write', { path: { path }, body: { data: { a: 1 } } })
  for (const operation of ['kv1.read', 'kv2.read']) {
    const answer = await bench.call(operation, { path: { path } })
    expect(answer).toHaveStatus(200)
    expect(answer.bytes.length, 'bytes in the body').toBeGreaterThan(0)
  }
})

check('core/written', 'CORE-STATUS-03', 'a write succeeds with 200 or 204', async ({ bench, expect }) => {
  const path = bench.fresh('key')
  expect(await bench.call('kv1.write', { path: { path }, body: { a: 1 } })).toHaveStatus(200, 204)
  expect(await bench.call('kv2.write', { path: { path }, body: { data: { a: 1 } } })).toHaveStatus(200, 204)
})

check('core/unknown-path', 'CORE-STATUS-06', 'a path below no mount is answered with 404', async ({ bench, expect }) => {
  const anyPath = `${bench.fresh('nowhere')}/${bench.fresh('key')}`
  expect(await bench.call('core.readAny', { path: { anyPath } }), 'a read').toHaveStatus(404)
  expect(await bench.call('core.writeAny', { path: { anyPath }, body: { a: 1 } }), 'a write').toHaveStatus(404)
})

check('core/unknown-name', 'CORE-STATUS-07', 'a read of a name that does not exist is answered with 404', async ({ bench, expect }) => {
  const path = bench.fresh('key')
  for (const operation of ['kv1.read', 'kv2.read']) expect(await bench.call(operation, { path: { path } }), operation).toHaveStatus(404)
})

check('core/missing-data', 'CORE-STATUS-04', 'data that an operation rules out is refused with 400', async ({ bench, expect }) => {
  const path = bench.fresh('key')
  const bodies: JsonObject[] = [{}, { data: 'text' }, { data: [1] }]
  for (const body of bodies) {
    const answer = await bench.refuses('kv2.write', {
      bad: { path: { path }, body },
      control: { path: { path: bench.fresh('control') }, body: { data: { a: 1 } } },
      unchanged: { operation: 'kv2.read', input: { path: { path } } },
      status: 400,
    })
    expect(answer.status).toBe(400)
  }
})

const BODIES: (string | Uint8Array)[] = [
  '',
  'null',
  '"',
  '{"',
  '{"a": 1e999}',
  '{"a": 1, "a": {}}',
  '{"a": "\\ud800"}',
  '{"a": "\\u0000"}',
  `{"a": ${'['.repeat(1000)}${']'.repeat(1000)}}`,
  `{"${'k'.repeat(70_000)}": 1}`,
  Buffer.from('7b2261223a22ff22', 'hex'),
  Buffer.from('fffe7b007d00', 'hex'),
]

sweep({
  id: 'core/no-internal-error',
  clauses: ['CORE-STATUS-13'],
  title: 'a strange body is never answered with 500 or above',
  kind: 'security',
  exclusion: 'malformed',
  applies: (operation, sample) => operation.method === 'POST' && operation.hasBody && sample.needs?.allow === undefined,
  async body({ bench, expect, operation, input }) {
    const { body: _, ...request } = await input()
    for (const rawBody of BODIES) {
      const { status } = await bench.call(operation.id, { ...request, rawBody })
      expect(status, `status after the body ${Buffer.from(rawBody).toString('utf8').slice(0, 40)}`).toBeLessThan(500)
    }
  },
})

const KEYS = ['ä ö', '%2f', '..%2f..', 'a?b#c', '\u0001', '\u007f', 'a\tb', 'a\nb', '{{x}}', '日本語', 'a'.repeat(600)]

check('core/strange-keys', 'CORE-STATUS-13', 'a strange key is never answered with 500 or above', async ({ bench, expect }) => {
  const base = bench.fresh('key')
  for (const [operation, body] of [
    ['kv1.write', { a: 1 }],
    ['kv2.write', { data: { a: 1 } }],
  ] as const)
    for (const name of KEYS) {
      const path = `${base}/${name}`
      const { status } = await bench.call(operation, { path: { path }, body })
      await bench.decide('CORE-STATUS-13', () => expect(status, `${operation} to ${JSON.stringify(name.slice(0, 20))}`).toBeLessThan(500))
      if (operation === 'kv1.write') await storedUnder(bench, path)
    }
})

check('core/health', 'CORE-STATUS-12', 'the status of the health endpoint', async ({ bench }) => {
  bench.observe('CORE-STATUS-12', (await bench.call('core.health', { as: 'none', observing: true })).status)
})
