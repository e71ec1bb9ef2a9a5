import { check, type JsonObject } from '../../harness/checks/index.ts'
import { roleWith } from './fixtures.ts'
import { askForKey, dynamicFields, dynamicRole, issuedPair, login, onHost } from './host.ts'

check(
  'ssh/dynamic-users',
  ['SSH-USERS-12', 'SSH-USERS-13'],
  'a list of users bounds a dynamic role, and an empty one does not',
  onHost,
  async ({ bench, expect }) => {
    const { username, targetHost: ip } = bench.backend('sshd')
    const listed = await dynamicRole(bench, { allowed_users: 'somebody,someone' })
    await bench.decide('SSH-USERS-12', async () => {
      for (const stranger of ['stranger', 'some', 'somebody,someone'])
        expect(await bench.call('ssh.createCredential', { path: { name: listed }, body: { ip, username: stranger } })).toBeRefused()
      expect(await askForKey(bench, listed), 'the default user').toSucceed()
    })
    const open = await dynamicRole(bench, { default_user: bench.fresh('nobody') })
    await bench.decide('SSH-USERS-13', async () => {
      const credential = await askForKey(bench, open, { username })
      expect(credential, 'the administrator').toSucceed()
      expect(await login(bench, issuedPair(credential))).toMatchObject({ accepted: true })
    })
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
      const outcome = await login(bench, { privateKey: issuedPair(credential).privateKey, command: 'echo mine' })
      expect(outcome).toMatchObject({ accepted: true, output: 'forced\n' })
    })
    const body = await dynamicFields(bench, { key_option_specs: 'no-such-option,neither="this one"' })
    await bench.decide('SSH-OPTSPEC-02', async () =>
      expect(await bench.call('ssh.writeRole', { path: { name: bench.fresh('dynamic') }, body })).toSucceed(),
    )
  },
)

check(
  'ssh/dynamic-credential-values',
  ['01', '02', '03', '04', '05', '06', '08', '09', '10', '11'].map((number) => `SSH-DYNCRED-${number}`),
  'a dynamic credential shows the parameters of its role',
  onHost,
  async ({ bench, expect }) => {
    const own: JsonObject = {
      allowed_users: 'somebody',
      exclude_cidr_list: '192.0.2.0/24',
      key_option_specs: 'no-pty',
      install_script: '#!/bin/sh\ntrue\n',
    }
    const fields = await dynamicFields(bench, own)
    const credential = await askForKey(bench, await roleWith(bench, fields))
    expect(credential).toSucceed()
    const members = {
      admin_user: '01',
      allowed_users: '02',
      cidr_list: '03',
      default_user: '04',
      exclude_cidr_list: '05',
      install_script: '06',
      key_bits: '08',
      key_option_specs: '09',
      key_type: '10',
      port: '11',
    }
    for (const [member, number] of Object.entries(members))
      await bench.decide(`SSH-DYNCRED-${number}`, () => expect(credential.data[member], member).toEqual(fields[member]))
  },
)
