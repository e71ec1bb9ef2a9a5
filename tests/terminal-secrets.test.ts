/** What a run prints before there are results, errors included, holds no credential that was used for it. */
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { assay, temporaryFolder } from './support/cli.ts'
import { traces } from './support/secret-search.ts'

const TOKEN = 'Zk3mPq9LwX71vBtRc5Yd'
const BASE64 = Buffer.from(`token=${TOKEN};`).toString('base64')

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a server for the time of some work. */
const withServer = async <T>(handler: Handler, work: (url: string) => Promise<T>): Promise<T> => {
  const server = createServer((request, response) => {
    request.resume()
    handler(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const answer = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'content-type': 'application/json', server: `demo (${BASE64})` }).end(JSON.stringify(body))

/** Says yes to everything but making a mount, which it refuses with a sentence that quotes its caller. */
const quoting: Handler = (request, response) => {
  if (request.method === 'GET') answer(response, 200, { data: { display_name: 'root' } })
  else answer(response, 403, { errors: [`no mounts for the token "${TOKEN}", nor for ${BASE64}`] })
}

/** Says yes to everything. */
const willing: Handler = (_, response) => answer(response, 200, { data: {} })

test('init shows neither what a server says of itself nor why it refuses with a token in it', async () => {
  for (const [server, code, says] of [
    [willing, 0, 'the server says: demo ('],
    [quoting, 3, 'the target cannot be tested yet'],
  ] as const) {
    const ran = await withServer(server, (url) => assay(['init', url, '--dialect', 'native', '--token', TOKEN]))
    expect(ran.code, ran.all).toBe(code)
    expect(ran.stdout).toContain(says)
    expect(ran.stdout).toContain('[redacted]')
    expect(traces({ terminal: ran.all }, [TOKEN])).toEqual([])
  }
})

test.each([['certify'], ['clean']])('%s ends with the reason of a server that quotes the token, without the token', async (command) => {
  const ran = await withServer(quoting, (url) => assay([command, url, '--token', TOKEN, '--dialect', 'native']))
  expect(ran.code, ran.all).toBe(3)
  expect(ran.all).toContain('[redacted]')
  expect(traces({ terminal: ran.all }, [TOKEN])).toEqual([])
})

/** Certifies with a provisioner whose shell program is given. */
const certifyWith = (program: string, url: string) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'provision'), `#!/bin/sh\n${program}\n`)
  chmodSync(join(folder, 'provision'), 0o755)
  const provisioner = { kind: 'command', command: ['./provision'] }
  const target = { api: 'runManagement', url, provisioner, identities: { owner: { provisioned: true }, stranger: { provisioned: true } } }
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify({ name: 'told', targets: [target] }))
  return assay(['certify'], { folder })
}

test('a provisioner that fails says why, without the token that it gave before', async () => {
  const program = `case "$(cat)" in *'"root"'*) echo '{"token":"${TOKEN}"}' ;; *) echo 'no more than ${TOKEN}' >&2; exit 1 ;; esac`
  const ran = await withServer(willing, (url) => certifyWith(program, url))
  expect(ran.code, ran.all).toBe(3)
  // On a terminal sentences are broken into lines.
  expect(ran.all.replaceAll(/\s+/g, ' ')).toContain('ended with exit code 1: no more than [redacted]')
  expect(traces({ terminal: ran.all }, [TOKEN])).toEqual([])
})

test('a provisioner answer that cannot be read is counted, not shown', async () => {
  const ran = await withServer(willing, (url) => certifyWith(`echo "{'token': '${TOKEN}'}"`, url))
  expect(ran.code, ran.all).toBe(3)
  expect(ran.stderr).toContain('answered 33 characters, which is not JSON')
  expect(traces({ terminal: ran.all }, [TOKEN])).toEqual([])
})
