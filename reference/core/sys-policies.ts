/** `sys/policies/acl` and `sys/capabilities-self`. */
import type { Route } from './engine.ts'
import { empty, secret } from './envelope.ts'
import { invalid, notFound } from './errors.ts'
import { listOf, textOf } from './fields.ts'
import type { CoreRules } from './rules.ts'
import type { Server } from './server.ts'

const nameOf = (params: Record<string, string>): string => (params.name ?? '').toLowerCase()

const routesAt = (path: string, suffix: string): Route<Server, CoreRules>[] => [
  {
    id: `sys.listPolicies${suffix}`,
    method: 'LIST',
    path,
    handle: (call) => call.services.listing(call.state.policies.names(call.mount.namespace)),
  },
  {
    id: `sys.readPolicy${suffix}`,
    method: 'GET',
    path: `${path}/:name`,
    handle(call) {
      const name = nameOf(call.params)
      const policy = call.state.policies.text(call.mount.namespace, name)
      if (policy === undefined) throw notFound()
      return secret(suffix ? { name, rules: policy, policy } : { name, policy })
    },
  },
  {
    id: `sys.writePolicy${suffix}`,
    method: 'POST',
    path: `${path}/:name`,
    handle(call) {
      const text = textOf(call.body, 'policy', textOf(call.body, 'rules'))
      if (text === '') throw invalid('policy is missing')
      call.state.policies.write(call.mount.namespace, nameOf(call.params), text)
      return empty()
    },
  },
  {
    id: `sys.deletePolicy${suffix}`,
    method: 'DELETE',
    path: `${path}/:name`,
    handle(call) {
      call.state.policies.delete(call.mount.namespace, nameOf(call.params))
      return empty()
    },
  },
]

export const policyRoutes: Route<Server, CoreRules>[] = [
  ...routesAt('sys/policies/acl', ''),
  ...routesAt('sys/policy', 'Legacy'),
  {
    id: 'sys.listPoliciesLegacyGet',
    method: 'GET',
    path: 'sys/policy',
    handle(call) {
      const policies = call.state.policies.names(call.mount.namespace)
      const reply = secret({ keys: policies, policies })
      return { ...reply, body: { ...(reply.body as object), keys: policies, policies } }
    },
  },
  {
    id: 'sys.capabilitiesSelf',
    method: 'POST',
    path: 'sys/capabilities-self',
    handle(call) {
      const { token } = call
      const names = listOf(call.body, 'paths', listOf(call.body, 'path'))
      const of = (path: string): string[] => {
        if (!token) return ['deny']
        if (token.policies.includes('root')) return ['root']
        const relative = call.mount.namespace.slice(token.namespace.length) + path
        const granted = [...call.state.policies.granted(token.namespace, token.policies, relative, false)].sort()
        return granted.length ? granted : ['deny']
      }
      const first = names[0]
      return secret({
        ...Object.fromEntries(names.map((path) => [path, of(path)])),
        ...(first === undefined ? {} : { capabilities: of(first) }),
      })
    },
  },
]
