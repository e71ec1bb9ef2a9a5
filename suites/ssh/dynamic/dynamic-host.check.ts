import { check, gateTo, isBackendFailure, sparingOne, sshOracle } from '../../../harness/checks/index.ts'
import { roleWith, userPair } from '../fixtures.ts'
import { login, onHost, ownMountOnHost } from '../host.ts'
import { rsaPair } from '../rsa-keys.ts'
import {
  administratorsLine,
  askForKey,
  dynamicFields,
  dynamicRole,
  endCredential,
  issuedPair,
  loginWith,
  registeredKey,
} from './dynamic-keys.ts'

check(
  'ssh/dynamic-unregistered-key',
  'SSH-KEYNAME-03',
  'a role without a registered key issues nothing',
  onHost,
  async ({ bench, expect }) => {
    const name = bench.mixedName('dynamic')
    const body = await dynamicFields(bench, { key: bench.fresh('nobody') })
    const written = await bench.call('ssh.writeRole', { path: { name }, body })
    if (!written.ok) expect(written).toBeRefused()
    else {
      const { status } = await askForKey(bench, name)
      expect(isBackendFailure(status), `a key that is not registered; it was ${status}`).toBe(true)
    }
    const known = await dynamicRole(bench)
    expect(await askForKey(bench, known), 'with a registered key').toSucceed()
  },
)

check(
  'ssh/dynamic-unknown-key',
  ['SSH-KEYNAME-04', 'SSH-KEY-06', 'SSH-KEY-09', 'SSH-KEY-04'],
  'the registered key is what opens the way to the host',
  onHost,
  async ({ bench, expect }) => {
    const key = await registeredKey(bench, userPair().privateKey)
    const role = await dynamicRole(bench, { key })
    await bench.decide('SSH-KEYNAME-04', async () => {
      const refused = await askForKey(bench, role)
      expect(isBackendFailure(refused.status), `a key that the host does not know; it was ${refused.status}`).toBe(true)
    })
    const path = { name: key }
    const mended = await bench.call('ssh.writeKey', { path, body: { key: bench.backend('sshd').extra.adminKey ?? '' } })
    // A role whose request failed once need not serve again.
    const another = await dynamicRole(bench, { key })
    const issued = await askForKey(bench, another)
    await bench.decide('SSH-KEY-06', () => {
      expect(mended, 'another key under the name').toSucceed()
      expect(issued, 'a credential by the other key').toSucceed()
    })
    // Whether a name may be given again is one thing, what counts once it was is another.
    await bench.decide('SSH-KEY-09', () => (mended.ok ? expect(issued, 'by the key sent last').toSucceed() : expect(mended).toBeRefused()))
    if (!issued.ok) return
    await bench.decide('SSH-KEY-04', async () => {
      await bench.call('ssh.writeKey', { path, body: { key: 'no key at all' }, invalid: true })
      expect(await askForKey(bench, another), 'after a key was refused').toSucceed()
    })
    const unknown = await bench.call('ssh.writeKey', { path, body: { key: userPair().privateKey } })
    await bench.decide('SSH-KEY-09', async () => {
      if (!unknown.ok) return expect(unknown).toBeRefused()
      const answer = await askForKey(bench, another)
      expect(isBackendFailure(answer.status), `the key sent last is unknown to the host; it was ${answer.status}`).toBe(true)
    })
  },
)

check('ssh/dynamic-deleted-key', 'SSH-KEY-05', 'a deleted key opens the way to the host no more', onHost, async ({ bench, expect }) => {
  const gone = await registeredKey(bench)
  // Names that go on after that of the key, one that it goes on after, and another; one that ends in a hyphen may be refused.
  const key = bench.backend('sshd').extra.adminKey ?? ''
  const kept = [`${gone}-2`, `${gone}a`, gone.slice(0, -2), await registeredKey(bench)]
  for (const name of kept) await bench.given('ssh.writeKey', { path: { name }, body: { key } })
  const bad = await dynamicRole(bench, { key: gone })
  const good: string[] = []
  for (const name of kept) good.push(await dynamicRole(bench, { key: name }))
  expect(await askForKey(bench, bad), 'before').toSucceed()
  expect(await bench.call('ssh.deleteKey', { path: { name: gone } })).toSucceed()
  const refused = await askForKey(bench, bad)
  expect(isBackendFailure(refused.status), `a key that was deleted; it was ${refused.status}`).toBe(true)
  for (const [at, role] of good.entries()) expect(await askForKey(bench, role), `the key ${kept[at]}, which was not`).toSucceed()
})

