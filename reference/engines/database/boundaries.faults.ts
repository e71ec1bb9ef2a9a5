import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'

const { rule, route } = faultsOf(databaseEngine)

rule('boundary-period-minimum', ['DB-STATIC-17'], 'a rotation period of five seconds is too short (001 8, minimum)', {
  periodAllowed: () => (period) => period > 5,
})

rule('boundary-first-allowed', ['DB-ALLOWED-05'], 'only the first of several allowed roles is allowed (001 4.1, allowed_roles)', {
  roleAllowed: (original) => (allowed, role) => original(allowed.slice(0, 1), role),
})

rule('boundary-star-alone', ['DB-ALLOWED-05'], 'a star among other names allows no further role (001 4.1, star in the list)', {
  roleAllowed: (original) => (allowed, role) => original(allowed.length > 1 ? allowed.filter((name) => name !== '*') : allowed, role),
})

rule(
  'boundary-first-creation',
  ['DB-STMT-10', 'DB-CREDS-08', 'DB-TEMPLATE-01'],
  'of several creation statements only the first is run (001 4.1, creation_statements list)',
  {
    creation: (original) => (role) => original(role).slice(0, 1),
  },
)

route(
  'boundary-roles-100',
  ['DB-ROLE-05'],
  'a listing of roles ends after 100 (001 4.1, LIST roles)',
  'database.listRoles',
  replyData((data) => ({ ...data, keys: (data.keys as string[]).slice(0, 100) })),
)
