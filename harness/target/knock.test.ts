/** Servers with which TLS comes to nothing: what stands in the way is named, in words of a user. */

import type { RequestListener } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import { expect, test } from 'vitest'
import { selfSigned } from '../../reference/http/server-certificate.ts'
import { loadContract } from '../contract/load.ts'
import { openRun } from '../running/open-run.ts'
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
  ['ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED', 'does not accept'],
  ['ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE', 'ended the TLS handshake'],
])('the alert %s', (code, says) => {
  const { reason, remedy } = explainFailure(Object.assign(new Error('alert'), { code }), 'a.example')
  expect(reason).toContain(`a.example ${says}`)
  expect(remedy).toContain('--client-cert FILE')
})

test('a server that speaks TLS 1.1 alone', async () => {
  const options = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  expect(await blockedAt(options, (_, response) => response.end('{}'))).toMatchObject({
    name: 'Blocked',
    message: expect.stringMatching(/^localhost:\d+ speaks no version of TLS that is in use: 1\.2 is the least$/),
    remedy: expect.stringContaining('TLS 1.2 or 1.3'),
  })
})

test('a failure of TLS without a text of its own never shows raw text of a library', () => {
  const error = Object.assign(new Error('C0A7:error:0A0000C1:SSL routines::no shared cipher:../ssl.c:1'), {
    code: 'ERR_SSL_NO_SHARED_CIPHER',
  })
  expect(explainFailure(error, 'a.example').reason).toBe('the TLS handshake with a.example failed: no shared cipher')
})
