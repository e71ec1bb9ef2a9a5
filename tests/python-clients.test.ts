/** The gateway that stands for cloud providers, tried with their Python clients, and compared with an emulator that others wrote. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Gateway, startGateway } from '../harness/backends/clouds/gateway.ts'
import type { BackendHandle } from '../harness/base/backend-handle.ts'
import type { JsonObject } from '../harness/base/json.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { askGateway } from '../harness/oracles/cloud-gateway.ts'
import { isAbsent } from './support/needs.ts'
import { pythonWith } from './support/python-packages.ts'

const WITHIN = 120_000
const PACKAGES = ['boto3==1.43.106', 'google-cloud-kms==3.18.0', 'requests==2.34.2', 'ministack==1.5.33', 'cryptography==50.0.2']
const programs = await pythonWith('cloud-clients', PACKAGES)

describe.skipIf(isAbsent('Python clients of cloud providers (apt-get install python3-venv, and PyPI)', programs !== undefined))(
  'Python',
  { timeout: WITHIN },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-python-'))
    const caFile = join(folder, 'ca.pem')
    let gateway: Gateway
    let emulator: ChildProcess | undefined

    beforeAll(async () => {
      gateway = await startGateway()
      writeFileSync(caFile, gateway.caPem)
    })
    afterAll(async () => {
      emulator?.kill()
      await gateway.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const proxy = (): string => `http://127.0.0.1:${gateway.port}`

    const project = async (): Promise<Record<'accessKey', { id: string; secret: string }> & JsonObject> =>
      (await askGateway({ host: '127.0.0.1', port: gateway.port, password: gateway.token } as BackendHandle, 'POST', 'projects')) as never

    /** Runs a script of tests/python with JSON on its standard input; what it prints is JSON. */
    const script = (name: string, input: unknown, environment: Record<string, string> = {}): Promise<JsonObject> =>
      new Promise((resolve, reject) => {
        const env = { PATH: process.env.PATH, HOME: folder, ...environment }
        const child = spawn(join(programs!, 'python'), [join(packageRoot, 'tests', 'python', name)], { env, cwd: folder })
        let [out, err] = ['', '']
        child.stdout.on('data', (text) => (out += text))
        child.stderr.on('data', (text) => (err += text))
        child.once('error', reject)
        child.once('close', (code) => (code === 0 ? resolve(JSON.parse(out)) : reject(new Error(err.slice(-2000)))))
        child.stdin.end(JSON.stringify(input))
      })

    const freePort = (): Promise<number> =>
      new Promise((resolve) => {
        const server = createServer().listen(0, '127.0.0.1', () => {
          const { port } = server.address() as { port: number }
          server.close(() => resolve(port))
        })
      })

    /** Starts the emulator; its address once it answers. */
    const startEmulator = async (): Promise<string> => {
      const port = await freePort()
      const address = { SERVICES: 'kms', BIND_HOST: '127.0.0.1', GATEWAY_PORT: String(port), IOT_MTLS_ENABLED: '0' }
      emulator = spawn(join(programs!, 'ministack'), [], {
        env: { PATH: `${programs}:${process.env.PATH}`, HOME: folder, ...address },
        cwd: folder,
        stdio: 'ignore',
      })
      const endpoint = `http://127.0.0.1:${port}`
      await expect
        .poll(
          () =>
            fetch(endpoint).then(
              () => true,
              () => false,
            ),
          { timeout: WITHIN / 2 },
        )
        .toBe(true)
      return endpoint
    }

    test('service a answers each call as the emulator does', async () => {
      const { accessKey } = await project()
      const endpoint = await startEmulator()
      const [ours, theirs] = await Promise.all([
        script('key_service_story.py', { ...accessKey, proxy: proxy(), caFile }),
        script('key_service_story.py', { id: 'test', secret: 'test', endpoint }),
      ])
      expect(Object.keys(ours).length).toBe(6)
      expect(ours).toEqual(theirs)
    })

    test('accounts of provider c log in, and its keys sign', async () => {
      const told = await script('provider_c_clients.py', await project(), { HTTPS_PROXY: proxy(), REQUESTS_CA_BUNDLE: caFile })
      expect(told).toEqual([
        ['EC_SIGN_P384_SHA384', 'EC_SIGN_P384_SHA384'],
        ['RSA_SIGN_PSS_2048_SHA256', 'RSA_SIGN_PSS_2048_SHA256'],
        'NotFound',
        'NotFound',
        true,
        'invalid_grant',
      ])
    })
  },
)
