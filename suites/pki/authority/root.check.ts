/** Generating roots. */
import { check, judgeCertificate, pathProblem, privateKeyForm, publicKeyOf, targetNow } from '../../../harness/checks/index.ts'
import {
  caAsServed,
  emptyMounts,
  generateRoot,
  issue,
  openRole,
  ownAuthority,
  pemBlocks,
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
      expect(facts.keyUsage).toContain('keyCertSign')
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
    const answer = await bench.call('pki.generateRoot', rootWanted(bench, formats))
    expect(answer).toSucceed()
    const role = await openRole(bench)
    const bundle = await bench.call('pki.issue', { path: { name: role }, body: { common_name: 'www.example.com' } })
    const ca = await judgeCertificate(bench, String(answer.data.issuing_ca))
    expect(answer.text).not.toContain('PRIVATE KEY')
    expect(publicKeyOf(String(bundle.data.private_key))).not.toBe(ca.publicKey)
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

check('pki/root-kept', 'PKI-ROOT-06', 'an existing CA is not overwritten', { needs: ownAuthority }, async ({ bench, expect }) => {
  await withRoot(bench)
  const before = await caAsServed(bench)()
  for (const type of ['internal', 'exported']) {
    const answer = await bench.call('pki.generateRoot', { path: { type }, body: { common_name: bench.fresh('second'), ...quickKey } })
    if (answer.ok) expect(Object.keys(answer.data).filter((field) => field === 'certificate' || field === 'private_key')).toEqual([])
    else expect(answer).toBeRefused()
    expect(await caAsServed(bench)()).toEqual(before)
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
  'pki/root-path-length',
  'PKI-ROOT-15',
  'a path length is in the certificate, zero included',
  { needs: emptyMounts },
  async ({ bench, expect }) => {
    for (const length of [0, 3]) {
      const mount = await bench.mount('pki', { exclusive: true })
      const body = { common_name: bench.fresh('root'), ...quickKey, max_path_length: length }
      const answer = await bench.call('pki.generateRoot', { path: { type: 'internal' }, body, mount })
      expect(answer).toSucceed()
      expect((await judgeCertificate(bench, String(answer.data.certificate))).basicConstraints?.pathLength).toBe(length)
    }
  },
)

check(
  'pki/root-permitted-domains',
  'PKI-ROOT-16',
  'permitted domains constrain the names below',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const { facts, certificate } = await generateRoot(context, { permitted_dns_domains: 'one.example,two.example' })
    expect([...facts.permittedDns].sort()).toEqual(['one.example', 'two.example'])
    const role = await openRole(bench)
    const inside = await issue(context, role, { common_name: 'a.one.example' })
    expect(await pathProblem(bench, inside.certificate, [certificate])).toBe(undefined)
  },
)

check(
  'pki/root-ttl',
  'PKI-ROOT-17',
  'the requested ttl is the lifetime, within the maximum',
  { needs: emptyMounts },
  async ({ bench, expect }) => {
    for (const [ttl, lifetime] of [
      ['10h', 36_000],
      ['200000h', 24 * 3600],
    ] as const) {
      const mount = await bench.mount('pki', { exclusive: true, config: { maxLeaseTtl: 24 * 3600 } })
      const body = { common_name: bench.fresh('root'), ...quickKey, ttl }
      const asked = targetNow(bench)
      const answer = await bench.call('pki.generateRoot', { path: { type: 'internal' }, body, mount })
      const answered = targetNow(bench)
      if (ttl === '10h') expect(answer).toSucceed()
      if (!answer.ok) {
        expect(answer).toBeRefused()
        continue
      }
      const { notAfter } = await judgeCertificate(bench, String(answer.data.certificate))
      expect(notAfter).toBeLessThan(answered + lifetime + 60)
      if (ttl === '10h') expect(notAfter).toBeGreaterThan(asked + lifetime - 60)
    }
  },
)

check(
  'pki/root-names',
  ['PKI-ROOT-19', 'PKI-ROOT-22'],
  'names are in the certificate, the common name unless excluded',
  { needs: emptyMounts },
  async (context) => {
    const { bench, expect } = context
    const body = {
      common_name: 'ca.example.com',
      alt_names: 'other.example.com,ca@example.com',
      ip_sans: '10.1.2.3',
      uri_sans: 'spiffe://ca',
    }
    const { facts } = await generateRoot(context, body)
    await bench.decide('PKI-ROOT-19', () => {
      expect(facts.subject.CN).toEqual(['ca.example.com'])
      expect([...facts.dns].sort()).toEqual(['ca.example.com', 'other.example.com'])
      expect([facts.email, facts.ip, facts.uri]).toEqual([['ca@example.com'], ['10.1.2.3'], ['spiffe://ca']])
    })
    await bench.decide('PKI-ROOT-22', async () => {
      const mount = await bench.mount('pki', { exclusive: true })
      const fields = { ...quickKey, ...body, exclude_cn_from_sans: true }
      const answer = await bench.call('pki.generateRoot', { path: { type: 'internal' }, body: fields, mount })
      expect(answer).toSucceed()
      expect((await judgeCertificate(bench, String(answer.data.certificate))).dns).toEqual(['other.example.com'])
    })
  },
)

check('pki/root-other-names', 'PKI-ROOT-24', 'other names of a root are in the certificate', { needs: ownAuthority }, async (context) => {
  const { facts } = await generateRoot(context, { other_sans: '1.3.6.1.4.1.311.20.2.3;UTF8:someone' })
  context.expect(facts.other).toEqual([{ oid: '1.3.6.1.4.1.311.20.2.3', value: 'someone', utf8: true }])
})

check('pki/root-formats', 'PKI-ROOT-20', 'a root comes in every format', { needs: emptyMounts }, async ({ bench, expect }) => {
  const answers = new Map<string, Record<string, unknown>>()
  for (const format of ['der', 'pem_bundle']) {
    const mount = await bench.mount('pki', { exclusive: true })
    const body = { common_name: bench.fresh('root'), ...quickKey, format }
    const answer = await bench.call('pki.generateRoot', { path: { type: 'exported' }, body, mount })
    expect(answer).toSucceed()
    answers.set(format, answer.data)
  }
  const der = answers.get('der')!
  expect(Buffer.from(String(der.certificate), 'base64')[0]).toBe(0x30)
  expect(privateKeyForm(Buffer.from(String(der.private_key), 'base64'))).toBe('sec1')
  const blocks = pemBlocks(String(answers.get('pem_bundle')!.certificate))
  expect(blocks.filter((block) => block.includes('BEGIN CERTIFICATE'))).toHaveLength(1)
  expect(blocks.some((block) => block.includes('PRIVATE KEY'))).toBe(true)
})

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
