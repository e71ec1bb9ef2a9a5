/** `sys/mounts`: enabling, listing, tuning and disabling engines. */
import { durationOf } from './durations.ts'
import type { Call, Route } from './engine.ts'
import { empty, secret } from './envelope.ts'
import { invalid, notFound } from './errors.ts'
import { listOf, textMapOf, textOf } from './fields.ts'
import type { JsonObject } from './json.ts'
import type { Mount } from './mounts.ts'
import type { CoreRules } from './rules.ts'
import type { Server } from './server.ts'
import { engineType, wireType } from './spelling.ts'

type CoreCall = Call<Server, CoreRules>

const pathOf = (call: CoreCall): string => `${(call.params.path ?? '').replace(/\/+$/, '')}/`

const mountOf = (call: CoreCall): Mount => {
  const mount = call.state.mounts.find(call.mount.namespace, pathOf(call))
  if (!mount) throw notFound(`no mount at ${pathOf(call)}`)
  return mount
}

const configOf = (call: CoreCall): JsonObject => {
  const config = call.body.config ?? {}
  if (config === null || typeof config !== 'object' || Array.isArray(config)) throw invalid('config must be an object')
  return config
}

/** Only where there are any, as the family shows it. */
const keysShown = ({ allowedManagedKeys }: Mount): JsonObject =>
  allowedManagedKeys.length === 0 ? {} : { allowed_managed_keys: allowedManagedKeys }

const shown = (call: CoreCall, mount: Mount): JsonObject => {
  const wire = wireType(call.state.spelling, mount.engine.type)
  return {
    type: wire.type,
    description: mount.description,
    accessor: mount.accessor,
    uuid: mount.uuid,
    config: { default_lease_ttl: mount.defaultLeaseTtl, max_lease_ttl: mount.maxLeaseTtl, force_no_cache: false, ...keysShown(mount) },
    options: wire.version ? { version: wire.version } : null,
    local: false,
    seal_wrap: false,
    external_entropy_access: false,
    plugin_version: '',
    running_plugin_version: 'v0.1.0',
    running_sha256: '',
  }
}

const enable = (call: CoreCall) => {
  const type = textOf(call.body, 'type')
  const found = engineType(call.state.spelling, type, textMapOf(call.body, 'options').version)
  if (!found) throw invalid(`no engine of type "${type}" with these options`)
  const config = configOf(call)
  call.state.mounts.add({
    path: pathOf(call),
    namespace: call.mount.namespace,
    type: found,
    description: textOf(call.body, 'description'),
    defaultLeaseTtl: durationOf(config.default_lease_ttl, 'default_lease_ttl', 0),
    maxLeaseTtl: durationOf(config.max_lease_ttl, 'max_lease_ttl', 0),
    allowedManagedKeys: listOf(config, 'allowed_managed_keys'),
  })
  return empty()
}

const tune = (call: CoreCall) => {
  const mount = mountOf(call)
  mount.defaultLeaseTtl = durationOf(call.body.default_lease_ttl, 'default_lease_ttl', mount.defaultLeaseTtl)
  mount.maxLeaseTtl = durationOf(call.body.max_lease_ttl, 'max_lease_ttl', mount.maxLeaseTtl)
  mount.allowedManagedKeys = listOf(call.body, 'allowed_managed_keys', mount.allowedManagedKeys)
  mount.description = textOf(call.body, 'description', mount.description)
  return empty()
}

/** Settings at the top level as well as under `data`, as the family's clients expect. */
const doubled = (data: JsonObject) => {
  const reply = secret(data)
  return { ...reply, body: { ...(reply.body as JsonObject), ...data } }
}

const tuned = (call: CoreCall) => {
  const mount = mountOf(call)
  const { options } = shown(call, mount)
  return doubled({
    default_lease_ttl: mount.defaultLeaseTtl || call.state.defaultLeaseTtl,
    max_lease_ttl: mount.maxLeaseTtl || call.state.maxLeaseTtl,
    description: mount.description,
    force_no_cache: false,
    ...keysShown(mount),
    options: options ?? null,
  })
}

/** Splits `x/y/tune` off the path of the wildcard route, for mount paths may hold slashes. */
const isTune = (call: CoreCall): boolean => /\/tune$/.test(call.params.path ?? '')
const withoutTune = (call: CoreCall): CoreCall => ({ ...call, params: { path: (call.params.path ?? '').replace(/\/tune$/, '') } })

export const mountRoutes: Route<Server, CoreRules>[] = [
  {
    id: 'sys.listMounts',
    method: 'GET',
    path: 'sys/mounts',
    handle: (call) =>
      doubled(Object.fromEntries(call.state.mounts.of(call.mount.namespace).map((mount) => [mount.path, shown(call, mount)]))),
  },
  {
    id: 'sys.readMount',
    method: 'GET',
    path: 'sys/mounts/*path',
    handle: (call) => (isTune(call) ? tuned(withoutTune(call)) : doubled(shown(call, mountOf(call)))),
  },
  {
    id: 'sys.writeMount',
    method: 'POST',
    path: 'sys/mounts/*path',
    handle: (call) => (isTune(call) ? tune(withoutTune(call)) : enable(call)),
  },
  {
    id: 'sys.deleteMount',
    method: 'DELETE',
    path: 'sys/mounts/*path',
    async handle(call) {
      await call.state.mounts.remove(call.mount.namespace, pathOf(call))
      return empty()
    },
  },
]