check(
  'ssh/dynamic-shared-key',
  'SSH-APART-01',
  'a role that goes, and another name for its key, leave the key to the others',
  onHost,
  async ({ bench, expect }) => {
    const key = await registeredKey(bench)
    const gone = await dynamicRole(bench, { key })
    const kept = [await dynamicRole(bench, { key }), await dynamicRole(bench, { key })]
    await bench.given('ssh.deleteRole', { path: { name: gone } })
    // The same key once more, by a name of its own.
    await registeredKey(bench)
    // A host that is slow for a moment says nothing of the key.
    const spared = sparingOne()
    for (const role of kept) expect(await spared(() => askForKey(bench, role)), 'a role of the same key').toSucceed()
  },
)

check(
  'ssh/dynamic-key-elsewhere',
  'SSH-APART-01',
  'a registered key of another mount has nothing but its name in common with the one that a role uses',
  { needs: { ...onHost.needs, mounts: { ssh: { type: 'ssh' }, other: { type: 'ssh' } } } },
  async ({ bench, expect }) => {
    const key = await registeredKey(bench)
    const role = await dynamicRole(bench, { key })
    const elsewhere = { path: { name: key }, mount: 'other' }
    const spared = sparingOne()
    const works = async (when: string) => expect(await spared(() => askForKey(bench, role)), `a role of the key, ${when}`).toSucceed()
    await bench.given('ssh.writeKey', { ...elsewhere, body: { key: rsaPair('caOther').privateKey } })
    await works('once another mount has one of that name')
    await bench.given('ssh.deleteKey', elsewhere)
    await works('once that was deleted')
  },
)

check(
  'ssh/dynamic-zero-address',
  ['SSH-ZERO-03', 'SSH-ZERO-04'],
  'the blocks of a zero-address role do not bind its dynamic credentials',
  ownMountOnHost,
  async ({ bench, expect }) => {
    const host = `${bench.backend('sshd').targetHost}/32`
    const [outside, excluded] = [
      await dynamicRole(bench, { cidr_list: '192.0.2.0/24' }),
      await dynamicRole(bench, { cidr_list: host, exclude_cidr_list: host }),
    ]
    for (const role of [outside, excluded]) expect(await askForKey(bench, role), 'before it is on the list').toBeRefused()
    await bench.given('ssh.writeZeroAddress', { body: { roles: `${outside},${excluded}` } })
    await bench.decide('SSH-ZERO-03', async () => expect(await askForKey(bench, outside), 'outside its blocks').toSucceed())
    await bench.decide('SSH-ZERO-04', async () => expect(await askForKey(bench, excluded), 'in its excluded block').toSucceed())
  },
)

check('ssh/dynamic-administrator', 'SSH-ADMIN-03', 'the host is entered as admin_user', onHost, async ({ bench, expect }) => {
  const { username } = bench.backend('sshd')
  const stranger = await dynamicRole(bench, { admin_user: bench.fresh('nobody') })
  const refused = await askForKey(bench, stranger)
  expect(isBackendFailure(refused.status), `an administrator that the host does not know; it was ${refused.status}`).toBe(true)
  const role = await dynamicRole(bench, { default_user: bench.fresh('nobody') })
  expect(await askForKey(bench, role, { username }), 'the right administrator').toSucceed()
})

check('ssh/dynamic-port', 'SSH-PORT-05', "the host is entered at the role's port", onHost, async ({ bench, expect }) => {
  // A host that is slow for a moment says nothing of the port: then another port is tried, which the target has not seen either.
  const asked = async () => {
    const gate = await gateTo(bench, bench.backend('sshd'))
    return askForKey(bench, await dynamicRole(bench, { port: gate.port }))
  }
  const first = await asked()
  const credential = first.ok ? first : await asked()
  expect(credential, 'through the port').toSucceed()
  expect(await loginWith(bench, credential)).toMatchObject({ accepted: true })
})

