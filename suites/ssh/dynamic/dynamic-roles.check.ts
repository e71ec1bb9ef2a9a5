import { check, type Json, type JsonObject, sshOracle } from '../../../harness/checks/index.ts'
import { entries, roleWith } from '../fixtures.ts'
import { onHost } from '../host.ts'
import { askForKey, dynamicFields, dynamicRole, issuedPair, loginWith } from './dynamic-keys.ts'

const LISTED = 'somebody,someone'

check(
  'ssh/dynamic-users',
  ['SSH-USERS-12', 'SSH-USERS-18'],
  'a list of users bounds a dynamic role, but for its default user',
  onHost,
  async ({ bench, expect }) => {
    const listed = await dynamicRole(bench, { allowed_users: LISTED })
    await bench.decide('SSH-USERS-12', async () => {
      for (const stranger of ['stranger', 'some', LISTED])
        expect(await askForKey(bench, listed, { username: stranger }), stranger).toBeRefused()
    })
    const administered = await dynamicRole(bench, { allowed_users: LISTED, default_user: 'somebody' })
    await bench.decide('SSH-USERS-12', async () => {
      const { username } = bench.backend('sshd')
      expect(await askForKey(bench, administered, { username }), 'the administrator of the host, who is not listed').toBeRefused()
    })
    await bench.decide('SSH-USERS-18', async () => expect(await askForKey(bench, listed), 'the default user').toSucceed())
  },
)

check(
  'ssh/dynamic-users-admitted',
  ['SSH-USERS-13', 'SSH-USERS-16', 'SSH-USERS-17'],
  'a dynamic role admits users by its list, by an asterisk, and anybody without a list',
  onHost,
  async ({ bench, expect }) => {
    const { username } = bench.backend('sshd')
    const admitting: [clause: string, fields: JsonObject][] = [
      ['SSH-USERS-13', {}],
      ['SSH-USERS-16', { allowed_users: '*' }],
      ['SSH-USERS-17', { allowed_users: `${LISTED},${username}` }],
    ]
    for (const [clause, fields] of admitting) {
      const role = await dynamicRole(bench, { default_user: bench.fresh('nobody'), ...fields })
      await bench.decide(clause, async () => {
        const credential = await askForKey(bench, role, { username })
        expect(credential, 'the administrator').toSucceed()
        expect(await loginWith(bench, credential)).toMatchObject({ accepted: true })
      })
    }
  },
)

check(
  'ssh/dynamic-networks',
  ['SSH-CIDR-11', 'SSH-EXCL-07'],
  'the blocks of a dynamic role bound its credentials',
  onHost,
  async ({ bench, expect }) => {
    const { targetHost } = bench.backend('sshd')
    expect(await askForKey(bench, await dynamicRole(bench)), 'inside the block').toSucceed()
    const outside = await dynamicRole(bench, { cidr_list: '192.0.2.0/24' })
    await bench.decide('SSH-CIDR-11', async () => expect(await askForKey(bench, outside)).toBeRefused())
    const excluded = await dynamicRole(bench, { exclude_cidr_list: `${targetHost}/32` })
    await bench.decide('SSH-EXCL-07', async () => expect(await askForKey(bench, excluded)).toBeRefused())
  },
)

check(
  'ssh/dynamic-key-options',
  ['SSH-OPTSPEC-01', 'SSH-OPTSPEC-02'],
  'options of the role stand before the key, and nobody validates them',
  onHost,
  async ({ bench, expect }) => {
    const key_option_specs = 'no-pty,command="echo forced"'
    const credential = await askForKey(bench, await dynamicRole(bench, { key_option_specs }))
    await bench.decide('SSH-OPTSPEC-01', async () => {
      const outcome = await loginWith(bench, credential, { command: 'echo mine' })
      expect(outcome).toMatchObject({ accepted: true, output: 'forced\n' })
    })
    const body = await dynamicFields(bench, { key_option_specs: 'no-such-option,neither="this one"' })
    await bench.decide('SSH-OPTSPEC-02', async () =>
      expect(await bench.call('ssh.writeRole', { path: { name: bench.mixedName('dynamic') }, body })).toSucceed(),
    )
  },
)

