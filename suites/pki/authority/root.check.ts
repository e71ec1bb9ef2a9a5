/** Generating roots. */
import { check, judgeCertificate, pathProblem, publicKeyOf } from '../../../harness/checks/index.ts'
import {
  caAsServed,
  generateRoot,
  issue,
  openRole,
  ownAuthority,
  plainSerial,
  quickKey,
  rootWanted,
  sameText,
  withoutRoot,
  withRoot,
} from '../fixtures.ts'

check(
  'pki/root',
  ['PKI-ROOT-01', 'PKI-ROOT-02', 'PKI-ROOT-03', 'PKI-ROOT-05', 'PKI-ROOT-14'],
  'a generated root is a self-signed CA',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const { answer, facts, certificate } = await generateRoot(context)
    await bench.decide('PKI-ROOT-01', async () => {
      expect(facts.basicConstraints?.ca).toBe(true)
      expect(facts.issuer).toEqual(facts.subject)
      // A certificate without key usages restricts nothing.
      if (facts.keyUsage !== undefined) expect(facts.keyUsage).toContain('keyCertSign')
      expect(await pathProblem(bench, certificate, [certificate])).toBe(undefined)
      expect(sameText((await bench.call('pki.readCaPem')).text)).toBe(sameText(certificate))
    })
    await bench.decide('PKI-ROOT-02', () => expect(sameText(answer.data.issuing_ca)).toBe(sameText(certificate)))
    await bench.decide('PKI-ROOT-03', () => expect(plainSerial(answer.data.serial_number)).toBe(facts.serial))
    await bench.decide('PKI-ROOT-05', () => {
      expect(answer.data.private_key ?? '').toBe('')
      expect(answer.text).not.toContain('PRIVATE KEY')
    })
    await bench.decide('PKI-ROOT-14', () => expect(facts.basicConstraints?.pathLength).toBe(undefined))
  },
)

check(
  'pki/root-internal-formats',
  'PKI-ROOT-05',
  'no format of an internal root holds its key',
  { kind: 'security', needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    await withoutRoot(bench)
    const formats = { format: 'pem_bundle', private_key_format: 'pkcs8' }
    for (const before of ['', 'exported']) {
      if (before !== '') {
        await bench.given('pki.deleteRoot')
        await bench.given('pki.generateRoot', { ...rootWanted(bench), path: { type: before } })
        await bench.given('pki.deleteRoot')
      }
      const answer = await bench.call('pki.generateRoot', rootWanted(bench, formats))
      expect(answer).toSucceed()
      const role = await openRole(bench)
      const bundle = await bench.call('pki.issue', { path: { name: role }, body: { common_name: 'www.example.com' } })
      const ca = await judgeCertificate(bench, String(answer.data.issuing_ca))
      expect(answer.text).not.toContain('PRIVATE KEY')
      expect(publicKeyOf(String(bundle.data.private_key))).not.toBe(ca.publicKey)
    }
  },
)

check(
  'pki/root-exported',
  ['PKI-ROOT-04', 'PKI-ROOT-21'],
  'an exported root comes with its key',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const { answer, facts } = await generateRoot(context, { private_key_format: 'pkcs8' }, 'exported')
    const key = String(answer.data.private_key ?? '')
    await bench.decide('PKI-ROOT-04', () => {
      expect(key).toContain('PRIVATE KEY')
      expect(publicKeyOf(key)).toBe(facts.publicKey)
    })
    await bench.decide('PKI-ROOT-21', () => expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----/))
  },
)

check('pki/root-kept', 'PKI-ROOT-06', 'an existing CA is not overwritten', { needs: ownAuthority }, async (context) => {
  const { bench, expect } = context
  const ca = await withRoot(bench)
  const role = await openRole(bench)
  await bench.given('pki.issue', { path: { name: role }, body: { common_name: 'www.example.com' } })
  const before = await caAsServed(bench)()
  for (const type of ['internal', 'exported']) {
    const answer = await bench.call('pki.generateRoot', { path: { type }, body: { common_name: bench.fresh('second'), ...quickKey } })
    if (answer.ok) expect(['certificate', 'private_key'].filter((field) => (answer.data[field] ?? '') !== '')).toEqual([])
    else expect(answer).toBeRefused()
    expect(await caAsServed(bench)()).toEqual(before)
    // The CA is a certificate and a key: the key that signs is still that of the certificate.
    expect(await pathProblem(bench, (await issue(context, role)).certificate, [ca]), `signed after type ${type}`).toBe(undefined)
  }
})

check('pki/root-type', 'PKI-ROOT-07', 'another type than exported and internal is refused', { needs: ownAuthority }, async ({ bench }) => {
  await withoutRoot(bench)
  const body = { common_name: bench.fresh('root'), ...quickKey }
  await bench.refuses('pki.generateRoot', {
    bad: { path: { type: 'public' }, body },
    control: { path: { type: 'internal' }, body },
    unchanged: caAsServed(bench),
  })
})

check(
  'pki/root-common-name',
  'PKI-ROOT-18',
  'a root needs a common name, as a string',
  { needs: ownAuthority },
  async ({ bench, expect }) => {
    await withoutRoot(bench)
    const before = await caAsServed(bench)()
    expect(await bench.call('pki.generateRoot', { path: { type: 'internal' }, body: { ...quickKey }, invalid: true })).toBeRefused()
    expect(await caAsServed(bench)()).toEqual(before)
    await bench.refuses('pki.generateRoot', {
      bad: { path: { type: 'internal' }, body: { ...quickKey, common_name: { text: 'root' } } },
      control: { path: { type: 'internal' }, body: { ...quickKey, common_name: bench.fresh('root') } },
      unchanged: caAsServed(bench),
    })
  },
)

check(
  'pki/root-race',
  'PKI-ROOT-23',
  'of concurrent generations one makes the CA',
  { kind: 'race', needs: ownAuthority },
  async ({ bench, expect }) => {
    await withoutRoot(bench)
    // RSA keys take their time: all requests are under way before the first one is done.
    const key = { key_type: 'rsa', key_bits: 2048 }
    const answers = await Promise.all(
      Array.from({ length: 6 }, () =>
        bench.call('pki.generateRoot', { path: { type: 'internal' }, body: { common_name: bench.fresh('root'), ...key } }),
      ),
    )
    const made = answers.filter(({ ok, data }) => ok && typeof data.certificate === 'string')
    expect(made).toHaveLength(1)
    expect(sameText((await bench.call('pki.readCaPem')).text)).toBe(sameText(made[0]!.data.certificate))
  },
)
