import { type Bench, type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
import { roleWith } from '../fixtures.ts'
import { login, onHost } from '../host.ts'
import { askForKey, builtInFields, dynamicFields, endCredential, issuedPair, loginWith, onOwnHost, usersOf } from './dynamic-keys.ts'

const withLeases = (needs: { backends: string[] }) => ({ needs: { ...needs, features: ['leases' as const] }, waits: true })

/** Of two keys of a user one ends, and after its role the other. */
const keysEnd = async (
  { bench, expect }: CheckContext,
  user: string,
  fieldsOf: (bench: Bench, options: JsonObject) => Promise<JsonObject>,
) => {
  const opened = { accepted: true }
  const roles: JsonObject[] = [{}, { key_option_specs: 'no-pty,no-X11-forwarding' }]
  for (const options of roles) {
    const role = await roleWith(bench, await fieldsOf(bench, options))
    const [ended, kept] = [await askForKey(bench, role), await askForKey(bench, role)]
    const closed = (key: typeof kept, because: string) =>
      bench.eventually(async () => !(await login(bench, { ...issuedPair(key), user })).accepted, { because })
    if (!ended.ok || !kept.ok) bench.blocked('no key was issued', 'see the checks of `install_script` first')
    expect(await loginWith(bench, ended, { user }), 'before').toMatchObject(opened)
    await endCredential(bench, ended)
    await closed(ended, 'the credential was revoked')
    expect(await loginWith(bench, kept, { user }), 'the other key').toMatchObject(opened)
    await bench.given('ssh.deleteRole', { path: { name: role } })
    await endCredential(bench, kept)
    await closed(kept, 'it was revoked after its role was deleted')
  }
}

check(
  'ssh/dynamic-key-ends',
  'SSH-DYNCRED-13',
  "a key that the role's script installed opens nothing after the end of its credential, and others still do",
  withLeases(onHost.needs),
  (context) => keysEnd(context, context.bench.backend('sshd').username, dynamicFields),
)

check(
  'ssh/built-in-script-ends',
  'SSH-DYNCRED-13',
  'a key that the built-in script installed opens nothing after the end of its credential, and others still do',
  withLeases(onOwnHost.needs),
  (context) => {
    const [user] = usersOf(context.bench)
    return keysEnd(context, user!, (bench, options) => builtInFields(bench, user!, options))
  },
)
