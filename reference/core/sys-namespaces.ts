/** `sys/namespaces`: namespaces below the one of the request. */

import type { Call, Route } from './engine.ts'
import { empty, secret } from './envelope.ts'
import { invalid, notFound } from './errors.ts'
import { textMapOf } from './fields.ts'
import type { JsonObject } from './json.ts'
import type { Namespace } from './namespaces.ts'
import type { CoreRules } from './rules.ts'
import type { Server } from './server.ts'

const RESERVED = ['root', 'sys', 'auth', 'audit', 'cubbyhole', 'identity']

const shown = ({ id, uuid, path, metadata }: Namespace): JsonObject => ({
  id,
  uuid,
  path,
  custom_metadata: metadata,
  tainted: false,
  locked: false,
})

const pathOf = (call: Call<Server, CoreRules>): string => `${call.mount.namespace}${(call.params.path ?? '').replace(/\/$/, '')}/`

export const namespaceRoutes: Route<Server, CoreRules>[] = [
  {
    id: 'sys.listNamespaces',
    method: 'LIST',
    path: 'sys/namespaces',
    handle: (call) => call.services.listing(call.state.namespaces.children(call.mount.namespace)),
  },
  {
    id: 'sys.readNamespace',
    method: 'GET',
    path: 'sys/namespaces/*path',
    handle(call) {
      const namespace = call.state.namespaces.get(pathOf(call))
      if (!namespace) throw notFound()
      return secret(shown(namespace))
    },
  },
  {
    id: 'sys.writeNamespace',
    method: 'POST',
    path: 'sys/namespaces/*path',
    handle(call) {
      const { state: server } = call
      const path = pathOf(call)
      const name = (call.params.path ?? '').replace(/\/$/, '')
      if (name === '' || name.includes('/') || RESERVED.includes(name)) throw invalid(`"${name}" is not a name for a namespace`)
      if (server.mounts.of(call.mount.namespace).some((mount) => mount.path.startsWith(`${name}/`))) throw invalid(`${name}/ is a mount`)
      const known = server.namespaces.get(path)
      const namespace = {
        path,
        id: known?.id ?? server.random.word(6),
        uuid: known?.uuid ?? server.random.uuid(),
        metadata: textMapOf(call.body, 'custom_metadata'),
      }
      server.namespaces.add(namespace)
      return secret(shown(namespace))
    },
  },
  {
    id: 'sys.deleteNamespace',
    method: 'DELETE',
    path: 'sys/namespaces/*path',
    async handle(call) {
      const { state: server } = call
      const path = pathOf(call)
      if (path === '/' || !server.namespaces.get(path)) return empty()
      if (server.namespaces.children(path).length > 0) throw invalid('namespace has children')
      for (const mount of server.mounts.of(path)) await server.mounts.remove(path, mount.path)
      await server.tokens.revokeNamespace(path)
      server.policies.dropNamespace(path)
      server.namespaces.delete(path)
      return empty()
    },
  },
]