check(
  'ssh/dynamic-role-updated',
  ['SSH-BITS-02', 'SSH-OPTSPEC-01', 'SSH-SCRIPT-02'],
  'length, options and script of a dynamic role count in an update',
  onHost,
  async ({ bench, expect }) => {
    const fields = await dynamicFields(bench, { key_bits: 1024 })
    const role = await roleWith(bench, fields)
    expect(await askForKey(bench, role), 'before').toSucceed()
    const updated = async (more: JsonObject) => {
      await bench.given('ssh.writeRole', { path: { name: role }, body: { ...fields, ...more } })
      const credential = await askForKey(bench, role)
      expect(credential).toSucceed()
      const opened = await loginWith(bench, credential, { command: 'echo mine' })
      return { opened, bits: sshOracle.keyFacts(issuedPair(credential).publicKey).bits }
    }
    const forced = await updated({ key_bits: 2048, key_option_specs: 'command="echo forced"' })
    await bench.decide('SSH-BITS-02', () => expect(forced.bits).toBe(2048))
    await bench.decide('SSH-OPTSPEC-01', () => expect(forced.opened).toMatchObject({ accepted: true, output: 'forced\n' }))
    const freed = await updated({ key_option_specs: '' })
    await bench.decide('SSH-OPTSPEC-01', () => expect(freed.opened).toMatchObject({ accepted: true, output: 'mine\n' }))
    const script = await updated({ install_script: '#!/bin/sh\ntrue\n' })
    await bench.decide('SSH-SCRIPT-02', () =>
      expect(script.opened, 'what the built-in script would have installed').toMatchObject({ accepted: false }),
    )
  },
)

/** Members of a dynamic credential: clause, type, and whether it is a list. */
const MEMBERS: [member: string, clause: string, type: 'text' | 'list' | 'integer'][] = [
  ['admin_user', 'SSH-DYNCRED-01', 'text'],
  ['allowed_users', 'SSH-DYNCRED-02', 'list'],
  ['cidr_list', 'SSH-DYNCRED-03', 'list'],
  ['default_user', 'SSH-DYNCRED-04', 'text'],
  ['exclude_cidr_list', 'SSH-DYNCRED-05', 'list'],
  ['install_script', 'SSH-DYNCRED-06', 'text'],
  ['key_bits', 'SSH-DYNCRED-08', 'integer'],
  ['key_option_specs', 'SSH-DYNCRED-09', 'list'],
  ['port', 'SSH-DYNCRED-11', 'integer'],
]

const isOf = (type: 'text' | 'list' | 'integer', value: Json | undefined): boolean =>
  type === 'integer' ? Number.isInteger(value) : typeof value === 'string' || (type === 'list' && Array.isArray(value))

/** What a member says, whichever way it is spelled. */
const meant = (type: 'text' | 'list' | 'integer', value: Json | undefined): unknown =>
  type === 'list' ? entries(value) : type === 'integer' ? Number(value) : String(value).trim()

check(
  'ssh/dynamic-credential-values',
  [...MEMBERS.map(([, clause]) => clause), 'SSH-DYNCRED-07', 'SSH-DYNCRED-10', 'SSH-DYNCRED-16'],
  'a dynamic credential shows the parameters of its role',
  onHost,
  async ({ bench, expect }) => {
    const own: JsonObject = {
      allowed_users: LISTED,
      exclude_cidr_list: '192.0.2.0/24',
      key_option_specs: 'no-pty',
      install_script: '#!/bin/sh\ntrue\n',
    }
    const fields = await dynamicFields(bench, own)
    const credential = await askForKey(bench, await roleWith(bench, fields))
    expect(credential).toSucceed()
    await bench.decide('SSH-DYNCRED-07', () => expect(typeof credential.data.key, 'type of the key').toBe('string'))
    await bench.decide('SSH-DYNCRED-10', () => expect(credential.data.key_type).toBe('dynamic'))
    for (const [member, clause, type] of MEMBERS) {
      const value = credential.data[member]
      await bench.decide(clause, () => expect(isOf(type, value), `${member} is ${type}`).toBe(true))
      await bench.decide('SSH-DYNCRED-16', () => expect(meant(type, value), member).toEqual(meant(type, fields[member])))
    }
  },
)
