import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { afterwards, ISSUING, withRole } from './cedar-help.ts'
import { pkiEngine } from './engine.ts'
import { type Handler, onState, withRules } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { Role } from './role.ts'
import type { Authority } from './state.ts'
import { serialText } from './x509/certificate.ts'

const { rule, route, change } = faultsOf(pkiEngine, 'pki')
const nameOf = (call: PkiCall): string => call.params.name ?? ''
const roleNow = (call: PkiCall): Role | undefined => call.state.roles.get(nameOf(call))
const onBoth = (wrap: (original: Handler) => Handler) => Object.fromEntries(ISSUING.map((id) => [id, wrap]))

const pastDomains = remembered(() => new Map<string, string[]>())
change(
  'cedar-removed-domains-still-allowed',
  'PKI-ISSUE-17',
  'domains that an update took off a role are still allowed (document 001, 4.2: `roles/:name` updates the role; a CN not allowed by role policy is denied)',
  {
    routes: {
      'pki.writeRole': afterwards((call) => {
        const before = roleNow(call)?.allowed_domains ?? []
        return () => {
          const past = pastDomains(call.state)
          past.set(nameOf(call), [...(past.get(nameOf(call)) ?? []), ...before])
        }
      }),
      'pki.deleteRole': afterwards((call) => () => void pastDomains(call.state).delete(nameOf(call))),
      ...onBoth((original) => (call) => {
        const role = roleNow(call)
        const past = pastDomains(call.state).get(nameOf(call)) ?? []
        return original(role ? withRole(call, { ...role, allowed_domains: [...role.allowed_domains, ...past] }) : call)
      }),
    },
  },
)

const deletedLimits = remembered(() => new Map<string, number>())
change(
  'cedar-recreated-role-keeps-maximum',
  'PKI-ROLE-05',
  'a role created again after its deletion has the `max_ttl` of the deleted one where none is given (document 001, 4.2: default `""`, the system maximum)',
  {
    routes: {
      'pki.deleteRole': (original) => (call) => {
        deletedLimits(call.state).set(nameOf(call), roleNow(call)?.max_ttl ?? 0)
        return original(call)
      },
      'pki.writeRole': (original) => (call) => {
        const limit = roleNow(call) ? 0 : (deletedLimits(call.state).get(nameOf(call)) ?? 0)
        return original(limit > 0 ? { ...call, body: { max_ttl: limit, ...call.body } } : call)
      },
    },
  },
)

rule(
  'cedar-flags-cannot-be-switched-off',
  'PKI-ROLE-02',
  'an update that gives `false` for what is true leaves it true (document 001, 4.2: POST `roles/:name` updates the role with the bool parameters given)',
  {
    writeRole: (original) => (previous, given, base) => {
      const off = Object.keys(given).filter((field) => given[field as keyof Role] === false && previous?.[field as keyof Role] === true)
      return { ...original(previous, given, base), ...Object.fromEntries(off.map((field) => [field, true])) }
    },
  },
)

const firstIssuers = remembered(() => new Map<string, string>())
route(
  'cedar-issuing-ca-of-the-first-answer',
  'PKI-ISSUE-02',
  'after the CA was replaced, answers still show the first one as `issuing_ca` (document 001, 2.2: the issuing CA of the issued credential)',
  'pki.issue',
  replyData((data, call) => {
    const format = String(call.body.format ?? '')
    const first = firstIssuers(call.state).get(format) ?? String(data.issuing_ca)
    firstIssuers(call.state).set(format, first)
    return { ...data, issuing_ca: first }
  }),
)

route(
  'cedar-new-root-removes-the-old-certificate',
  'PKI-DELETE-02',
  'generating a root after a deletion removes the old certificate from `cert/:serial` (document 001, 4.2, DELETE `root`: old certificate stays readable)',
  'pki.generateRoot',
  afterwards(({ state }) => {
    const old = state.authority
    return () => {
      if (old) state.certificates.delete(serialText(old.certificate.serial))
    }
  }),
)

route(
  'cedar-chain-keeps-what-was-above',
  'PKI-CHAIN-03',
  'the chain of a CA that replaces another also holds the CA certificates appended to the old one (document 001, 4.2: `config/ca` overrides existing CA; `ca_chain` is the chain)',
  'pki.writeCa',
  afterwards(({ state }) => {
    const old = state.authority?.above ?? []
    return () => {
      if (state.authority) state.authority.above = [...state.authority.above, ...old]
    }
  }),
)

const signers = remembered(() => ({ first: undefined as Authority | undefined }))
route(
  'cedar-sign-keeps-its-first-ca',
  'PKI-DELETE-04',
  'once requests were signed, later ones are signed by the same CA although another replaced it (document 001, 4.2: `config/ca` overrides existing CA)',
  'pki.sign',
  (original) => (call) => {
    const held = signers(call.state)
    if (!call.state.authority?.key) return original(call)
    held.first ??= call.state.authority
    return original(onState(call, { authority: held.first }))
  },
)

const widest = remembered(() => new Map<string, number>())
route(
  'cedar-lowered-maximum-ignored',
  'PKI-ROLE-02',
  'lowering the `max_ttl` of a role that issued already has no effect on what it issues (document 001, 4.2: `ttl` must not exceed role `max_ttl`)',
  'pki.issue',
  withRules((rules, call) => ({
    lifetime: (role, requested, limits) => {
      const limit = role.max_ttl && Math.max(role.max_ttl, widest(call.state).get(nameOf(call)) ?? 0)
      widest(call.state).set(nameOf(call), limit)
      return rules.lifetime({ ...role, max_ttl: limit }, requested, limits)
    },
  })),
)

rule(
  'cedar-refused-update-takes-effect',
  'PKI-KEYTYPE-05',
  'an update of a role that is refused as invalid has changed the role (document 000, 7: 400 is an invalid request; nothing is written)',
  {
    writeRole: (original) => (previous, given, base) => {
      const role = original(previous, given, base)
      if (previous) Object.assign(previous, role)
      return role
    },
  },
)

const deletedRoots = remembered(() => ({ gone: false }))
change(
  'cedar-supplied-ca-after-deletion-signs-nothing',
  'PKI-ISSUE-02',
  'a CA supplied after the root was deleted issues nothing (document 001, 4.2: `config/ca` sets the key and certificate that issue)',
  {
    routes: {
      'pki.deleteRoot': afterwards(({ state }) => () => {
        deletedRoots(state).gone = true
      }),
      'pki.generateRoot': afterwards(({ state }) => () => {
        deletedRoots(state).gone = false
      }),
      ...onBoth((original) => (call) => {
        if (deletedRoots(call.state).gone) throw invalid('no CA is configured on this mount')
        return original(call)
      }),
    },
  },
)
