/** Faults at the edges: the first, the last, one, many, exactly at a limit. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'

const { rule, route } = faultsOf(databaseEngine)

rule('boundary-period-minimum', ['DATABASE-STATIC-17'], 'a rotation period of five seconds is too short (001 8, minimum)', {
  periodAllowed: () => (period) => period > 5,
})

route(
  'boundary-max-ttl-of-mount',
  ['DATABASE-TTL-02', 'DATABASE-TTL-03'],
  'a max_ttl equal to the maximum of the mount is refused (001 8, never higher than)',
  'database.writeRole',
  (original) => (call) => {
    const { max_ttl } = call.body
    if (max_ttl === call.mount.maxLeaseTtl || max_ttl === `${call.mount.maxLeaseTtl}s`) throw invalid('max_ttl exceeds the maximum')
    return original(call)
  },
)

rule('boundary-first-allowed', ['DATABASE-ALLOWED-05'], 'only the first of several allowed roles is allowed (001 4.1, allowed_roles)', {
  roleAllowed: (original) => (allowed, role) => original(allowed.slice(0, 1), role),
})

rule('boundary-star-alone', ['DATABASE-ALLOWED-05'], 'a star among other names allows no further role (001 4.1, star in the list)', {
  roleAllowed: (original) => (allowed, role) => original(allowed.length > 1 ? allowed.filter((name) => name !== '*') : allowed, role),
})

rule(
  'boundary-last-allowed-static',
  ['DATABASE-ALLOWED-09'],
  'the last of several allowed roles is not allowed as a static role (001 4.1, allowed_roles)',
  {
    staticRoleAllowed: (original) => (allowed, role) => original(allowed.length > 1 ? allowed.slice(0, -1) : allowed, role),
  },
)

rule(
  'boundary-first-creation',
  ['DATABASE-STMT-10', 'DATABASE-CREDS-08', 'DATABASE-TEMPLATE-01'],
  'of several creation statements only the first is run (001 4.1, creation_statements list)',
  {
    creation: (original) => (role) => original(role).slice(0, 1),
  },
)

rule(
  'boundary-first-revocation',
  ['DATABASE-STMT-06'],
  'of several revocation statements only the first is run (001 4.1, revocation_statements list)',
  {
    revocation: (original) => (role, standard) => original(role, standard).slice(0, 1),
  },
)

rule(
  'boundary-first-renewal',
  ['DATABASE-STMT-13'],
  'of several renewal statements only the first is run (001 4.1, renew_statements list)',
  {
    renewal: (original) => (role, standard) => original(role, standard).slice(0, 1),
  },
)

rule(
  'boundary-first-rotation',
  ['DATABASE-STATIC-20'],
  'of several rotation statements only the last is run (001 4.1, rotation_statements list)',
  {
    rotation: (original) => (role, standard) => original(role, standard).slice(-1),
  },
)

route(
  'boundary-roles-100',
  ['DATABASE-ROLE-05'],
  'a listing of roles ends after 100 (001 4.1, LIST roles)',
  'database.listRoles',
  replyData((data) => ({ ...data, keys: (data.keys as string[]).slice(0, 100) })),
)

route(
  'boundary-static-roles-30',
  ['DATABASE-STATIC-07'],
  'a listing of static roles ends after 30 (001 4.1, LIST static-roles)',
  'database.listStaticRoles',
  replyData((data) => ({ ...data, keys: (data.keys as string[]).slice(0, 30) })),
)

rule('boundary-no-default-ttl', ['DATABASE-TTL-03'], 'a default_ttl of 0 is the maximum (001 4.1, default 0 meaning the default)', {
  leaseTimes: (original) => (role, mount) => {
    const times = original(role, mount)
    return role.defaultTtl === 0 ? { ...times, ttl: times.maxTtl } : times
  },
})

rule('boundary-password-21', ['DATABASE-POLICY-01'], 'passwords of dynamic users have 21 characters (001 4.1, default policy of 20)', {
  password: (original) => (random) => `${original(random)}x`,
})

let passwords = 0

rule('boundary-dash-now-and-then', ['DATABASE-POLICY-06'], 'every third password of a static user has no dash (001 4.1, at least 1 dash)', {
  staticPassword: (original) => (random) => {
    passwords += 1
    return passwords % 3 === 0 ? original(random).replaceAll('-', 'x') : original(random)
  },
})

rule('boundary-static-ttl-hour', ['DATABASE-SCREDS-05'], 'the ttl of static credentials is never above an hour (001 2.1, ttl)', {
  staticTtl: (original) => (role, now) => Math.min(original(role, now), 3600),
})

rule('boundary-default-over-max', ['DATABASE-TTL-07'], 'a default_ttl above max_ttl is not capped (001 4.1, max_ttl)', {
  leaseTimes: (original) => (role, mount) => {
    const times = original(role, mount)
    return role.defaultTtl > role.maxTtl && role.maxTtl > 0 ? { ttl: role.defaultTtl, maxTtl: role.defaultTtl } : times
  },
})
