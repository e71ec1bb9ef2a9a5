/** The reference server: an implementation of the whole contract, in memory, with faults and variants to order. */

import type { Api } from './core/api.ts'
import { type Clock, systemClock } from './core/clock.ts'
import { coreEngine } from './core/core-engine.ts'
import { secretsApis } from './core/dispatch.ts'
import type { Engine } from './core/engine.ts'
import type { Fault, Variant } from './core/mutation.ts'
import type { LateSettings } from './core/operator.ts'
import { type Random, systemRandom } from './core/random.ts'
import { Server } from './core/server.ts'
import type { DialectName } from './core/spelling.ts'
import { allEngines, allParts } from './engines/index.ts'
import { type Listener, listen } from './http/listener.ts'
import { selfSigned } from './http/server-certificate.ts'
import { runManagementApis } from './run-management/index.ts'

export interface ReferenceOptions {
  /** Default: all. */
  engines?: Engine[]
  dialect?: DialectName
  faults?: Fault[]
  variants?: Variant[]
  clock?: Clock
  random?: Random
  /** Default true: serves TLS with a certificate of its own authority (`caPem`). */
  tls?: boolean
  rootToken?: string
  /** False starts an uninitialised service, which `sys/init` brings up. Default true. */
  initialized?: boolean
  /** The namespace beside the root in which restricted system paths work; it exists from the start. Default `admin/`. */
  administrativeNamespace?: string
  /** Mounts present from the start: engine type by path with trailing slash. Default `secret/` with kv2. */
  mounts?: Record<string, string>
  /** Serves `/control`, where any caller makes users and runs: for loopback only. Default true. */
  control?: boolean
  /** Further APIs beside the secrets API, made for this server. Default: run management and its control endpoint. */
  apis?: (server: Server) => Api[]
  /** Told what a handler threw, beside the answer with 500. Default: a warning of the process; nothing with faults or variants, which may well throw. */
  onInternalError?: (cause: unknown) => void
}

export interface Reference {
  /** Origin without trailing slash, e.g. `https://127.0.0.1:8200`; empty before `listen`. */
  url: string
  /** PEM of the authority behind the server's certificate; undefined without TLS. */
  caPem: string | undefined
  rootToken: string
  /** Opens the service after `sys/seal`. */
  unsealKey: string
  /** How often the code of each fault and variant ran, by id; 0 for those that never did. */
  hits: Map<string, number>
  /** Tells the server what its operator configures: PKCS#11 libraries by name, and the proxy to cloud providers. At any time. */
  operate(settings: LateSettings): void
  /** Starts serving; default a free port of 127.0.0.1. Resolves with the reference itself. */
  listen(host?: string, port?: number): Promise<Reference>
  /** Stops at once; revokes what is left in backends. */
  close(): Promise<void>
}

const warn = (cause: unknown): void => process.emitWarning(cause instanceof Error ? cause : String(cause))
const ignore = (): void => undefined

/** Makes a reference server of its own; several live side by side. */
export const createReference = (options: ReferenceOptions = {}): Reference => {
  const engines = options.engines ?? allEngines
  const rootToken = options.rootToken ?? `s.${systemRandom.word(24)}`
  const mutations = [...(options.faults ?? []), ...(options.variants ?? [])]
  const server = new Server({
    core: coreEngine,
    engines,
    rootToken,
    dialect: options.dialect ?? 'native',
    mutations,
    clock: options.clock ?? systemClock,
    random: options.random ?? systemRandom,
    initialized: options.initialized ?? true,
    administrativeNamespace: options.administrativeNamespace ?? 'admin/',
  })
  const defaultMounts = engines.some(({ type }) => type === 'kv2') ? { 'secret/': 'kv2' } : {}
  for (const [path, type] of Object.entries(options.mounts ?? defaultMounts)) {
    server.mounts.add({ path, type, namespace: '', description: '', defaultLeaseTtl: 0, maxLeaseTtl: 0 })
  }
  const apis = [...secretsApis(server), ...(options.apis?.(server) ?? runManagementApis(server, allParts, options.control ?? true))]
  let listener: Listener | undefined
  const reference: Reference = {
    url: '',
    caPem: undefined,
    rootToken,
    unsealKey: server.seal.key,
    hits: server.hits,
    operate: (settings) => server.operate(settings),
    async listen(host = '127.0.0.1', port = 0) {
      const certificate = options.tls === false ? undefined : await selfSigned(host)
      const { requestTooLarge, oversizeStatus, errorBody } = server.rules
      const onInternalError = options.onInternalError ?? (mutations.length > 0 ? ignore : warn)
      listener = await listen(
        { apis, tooLarge: requestTooLarge, oversizeStatus, errorBody, onInternalError, ...(certificate ? { tls: certificate } : {}) },
        host,
        port,
      )
      reference.caPem = certificate?.caPem
      reference.url = `${certificate ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${listener.port}`
      return reference
    },
    async close() {
      await listener?.close()
      await server.close()
    },
  }
  return reference
}
