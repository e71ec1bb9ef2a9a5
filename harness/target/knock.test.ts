/** Servers that let nobody in without a certificate: the way in is named. */

import type { RequestListener } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import { expect, test } from 'vitest'
import { selfSigned } from '../../reference/http/server-certificate.ts'
import { loadContract } from '../contract/load.ts'
import { openRun } from '../run/open-run.ts'
import { explainFailure } from './failures.ts'
import { completeRun, completeTarget } from './run-configuration.ts'

const blockedAt = async (options: ServerOptions, answer: RequestListener): Promise<unknown> => {
  const pair = await selfSigned('localhost')
  const server = createServer({ key: pair.keyPem, cert: pair.certPem, ca: pair.caPem, ...options }, answer)
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((done) => server.listen(0, 'localhost', done))
  const { port } = server.address() as { port: number }
  const target = completeTarget(
    { api: 'secrets', url: `https://localhost:${port}`, engines: ['kv'], tls: { caPem: pair.caPem } },
    process.cwd(),
  )
  const config = { ...completeRun({ timing: { timeout: '5s' } }, process.cwd()), targets: [target] }
  const signal = new AbortController().signal
  try {
    return await openRun(await loadContract(), config, { seed: 1, effort: 'quick', token: 't', signal }).catch((error: unknown) => error)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test.each(['TLSv1.2', 'TLSv1.3'] as const)('a handshake of %s that ends without a certificate', async (maxVersion) => {
  const options = { requestCert: true, rejectUnauthorized: true, maxVersion }
  expect(await blockedAt(options, (_, response) => response.end('{}'))).toMatchObject({
    name: 'Blocked',
    remedy: expect.stringContaining('--client-cert FILE and --client-key FILE'),
  })
})

test('a refusal in words of HTTP', async () => {
  const refuse: RequestListener = (_, response) => response.writeHead(400).end('<h1>400</h1>No required SSL certificate was sent')
  expect(await blockedAt({}, refuse)).toMatchObject({
    message: expect.stringMatching(/demands a client certificate that it accepts \(400\)/),
    remedy: expect.stringContaining('--client-cert'),
  })
})

test.each([
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'demands'],
  ['ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'demands'],
  ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'does not accept'],
  ['ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED', 'does not accept'],
])('the alert %s', (code, says) => {
  const { reason, remedy } = explainFailure(Object.assign(new Error('alert'), { code }), 'a.example')
  expect(reason).toContain(`a.example ${says}`)
  expect(remedy).toContain('--client-cert FILE')
})
