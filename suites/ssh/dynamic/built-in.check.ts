import { check } from '../../../harness/checks/index.ts'
import { roleWith } from '../fixtures.ts'
import { askForKey, builtInFields, loginWith, onOwnHost, usersOf } from './dynamic-keys.ts'

check(
  'ssh/built-in-script',
  ['SSH-SCRIPT-01', 'SSH-DYNCRED-12'],
  'the built-in script installs the key that was issued, for the user that was asked for',
  onOwnHost,
  async ({ bench, expect }) => {
    const [first, second] = usersOf(bench)
    const role = await roleWith(bench, await builtInFields(bench, first!, second === undefined ? {} : { allowed_users: second }))
    for (const user of [first!, second ?? first!]) {
      const credential = await askForKey(bench, role, user === first ? {} : { username: user })
      await bench.decide('SSH-SCRIPT-01', () => expect(credential, user).toSucceed())
      await bench.decide('SSH-DYNCRED-12', async () =>
        expect(await loginWith(bench, credential, { user }), user).toMatchObject({ accepted: true, output: 'assay-session\n' }),
      )
    }
  },
)
