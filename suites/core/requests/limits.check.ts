import { type Bench, check, LostAnswer, sweep } from '../../../harness/checks/index.ts'
import { storedUnder } from '../fixtures.ts'

const oversize = { needs: { allow: 'oversize' as const }, deadline: 120_000 }

/** A small entry padded with white space to a number of bytes: a limit on requests is not one on what is stored. */
const padded = (value: string, bytes: number): string => {
  const head = `{"value": "${value}"`
  return `${head.padEnd(bytes - 1)}}`
}

/** Bytes just below and clearly above the largest request of the target. */
const sizes = (bench: Bench) => {
  const limit = bench.limits.maxRequestBytes
  return limit === undefined ? { below: 31_900_000, above: 34_000_000 } : { below: limit - 1024, above: Math.ceil(limit * 1.06) }
}

check(
  'core/large-request',
  'CORE-LIMIT-01',
  'a body just below the limit is accepted, by either verb',
  oversize,
  async ({ bench, expect }) => {
    for (const method of ['POST', 'PUT']) {
      const path = bench.fresh('key')
      const value = bench.canary('value')
      expect(await bench.call('kv1.write', { path: { path }, rawBody: padded(value, sizes(bench).below), method }), method).toSucceed()
      expect(await storedUnder(bench, path), `what was written by ${method}`).toBe(value)
    }
  },
)

check(
  'core/oversized-request',
  ['CORE-LIMIT-01', 'CORE-LIMIT-02', 'CORE-LIMIT-03', 'CORE-LIMIT-04'],
  'a body above the limit is refused without effect, and one below it is accepted afterwards',
  oversize,
  async ({ bench, expect }) => {
    const path = bench.fresh('key')
    const rawBody = padded('too large', sizes(bench).above)
    for (const method of ['PUT', 'POST']) {
      const status = await bench.call('kv1.write', { path: { path }, rawBody, method }).then(
        (answer) => answer.status,
        (error: unknown) => {
          if (error instanceof LostAnswer) return 'the connection was closed'
          throw error
        },
      )
      const isTaken = typeof status === 'number' && status < 400
      await bench.decide('CORE-LIMIT-02', () => {
        expect(isTaken, `${method} accepted with ${status}`).toBe(false)
        expect(status, `${method}: an internal error is not a refusal`).not.toBe(500)
      })
      await bench.decide('CORE-LIMIT-03', async () => expect(await storedUnder(bench, path), method).toEqual({ status: 404 }))
      bench.observe('CORE-LIMIT-04', status)
    }
    await bench.decide('CORE-LIMIT-01', async () =>
      expect(await bench.call('kv1.write', { path: { path }, rawBody: padded('large', sizes(bench).below) })).toSucceed(),
    )
  },
)

const SOME_BYTES = 2_000_000

sweep({
  id: 'core/padded-body',
  clauses: ['CORE-LIMIT-01'],
  title: 'a body of two megabytes, most of it white space, is accepted',
  kind: 'scenario',
  needs: oversize.needs,
  applies: ({ hasBody, engine }) => hasBody && engine !== 'core',
  async body({ bench, expect, operation, input }) {
    const { body, ...request } = await input()
    if ((bench.limits.maxRequestBytes ?? SOME_BYTES) < SOME_BYTES) return bench.observe('CORE-LIMIT-01', 'a target of smaller requests')
    const text = JSON.stringify(body ?? {})
    const rawBody = text.slice(0, -1) + ' '.repeat(Math.max(0, SOME_BYTES - text.length)) + text.slice(-1)
    const answer = await bench.call(operation.id, { ...request, rawBody })
    if (!answer.ok) await bench.given(operation.id, await input())
    expect(answer).toSucceed()
  },
})

/** A write of each kind of mount; that of the first version is read back by a check of its own. */
const WRITES = [
  'kv2.write',
  'ssh.writeRole',
  'database.writeRole',
  'pki.writeRole',
  'broker.writeRole',
  'transform.writeRole',
  'cloudc.writeRoleset',
]

sweep({
  id: 'core/largest-body',
  clauses: ['CORE-LIMIT-01'],
  title: 'a body just below the limit, most of it white space, is accepted',
  kind: 'scenario',
  needs: oversize.needs,
  deadline: oversize.deadline,
  applies: ({ id }) => WRITES.includes(id),
  async body({ bench, expect, operation, input }) {
    // The plain request comes first: a large exchange is not kept once another follows it.
    await bench.given(operation.id, await input())
    const { body, ...request } = await input()
    const text = JSON.stringify(body)
    const rawBody = `${text.slice(0, -1).padEnd(sizes(bench).below - 1)}}`
    expect(await bench.call(operation.id, { ...request, rawBody })).toSucceed()
  },
})
