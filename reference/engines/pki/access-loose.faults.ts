/** Faults in who may ask for what: identity, carrier of the token, verb and capability. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Reply } from '../../core/reply.ts'
import { type Asked, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { pkiEngine } from './engine.ts'
import { type Handler, noting, withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'

const { route, change } = faultsOf(pkiEngine)
const core = faultsOf(coreEngine, 'pki')

const isPki = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'serialKey' in call.rules

const at =
  (method: string, path: RegExp) =>
  (call: Asked): boolean =>
    isPki(call) && call.method === method && path.test(call.path)

const callerOf = (call: PkiCall): string => call.token?.id ?? ''

const isRoot = (call: PkiCall): boolean => call.token?.policies.includes('root') === true

core.rule(
  'update-counts-as-sudo',
  ['PKI-DELETE-03'],
  'whoever may update and delete the root needs no sudo to delete it (001 4.2, DELETE root: needs sudo)',
  countsAs('update', at('DELETE', /\/root$/), 'sudo'),
)

const selfIssued = at('POST', /\/root\/sign-self-issued$/)
core.rule(
  'bearer-needs-no-sudo',
  ['PKI-SELF-05', 'CORE-CAP-15'],
  'sign-self-issued asks no sudo of a token sent as bearer (001 4.2, sign-self-issued: needs sudo)',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const bearer = /^bearer /i.test(call?.headers.authorization ?? '')
      return original(granted, needed === 'sudo' && bearer && selfIssued(call) ? 'update' : needed, call)
    },
  },
)

core.rule(
  'denied-may-list-certificates',
  ['CORE-CAP-17'],
  'whoever is denied the list of certificates gets it (000 7: 403)',
  denyOverlooked(at('LIST', /\/certs$/)),
)

core.rule(
  'delete-counts-as-update',
  'CORE-CAP-04',
  'whoever may only delete a role may write it (000 1 and 7: capabilities)',
  countsAs('delete', at('POST', /\/roles\/[^/]+$/), 'update'),
)

core.rule(
  'readers-may-revoke',
  ['CORE-CAP-04'],
  'whoever has only read on revoke may revoke certificates (000 7: 403)',
  countsAs('read', at('POST', /\/revoke$/), 'update'),
)

core.rule(
  'ended-token-issues',
  ['CORE-AUTH-15'],
  'a token that has issued goes on issuing after it was revoked or ran out (000 5 and 7: 403)',
  goodForEver(({ path }) => /(^|\/)issue\/[^/]+$/.test(path)),
)

core.rule(
  'unknown-token-lists',
  ['CORE-AUTH-03'],
  'any text passes for a token where certificates are listed (000 7: 403, wrong credentials)',
  {
    callerRefused: (original) => (given, token, request) =>
      given !== undefined && /\/certs\/?$/.test(request.path) ? undefined : original(given, token, request),
  },
)

core.rule('chain-needs-token', ['PKI-CHAIN-02'], 'ca_chain asks for a token (001 4.2, ca_chain: UNAUTHENTICATED)', {
  needsToken: (original) => (asked) => asked?.id === 'pki.readCaChain' || original(asked),
})

core.rule(
  'listing-by-get-needs-read',
  ['CORE-CAP-11'],
  'GET with list=true needs read where LIST needs list (000 1: either way of listing)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, needed === 'list' && isPki(call) && call.query.get('list') === 'true' ? 'read' : needed, call),
  },
)

route(
  'export-for-root-only',
  'PKI-ROOT-04',
  'an exported root returns its key to root tokens only (001 4.2: exported, private key returned)',
  'pki.generateRoot',
  withRules((rules, call) => ({ returnsKey: (type) => rules.returnsKey(type) && isRoot(call) })),
)

const listedFor = noting(callerOf)
change(
  'own-certificates-listed',
  ['PKI-LIST-02', 'PKI-LIST-03'],
  'a token sees in the list only certificates that it asked for itself (001 4.2, LIST certs)',
  {
    routes: {
      'pki.issue': listedFor.noted,
      'pki.sign': listedFor.noted,
      'pki.listCertificates': withRules((rules, call) => ({
        listedSerials: (state) => {
          const owners = listedFor.notes(call.state)
          return rules.listedSerials(state).filter((serial) => (owners.get(serial) ?? callerOf(call)) === callerOf(call))
        },
      })),
    },
  },
)

const seenRoles = remembered(() => new Map<string, Reply>())
const seenAs = (call: PkiCall): string => `${callerOf(call)}/${call.params.name}`
const forgets =
  (original: Handler): Handler =>
  (call) => {
    seenRoles(call.state).delete(seenAs(call))
    return original(call)
  }
change(
  'role-cache-of-caller',
  ['PKI-ROLE-01', 'PKI-ROLE-05'],
  'a token that read a role misses what another token changes in it (001 4.2, GET roles)',
  {
    routes: {
      'pki.writeRole': forgets,
      'pki.deleteRole': forgets,
      'pki.readRole': (original) => async (call) => {
        const reply = seenRoles(call.state).get(seenAs(call)) ?? (await original(call))
        seenRoles(call.state).set(seenAs(call), reply)
        return reply
      },
    },
  },
)
