/** Faults whose effect reaches another roleset, resource or mount. */
import type { Services } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcState } from './state.ts'

const { rule, route, change, declared } = faultsOf(cloudcEngine)

const looseLeases = ({ leases }: Services): Services['leases'] =>
  ({
    issue: leases.issue.bind(leases),
    forcePrefix: (prefix: string) => leases.forcePrefix(prefix.replace(/\/$/, '')),
  }) as unknown as Services['leases']
route(
  'keys-of-longer-names',
  'CLOUDC-APART-01',
  'what ends the keys of a roleset ends those of rolesets whose names begin with its name, too',
  ['cloudc.writeRoleset', 'cloudc.deleteRoleset', 'cloudc.rotate'],
  (original) => (call) => original({ ...call, services: { ...call.services, leases: looseLeases(call.services) } }),
)
rule('rights-of-namesakes', 'CLOUDC-ROT-04', 'rights are taken back from every account of rolesets with that name', {
  membersWithout: () => (members, member) => {
    const [namesakes = ''] = member.split('-')
    return members.filter((one) => !one.startsWith(`${namesakes}-`))
  },
})
rule('roles-everywhere', 'CLOUDC-BIND-08', 'each resource is bound with the roles of all of them', {
  boundResources: (original) => (bindings) => {
    const bound = original(bindings)
    const roles = [...new Set(Object.values(bound).flat())]
    return Object.fromEntries(Object.keys(bound).map((resource) => [resource, roles]))
  },
})
let written: CloudcState['config'] | undefined
rule('config-of-last-mount', 'CLOUDC-APART-01', 'leases of keys follow the configuration that was written last, whatever its mount', {
  configOf: (original) => (body, before, credentialsOf) => {
    written = original(body, before, credentialsOf)
    return written
  },
  leaseTimes: (original) => (body, config, mount) => original(body, written ?? config, mount),
})
const allNames = new Set<string>()
change('lists-every-mount', 'CLOUDC-APART-01', 'the rolesets of all mounts are listed at each of them', {
  routes: {
    'cloudc.writeRoleset': (original) => async (call) => {
      const reply = await original(call)
      allNames.add(call.params.name ?? '')
      return reply
    },
    'cloudc.deleteRoleset': (original) => async (call) => {
      const reply = await original(call)
      allNames.delete(call.params.name ?? '')
      return reply
    },
    'cloudc.listRolesets': (original) => async (call) => {
      const given = await original(call)
      const { keys } = (given.body as JsonObject).data as { keys: string[] }
      return secret({ keys: [...new Set([...keys, ...allNames])].sort() })
    },
  },
})

export const faults = declared
