/**
 * What the engines of managed keys and cloud credentials stand on: the start of the gateway, questions to a provider through its TLS, the start of
 * a module with all its tokens, and tests of a key of an elliptic curve in one of them by the reference server.
 */
import { Pool } from 'undici'
import { startBackends } from '../harness/backends/chain.ts'
import { isModule, serviceOf } from '../harness/base/backend-handle.ts'
import { Journal } from '../harness/cleanup/journal.ts'
import { cloudJudge } from '../harness/oracles/cloud-credentials.ts'
import { cloudPlace } from '../harness/oracles/cloud-gateway.ts'
import { newRunName } from '../harness/running/open-run.ts'
import { localJournal } from '../harness/running/used-backends.ts'
import { startServer } from './reference-process.ts'

const AT_ONCE = 16
const LIBRARY = 'assay'

const count = Number(process.argv[2] ?? 20_000) / 10
const journal = new Journal(newRunName())
const { signal } = new AbortController()

/** Starts one backend; its milliseconds, and a handle where it can be had. */
const started = async (kind: string) => {
  const begun = performance.now()
  const chain = await startBackends([kind], { external: {}, journal: localJournal(journal), onProgress: () => {}, signal })
  return { ms: Math.round(performance.now() - begun), handle: chain.handles[kind], missing: chain.missing[kind]?.reason, stop: chain.stop }
}

/** How often in a second `one` comes to an end, several at once. */
const perSecond = async (times: number, one: () => Promise<unknown>): Promise<number> => {
  let left = times
  const begun = performance.now()
  const worker = async (): Promise<void> => {
    while (left-- > 0) await one()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return Math.round(times / ((performance.now() - begun) / 1000))
}

const gateway = async () => {
  const { ms, handle, stop } = await started('clouds')
  const service = serviceOf(handle!)
  const [place, judge] = [await cloudPlace(service), cloudJudge(service)]
  try {
    const token = String(await judge.login(place.credentials))
    return { startMs: ms, requestsPerSecond: await perSecond(count, () => judge.tokenInfo(token)) }
  } finally {
    await judge.close()
    await stop()
  }
}

const softhsm = async () => {
  const { ms, handle, missing, stop } = await started('softhsm')
  if (handle === undefined || !isModule(handle)) return { missing: missing ?? 'not to be had' }
  const { module, environment, tokens } = handle
  const server = await startServer(['--library', `${LIBRARY}=${module}`], environment)
  const pool = new Pool(server.url, { connections: AT_ONCE })
  const headers = { 'x-service-token': server.token, 'x-service-request': 'true', 'content-type': 'application/json' }
  const send = async (path: string, body: Record<string, unknown>): Promise<void> => {
    const answer = await pool.request({
      method: 'POST',
      path: `/v1/sys/managed-keys/pkcs11/bench${path}`,
      headers,
      body: JSON.stringify(body),
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode} ${text}`)
  }
  try {
    const { label: token_label, pin } = tokens[0]!
    const key = { key_label: 'bench', mechanism: '0x1041', curve: 'P256', allow_generate_key: 'true' }
    await send('', { library: LIBRARY, token_label, pin, ...key })
    await send('/test/sign', {})
    return { startMs: ms, tokens: tokens.length, testsPerSecond: await perSecond(count, () => send('/test/sign', {})) }
  } finally {
    await pool.close()
    server.stop()
    await stop()
  }
}

try {
  console.log(JSON.stringify({ gateway: await gateway(), softhsm: await softhsm() }))
} finally {
  journal.close()
}
