/** `sys/health`, `sys/init`, `sys/seal`, `sys/unseal`, `sys/seal-status`. */
import type { Call, Route } from './engine.ts'
import { bare, empty } from './envelope.ts'
import { invalid } from './errors.ts'
import { textOf } from './fields.ts'
import type { CoreRules } from './rules.ts'
import type { Server } from './server.ts'

type CoreCall = Call<Server, CoreRules>

const health = (call: CoreCall) => {
  const { initialized, sealed } = call.state.seal
  const code = (name: string, fallback: number): number => Number(call.query.get(name) ?? fallback)
  const status = !initialized ? code('uninitcode', 501) : sealed ? code('sealedcode', 503) : code('activecode', 200)
  const shown = {
    initialized,
    sealed,
    standby: false,
    server_time_utc: Math.floor(call.now()),
    version: '0.1.0',
    cluster_name: 'reference',
  }
  return bare(shown, status)
}

const init = (call: CoreCall) => {
  const { state: server } = call
  if (server.seal.initialized) throw invalid('already initialized')
  server.seal.initialized = true
  const { key } = server.seal
  return bare({ keys: [key], keys_base64: [Buffer.from(key, 'hex').toString('base64')], root_token: server.createRootToken() })
}

const unseal = (call: CoreCall) => {
  if (!call.state.seal.initialized) throw invalid('not initialized')
  if (call.body.reset !== true) call.state.seal.unseal(textOf(call.body, 'key'))
  return bare(call.state.seal.status())
}

const seal = (call: CoreCall) => {
  call.state.seal.sealed = true
  return empty()
}

export const sealRoutes: Route<Server, CoreRules>[] = [
  { id: 'core.health', method: 'GET', path: 'sys/health', unauthenticated: true, handle: health },
  {
    id: 'sys.initStatus',
    method: 'GET',
    path: 'sys/init',
    unauthenticated: true,
    handle: (call) => bare({ initialized: call.state.seal.initialized }),
  },
  { id: 'sys.init', method: 'POST', path: 'sys/init', unauthenticated: true, handle: init },
  {
    id: 'sys.sealStatus',
    method: 'GET',
    path: 'sys/seal-status',
    unauthenticated: true,
    handle: (call) => bare(call.state.seal.status()),
  },
  { id: 'core.unseal', method: 'POST', path: 'sys/unseal', unauthenticated: true, handle: unseal },
  { id: 'core.seal', method: 'POST', path: 'sys/seal', sudo: true, handle: seal },
]
