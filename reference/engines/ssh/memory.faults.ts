/** Faults of what is remembered or forgotten: updates and lifetimes. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import type { Role, SshState } from './state.ts'
import { nameOf, type SshCall } from './wrappers.ts'

const { rule, route, change } = faultsOf(sshEngine)

const existing = (call: SshCall): Role | undefined => call.state.roles.get(nameOf(call))

/** One map of names for each mount. */
const perMount = <V>(): ((state: SshState) => Map<string, V>) => {
  const all = new WeakMap<SshState, Map<string, V>>()
  return (state) => {
    const found = all.get(state) ?? new Map<string, V>()
    all.set(state, found)
    return found
  }
}

route(
  'order-update-extensions-ignored',
  'SSH-ROLE-02',
  'an update leaves the allowed extensions as they are',
  'ssh.writeRole',
  requestBody((body: JsonObject, call: SshCall) => (existing(call) ? { ...body, allowed_extensions: null } : body)),
)
route(
  'order-host-flag-sticks',
  'SSH-ROLE-02',
  'host certificates once allowed stay allowed',
  'ssh.writeRole',
  requestBody((body: JsonObject, call: SshCall) =>
    existing(call)?.allow_host_certificates ? { ...body, allow_host_certificates: true } : body,
  ),
)
route(
  'order-empty-exclusion-ignored',
  'SSH-ROLE-02',
  'an update cannot empty the excluded blocks',
  'ssh.writeRole',
  requestBody((body: JsonObject, call: SshCall) =>
    existing(call) && body.exclude_cidr_list === '' ? { ...body, exclude_cidr_list: null } : body,
  ),
)
const firstMaximum = perMount<number>()
change('time-stale-maximum', 'SSH-ROLE-02', 'certificates go by the maximum with which a role was first written', {
  routes: {
    'ssh.writeRole': (original) => async (call) => {
      const reply = await original(call)
      const known = firstMaximum(call.state)
      if (!known.has(nameOf(call))) known.set(nameOf(call), existing(call)?.max_ttl ?? 0)
      return reply
    },
    'ssh.signKey': (original) => (call) =>
      original({
        ...call,
        rules: {
          ...call.rules,
          maxTtl: (role, most) => call.rules.maxTtl({ ...role, max_ttl: firstMaximum(call.state).get(nameOf(call)) ?? role.max_ttl }, most),
        },
      }),
  },
})
route(
  'time-host-default',
  'SSH-TTL-01',
  'host certificates live for the maximum where no lifetime is asked for',
  'ssh.signKey',
  (original) => (call) =>
    call.body.cert_type === 'host'
      ? original({ ...call, rules: { ...call.rules, defaultTtl: (_role, _usual, maximum) => maximum } })
      : original(call),
)
rule('time-compound-duration', 'SSH-SIGN-15', 'of a duration with several units the first one counts', {
  duration: (original) => (value, field) =>
    original(typeof value === 'string' ? value.replace(/^(\d+[smh])(?:\d+[smh])+$/, '$1') : value, field),
})
route(
  'shape-verified-default-user',
  'SSH-VERIFY-02',
  'a verified password names the default user of the role',
  'ssh.createCredential',
  replyData((data: JsonObject, call: SshCall) => {
    const otp = call.state.otps.get(String(data.key))
    if (otp) otp.username = existing(call)?.default_user ?? otp.username
    return data
  }),
)
route(
  'shape-lookup-first-only',
  ['SSH-LOOKUP-01', 'SSH-LOOKUP-02'],
  'a lookup names the first role of several',
  'ssh.lookupRoles',
  replyData((data: JsonObject) => (Array.isArray(data.roles) ? { ...data, roles: data.roles.slice(0, 1) } : data)),
)

route(
  'order-verified-role-wider',
  'SSH-CREDS-17',
  'a verified password adds its address to the blocks of its role',
  'ssh.verifyOtp',
  (original) => async (call) => {
    const { otps, roles } = call.state
    const otp = otps.get(String(call.body.otp))
    const name = otp?.role ?? ''
    const reply = await original(call)
    const role = roles.get(name)
    if (reply.status === 200 && role) roles.set(name, { ...role, cidr_list: `${role.cidr_list},${otp?.ip}/32` })
    return reply
  },
)