check(
  'ssh/dynamic-outage',
  ['SSH-DYNCRED-15', 'SSH-DYNCRED-17'],
  'without its host a role issues nothing, and issues again once it is back',
  onHost,
  async ({ bench, expect }) => {
    const gate = await gateTo(bench, bench.backend('sshd'))
    const role = await dynamicRole(bench, { port: gate.port })
    expect(await askForKey(bench, role), 'a request while the host is there').toSucceed()
    await gate.shut()
    const away = await askForKey(bench, role)
    await bench.decide('SSH-DYNCRED-15', () => {
      expect(isBackendFailure(away.status), `4xx, 500 or 502; it was ${away.status}`).toBe(true)
      expect(away.data.key, 'the key').toBeUndefined()
    })
    await gate.open()
    await bench.decide('SSH-DYNCRED-17', async () => void (await bench.eventually(async () => (await askForKey(bench, role)).ok)))
  },
)

check(
  'ssh/dynamic-key-bits',
  ['SSH-BITS-01', 'SSH-BITS-02', 'SSH-DYNCRED-14'],
  'dynamic keys are RSA keys of the length that the role says, each its own',
  onHost,
  async ({ bench, expect }) => {
    const fields = await dynamicFields(bench)
    const { key_bits: _, ...unsaid } = fields
    const [short, long] = [await roleWith(bench, unsaid), await roleWith(bench, fields)]
    const facts = async (role: string) => {
      const answer = await askForKey(bench, role)
      expect(answer).toSucceed()
      return sshOracle.keyFacts(issuedPair(answer).publicKey)
    }
    await bench.decide('SSH-BITS-01', async () => expect(await facts(short)).toMatchObject({ kind: 'rsa', bits: 1024 }))
    const first = await facts(long)
    await bench.decide('SSH-BITS-02', () => expect(first).toMatchObject({ kind: 'rsa', bits: 2048 }))
    await bench.decide('SSH-DYNCRED-14', async () => expect((await facts(long)).fingerprint).not.toBe(first.fingerprint))
  },
)

check(
  'ssh/dynamic-key-opens',
  ['SSH-DYNCRED-12', 'SSH-KEY-07'],
  "the role's script installs the key that was issued",
  onHost,
  async ({ bench, expect }) => {
    const credential = await askForKey(bench, await dynamicRole(bench))
    await bench.decide('SSH-DYNCRED-12', async () => {
      expect(credential).toSucceed()
      expect(await loginWith(bench, credential)).toMatchObject({ accepted: true, output: 'assay-session\n' })
    })
    await bench.decide('SSH-KEY-07', () =>
      expect(credential.text.includes(administratorsLine(bench)), 'the registered key is in the answer').toBe(false),
    )
  },
)

check(
  'ssh/dynamic-own-script',
  ['SSH-SCRIPT-02', 'SSH-SCRIPT-03'],
  "the role's script runs when a key comes and when it goes",
  { needs: { ...onHost.needs, features: ['leases'] } },
  async ({ bench, expect }) => {
    const host = bench.backend('sshd')
    const folder = (await sshOracle.onHost(host, 'mktemp -d')).trim()
    bench.defer(() => sshOracle.onHost(host, `rm -rf '${folder}'`))
    const runs = async (): Promise<number> => Number(await sshOracle.onHost(host, `cat '${folder}/runs' 2>/dev/null | wc -l`))
    const install_script = `#!/bin/sh\necho run >> '${folder}/runs'\n`
    const credential = await askForKey(bench, await dynamicRole(bench, { install_script }))
    await bench.decide('SSH-SCRIPT-02', async () => {
      expect(credential).toSucceed()
      expect(await runs(), 'runs of the script').toBeGreaterThan(0)
      expect(await login(bench, issuedPair(credential)), 'what the built-in script would have installed').toMatchObject({ accepted: false })
    })
    const before = await runs()
    await endCredential(bench, credential)
    await bench.decide('SSH-SCRIPT-03', async () => {
      await bench.eventually(async () => (await runs()) > before, { because: 'the credential was revoked' })
    })
  },
)
