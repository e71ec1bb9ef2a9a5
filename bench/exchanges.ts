/** Requests per second: undici alone, and the same requests as a check sends them, each exchange validated and recorded. */
import { Pool } from 'undici'
import type { CheckDefinition } from '../harness/checks/vocabulary.ts'
import { loadContract } from '../harness/contract/load.ts'
import { closeRun, openRun } from '../harness/running/open-run.ts'
import { executeCheck } from '../harness/running/repeat.ts'
import { removeShared } from '../harness/running/run.ts'
import { completeRun, completeTarget } from '../harness/target/run-configuration.ts'
import { type Server, startServer } from './reference-process.ts'

const CONCURRENCY = 16
const DEADLINE = 30 * 60_000
const SAMPLE = 200

const inParallel = async (total: number, work: (index: number) => Promise<void>): Promise<void> => {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < total; index = next++) await work(index)
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
}

/** Wall-clock rate, and our own processor time per request, which does not depend on what else the machine does. */
interface Rate {
  perSecond: number
  cpuMicroseconds: number
}

const rate = async (requests: number, run: () => Promise<void>): Promise<Rate> => {
  const begun = performance.now()
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return { perSecond: Math.round(requests / ((performance.now() - begun) / 1000)), cpuMicroseconds: Math.round((user + system) / requests) }
}

/** Half writes and half reads of version 1 of the key-value engine, as JSON, bodies parsed. */
const undiciAlone = async ({ url, token }: Server, requests: number): Promise<Rate> => {
  const pool = new Pool(url, { connections: CONCURRENCY })
  const headers = { 'x-service-token': token, 'x-service-request': 'true', 'content-type': 'application/json' }
  const send = async (method: 'POST' | 'GET' | 'DELETE', path: string, body?: string): Promise<void> => {
    const answer = await pool.request({ method, path, headers, ...(body === undefined ? {} : { body }) })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode} ${text}`)
    if (text !== '') JSON.parse(text)
  }
  await send('POST', '/v1/sys/mounts/bench', JSON.stringify({ type: 'kv', options: { version: '1' } }))
  const result = await rate(requests, () =>
    inParallel(requests / 2, async (index) => {
      await send('POST', `/v1/bench/key-${index % SAMPLE}`, JSON.stringify({ value: index, text: 'benchmark' }))
      await send('GET', `/v1/bench/key-${index % SAMPLE}`)
    }),
  )
  await send('DELETE', '/v1/sys/mounts/bench').catch(() => undefined)
  await pool.close()
  return result
}

const certified = async (server: Server, requests: number): Promise<Rate> => {
  const contract = await loadContract()
  const target = completeTarget(
    {
      api: 'secrets',
      url: server.url,
      dialect: 'native',
      engines: ['core', 'kv'],
      identities: { root: { token: server.token } },
      provisioner: { kind: 'sys' },
      allow: [],
    },
    process.cwd(),
  )
  const config = { ...completeRun({ name: 'benchmark', concurrency: CONCURRENCY }, process.cwd()), targets: [target] }
  const { context } = await openRun(contract, config, { seed: 1, effort: 'standard', signal: new AbortController().signal })
  let result: Rate = { perSecond: 0, cpuMicroseconds: 0 }
  const check: CheckDefinition = {
    id: 'kv/benchmark',
    engine: 'kv',
    clauses: ['KV-V1-01'],
    title: 'writes and reads',
    kind: 'scenario',
    needs: {},
    deadline: DEADLINE,
    async body({ bench, expect }) {
      const keys = Array.from({ length: SAMPLE }, () => ({ path: bench.fresh('key') }))
      await bench.given('kv1.write', { path: keys[0]!, body: { value: 0 } })
      result = await rate(requests, () =>
        inParallel(requests / 2, async (index) => {
          const path = keys[index % SAMPLE]!
          expect(await bench.call('kv1.write', { path, body: { value: index, text: 'benchmark' } })).toSucceed()
          expect(await bench.call('kv1.read', { path })).toHaveStatus(200)
        }),
      )
    },
  }
  const run = await executeCheck(context, check)
  await removeShared(context)
  await closeRun(context)
  if (run.outcome !== 'passed') throw new Error(`the benchmark's check ${run.outcome}: ${run.reason}`)
  return result
}

const requests = Number(process.argv[2] ?? 20_000)
const server = await startServer()
try {
  await undiciAlone(server, 2_000)
  const before = await undiciAlone(server, requests)
  const validated = await certified(server, requests)
  const after = await undiciAlone(server, requests)
  const mean = (of: keyof Rate) => Math.round((before[of] + after[of]) / 2)
  const undici: Rate = { perSecond: mean('perSecond'), cpuMicroseconds: mean('cpuMicroseconds') }
  console.log(
    JSON.stringify({
      requests,
      concurrency: CONCURRENCY,
      undici,
      validated,
      ratio: Number((validated.perSecond / undici.perSecond).toFixed(2)),
      peakMemoryMb: Math.round(process.resourceUsage().maxRSS / 1024),
    }),
  )
} finally {
  server.stop()
}
