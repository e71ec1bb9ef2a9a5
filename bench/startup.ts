/** Milliseconds from the start of the command to its first request. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { cliWords } from './reference-process.ts'

const REPETITIONS = 5
const built = fileURLToPath(new URL('../bin/assay.js', import.meta.url))
const isBuilt = existsSync(fileURLToPath(new URL('../dist/harness/cli/main.js', import.meta.url)))

const once = async (): Promise<number> => {
  let arrived: (ms: number) => void = () => undefined
  const first = new Promise<number>((resolve) => {
    arrived = resolve
  })
  const server = createServer((_request, response) => {
    arrived(performance.now())
    response.writeHead(503).end()
  }).listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const words = ['certify', url, '--token', 'none', '--json']
  const begun = performance.now()
  const child = spawn(process.execPath, isBuilt ? [built, ...words] : cliWords(...words), { stdio: 'ignore' })
  const ms = (await first) - begun
  child.kill()
  server.closeAllConnections()
  server.close()
  return ms
}

const times: number[] = []
for (let index = 0; index < REPETITIONS; index += 1) times.push(await once())
const sorted = times.toSorted((left, right) => left - right)
console.log(JSON.stringify({ from: isBuilt ? 'build' : 'sources', firstRequestMs: Math.round(sorted[Math.floor(sorted.length / 2)]!) }))
