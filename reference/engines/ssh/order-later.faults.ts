/** Faults of time and order: the second call, after a deletion, an expiry, a refusal, or a change of what something depends on. */
import { setTimeout as wait } from 'node:timers/promises'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { refusal, replyData, requestBody } from '../../mutations/wrappers.ts'
import { sshEngine } from './engine.ts'
import { namedRole, withRules } from './later-help.ts'
import { withRole } from './loose-wrappers.ts'
import type { KeyType, Role } from './state.ts'
import { nameOf, type SshCall } from './wrappers.ts'

const { rule, route, change } = faultsOf(sshEngine, 'ssh')

rule(
  'later-otp-looked-up-then-deleted',
  ['SSH-VERIFY-08'],
  'of concurrent verifications of a password several succeed (000 2.7: "the one-time password")',
  {
    consumeOtp: () => async (otps, password) => {
      const otp = otps.get(password)
      await wait(20)
      otps.delete(password)
      return otp
    },
  },
)

const blocksUsed = remembered(() => new Map<string, string>())

route(
  'later-blocks-of-first-use',
  ['SSH-CIDR-01'],
  'credentials go by the blocks that the role had when it was used first (000 4.4, roles: "create or update"; cidr_list)',
  'ssh.createCredential',
  (original) => (call) =>
    original(
      withRole(call, (role) => {
        const used = blocksUsed(call.state)
        const blocks = used.get(nameOf(call)) ?? role.cidr_list
        used.set(nameOf(call), blocks)
        return { ...role, cidr_list: blocks }
      }),
    ),
)

const lines = remembered<{ line: string | undefined }>(() => ({ line: undefined }))

rule(
  'later-public-key-survives',
  ['SSH-CA-18'],
  'public_key still answers the key of a deleted pair once it was read (000 4.4: "deletes the CA pair")',
  {
    publicKeyShown: (original) => (state) => {
      const known = lines(state)
      known.line = original(state) ?? known.line
      return known.line
    },
  },
)

route(
  'later-refused-pair-drops-ca',
  ['SSH-CA-07'],
  'a refused write of config/ca drops the pair that was there (000 4.4, config/ca; readings: refused means that nothing changed)',
  'ssh.writeCa',
  refusal<SshCall>((refused, call) => {
    call.state.ca = undefined
    return refused
  }),
)

route(
  'later-update-keeps-what-is-emptied',
  ['SSH-LOOKUP-02'],
  'an update that sets a text to "" leaves it as it was (000 4.4, POST roles: "create or update", role parameters with `""`)',
  'ssh.writeRole',
  requestBody<SshCall>((body, call) =>
    namedRole(call) ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')) : body,
  ),
)

const graves = remembered(() => new Map<string, Role>())

change(
  'later-role-rises-again',
  ['SSH-ROLE-01'],
  'a role created under the name of a deleted one has its old settings where none are given (000 4.4: "deletes the role"; the defaults)',
  {
    routes: {
      'ssh.deleteRole': (original) => async (call) => {
        const role = namedRole(call)
        const reply = await original(call)
        if (role) graves(call.state).set(nameOf(call), role)
        return reply
      },
      'ssh.writeRole': (original) => (call) => {
        const grave = graves(call.state).get(nameOf(call))
        return original(grave ? withRules(call, { base: (existing) => existing ?? grave }) : call)
      },
    },
  },
)

const typesAtFirst = remembered(() => new Map<string, KeyType>())

change(
  'later-list-shows-first-type',
  ['SSH-ROLE-06'],
  'the list shows the type that a role was created with, after a change, too (000 4.4, LIST roles: key_info)',
  {
    routes: {
      'ssh.writeRole': (original) => async (call) => {
        const reply = await original(call)
        const role = namedRole(call)
        const types = typesAtFirst(call.state)
        if (role && !types.has(nameOf(call))) types.set(nameOf(call), role.key_type)
        return reply
      },
      'ssh.deleteRole': (original) => (call) => {
        typesAtFirst(call.state).delete(nameOf(call))
        return original(call)
      },
      'ssh.listRoles': replyData<SshCall>((data, call) => ({
        ...data,
        key_info: Object.fromEntries(
          [...call.state.roles].map(([name, role]) => [name, { key_type: typesAtFirst(call.state).get(name) ?? role.key_type }]),
        ),
      })),
    },
  },
)

route(
  'later-refused-update-half-done',
  ['SSH-USERS-14'],
  'a refused update of a role has already changed its default user (000 4.4, POST roles; readings: refused means that nothing changed)',
  'ssh.writeRole',
  refusal<SshCall>((refused, call) => {
    const role = namedRole(call)
    const { default_user: user } = call.body
    if (role && typeof user === 'string' && user !== '') role.default_user = user
    return refused
  }),
)

const rolesGone = new WeakSet<Role>()

change(
  'later-key-stays-without-role',
  ['SSH-DYNCRED-13'],
  'after its role is deleted, the end of a credential leaves the key on the host (000 4.4, install_script: "uninstalls public keys")',
  {
    rules: { uninstalls: (original) => (role) => !rolesGone.has(role) && original(role) },
    routes: {
      'ssh.deleteRole': (original) => (call) => {
        const role = namedRole(call)
        if (role) rolesGone.add(role)
        return original(call)
      },
    },
  },
)
