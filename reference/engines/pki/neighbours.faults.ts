/** Faults in which a request reaches further than the object that it names. */
import { faultsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './wrappers.ts'

const { rule, route } = faultsOf(pkiEngine)

const nameOf = (call: PkiCall): string => call.params.name ?? ''

route(
  'neighbour-role-prefix',
  ['PKI-ROLE-05'],
  'deleting a role deletes every role whose name begins with its name (001 4.2, DELETE roles)',
  'pki.deleteRole',
  (original) => (call) => {
    for (const other of [...call.state.roles.keys()])
      if (other !== nameOf(call) && other.startsWith(nameOf(call))) call.state.roles.delete(other)
    return original(call)
  },
)

const commonDomains: string[] = []
rule(
  'neighbour-domains-of-all',
  ['PKI-DOMAINS-01'],
  'the allowed domains of one role are those of every role made later without any (001 4.2, allowed_domains default)',
  {
    writeRole: (original) => (previous, given, base) => {
      const role = original(previous, given, { ...base, allowed_domains: [...commonDomains] })
      commonDomains.push(...(given.allowed_domains ?? []))
      return role
    },
  },
)
