/**
 * The transform engine of the reference server: values of 16 digits one by one beside undici alone, and batches of 1,000 through encryption and
 * through stores on the databases that this machine has.
 */
import { Pool } from 'undici'
import { startBackends } from '../harness/backends/chain.ts'
import { sqlPlace } from '../harness/backends/sql-place.ts'
import { serviceOf } from '../harness/base/backend-handle.ts'
import { Journal } from '../harness/cleanup/journal.ts'
import { connectionStrings, sqlAddress } from '../harness/oracles/sql-address.ts'
import { newRunName } from '../harness/running/open-run.ts'
import { localJournal } from '../harness/running/used-backends.ts'
import { startServer } from './reference-process.ts'

const BATCH = 1_000
const ROUNDS = 5
const KINDS = ['postgres', 'mariadb'] as const

type Body = Record<string, unknown>

const values = Number(process.argv[2] ?? 20_000) / 10
const server = await startServer()
const pool = new Pool(server.url, { connections: 1 })
const headers = { 'x-service-token': server.token, 'x-service-request': 'true', 'content-type': 'application/json' }

const send = async (path: string, body: Body): Promise<Body> => {
  const answer = await pool.request({ method: 'POST', path: `/v1/${path}`, headers, body: JSON.stringify(body) })
  const text = await answer.body.text()
  if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode} ${text}`)
  return text === '' ? {} : ((JSON.parse(text) as { data?: Body }).data ?? {})
}

const digits = (index: number): string => String(4_000_000_000_000_000 + index * 7_919)

/** Milliseconds of the quickest of some rounds. */
const quickest = async (work: () => Promise<unknown>): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now()
    await work()
    best = Math.min(best, performance.now() - begun)
  }
  return Math.round(best)
}

const perSecond = async (one: (index: number) => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  for (let index = 0; index < values; index += 1) await one(index)
  return Math.round(values / ((performance.now() - begun) / 1000))
}

/** Milliseconds for a batch there and back, by the role of that name. */
const batchOf = (role: string): Promise<number> => {
  const batch_input = Array.from({ length: BATCH }, (_, index) => ({ value: digits(index), tweak: 'AAAAAAAAAA==' }))
  return quickest(async () => {
    const { batch_results } = await send(`transform/encode/${role}`, { batch_input })
    const encoded = (batch_results as { encoded_value: string }[]).map(({ encoded_value }) => ({
      value: encoded_value,
      tweak: 'AAAAAAAAAA==',
    }))
    await send(`transform/decode/${role}`, { batch_input: encoded })
  })
}

const stores = async (): Promise<Record<string, number | string>> => {
  const journal = new Journal(newRunName())
  const signal = new AbortController().signal
  const backends = await startBackends([...KINDS], { external: {}, journal: localJournal(journal), onProgress: () => {}, signal })
  const measured: Record<string, number | string> = {}
  try {
    for (const kind of KINDS) {
      if (backends.handles[kind] === undefined) {
        measured[kind] = backends.missing[kind]?.reason ?? 'not to be had'
        continue
      }
      const handle = serviceOf(backends.handles[kind])
      const place = await sqlPlace(handle, 'assay_benchmark', 'benchmark')
      const connection_string = sqlAddress(connectionStrings[kind], handle, place.database)
      await send(`transform/store/${kind}`, { type: 'sql', connection_string, ...place.admin })
      await send(`transform/store/${kind}/schema`, { ...place.admin })
      await send(`transform/transformation/tokenization/${kind}`, { allowed_roles: [kind], stores: [kind] })
      await send(`transform/role/${kind}`, { transformations: [kind] })
      measured[kind] = await batchOf(kind)
      await place.close()
    }
    return measured
  } finally {
    await backends.stop()
    journal.close()
  }
}

try {
  await send('sys/mounts/transform', { type: 'transform' })
  await send('transform/alphabet/digits', { alphabet: '0123456789' })
  await send('transform/template/card', { type: 'regex', pattern: '([0-9]{16})', alphabet: 'digits' })
  await send('transform/transformation/fpe/card', { template: 'card', allowed_roles: ['card'] })
  await send('transform/role/card', { transformations: ['card'] })
  const empty = await perSecond(async () => send('transform/role/plain', { transformations: [] }))
  const encoded = await perSecond((index) => send('transform/encode/card', { value: digits(index), tweak: 'AAAAAAAAAA==' }))
  const decoded = await perSecond((index) => send('transform/decode/card', { value: digits(index), tweak: 'AAAAAAAAAA==' }))
  const batches = { items: BATCH, thereAndBackMs: { fpe: await batchOf('card'), ...(await stores()) } }
  console.log(JSON.stringify({ oneByOnePerSecond: { undiciAlone: empty, encode: encoded, decode: decoded }, batches }))
} finally {
  await pool.close()
  server.stop()
}
