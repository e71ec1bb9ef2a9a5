/** Intermediate CAs, signed for certificate requests. */
import {
  type CertificateFacts,
  type CheckContext,
  certificateRequest,
  check,
  forgedRequest,
  judgeCertificate,
  pathProblem,
  requestPublicKey,
} from '../../../harness/checks/index.ts'
import {
  caAsServed,
  newRoot,
  ownAuthority,
  ownMount,
  pemBlocks,
  sameText,
  signIntermediate,
  withIntermediate,
  withUnlimited,
} from '../fixtures.ts'

check(
  'pki/intermediate',
  ['PKI-INTER-01', 'PKI-INTER-05', 'PKI-INTER-06'],
  'a signed intermediate is a CA for the key of the request',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    const root = await withUnlimited(bench)
    const name = bench.fresh('below')
    const request = { commonName: 'Name of the request', subject: { O: 'Organization of the request' } }
    const { facts } = await signIntermediate(context, { common_name: name }, request)
    for (const key of ['ec256', 'ec384', 'rsa2048'] as const)
      await bench.decide('PKI-INTER-01', async () => {
        const { facts, certificate } = await signIntermediate(context, {}, { key })
        expect(facts.basicConstraints?.ca, key).toBe(true)
        if (facts.keyUsage !== undefined) expect(facts.keyUsage, key).toContain('keyCertSign')
        expect(facts.publicKey, key).toBe(requestPublicKey(await certificateRequest({ commonName: 'a', key })))
        expect(await pathProblem(bench, certificate, [root]), key).toBe(undefined)
      })
    await bench.decide('PKI-INTER-05', () => {
      expect(facts.subject.CN).toEqual([name])
      expect(facts.subject.O ?? []).not.toContain('Organization of the request')
    })
    await bench.decide('PKI-INTER-06', () => expect(facts.basicConstraints?.pathLength).toBe(undefined))
  },
)

check(
  'pki/intermediate-csr',
  ['PKI-INTER-02', 'PKI-INTER-03', 'PKI-INTER-04'],
  'an intermediate needs a valid request',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withUnlimited(bench)
    const csr = await certificateRequest({ commonName: 'a' })
    const good = { common_name: bench.fresh('below'), ttl: '24h', csr }
    const refused = (bad: object) =>
      bench.refuses('pki.signIntermediate', { bad: { body: bad as typeof good }, control: { body: good }, unchanged: caAsServed(bench) })
    await bench.decide('PKI-INTER-02', async () => {
      expect(await bench.call('pki.signIntermediate', { body: { common_name: good.common_name, ttl: '24h' }, invalid: true })).toBeRefused()
      await refused({ ...good, csr: { pem: csr } })
    })
    await bench.decide('PKI-INTER-03', async () => {
      for (const text of ['no PEM', csr.slice(0, csr.length / 2), csr.replace(/\n[^\n]{64}\n/, '\n')]) await refused({ ...good, csr: text })
    })
    await bench.decide('PKI-INTER-04', async () => {
      await refused({ ...good, csr: await forgedRequest({ commonName: 'a' }) })
    })
  },
)

check(
  'pki/intermediate-common-name',
  ['PKI-INTER-20', 'PKI-INTER-25'],
  'an intermediate needs a common name',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withUnlimited(bench)
    const body = { csr: await certificateRequest({}), ttl: '24h' }
    await bench.decide('PKI-INTER-20', async () => {
      expect(await bench.call('pki.signIntermediate', { body })).toBeRefused()
      expect(await bench.call('pki.signIntermediate', { body: { ...body, common_name: bench.fresh('below') } })).toSucceed()
    })
    const named = { body: { ...body, csr: await certificateRequest({ commonName: 'a' }) }, observing: true }
    bench.observe('PKI-INTER-25', (await bench.call('pki.signIntermediate', named)).status)
  },
)

const TIME_STAMPING = '1.3.6.1.5.5.7.3.8'
const PRIVATE = { oid: '1.3.6.1.4.1.99999.42', value: '0c0568656c6c6f' }

/** Alternative names of every kind. */
const names = {
  dns: ['request.example.com'],
  email: ['someone@example.com'],
  ip: ['192.0.2.1', '2001:db8::1'],
  uri: ['spiffe://request/a'],
  principal: ['someone'],
}

const rich = {
  commonName: 'Name of the request',
  subject: { O: 'Organization of the request' },
  ...names,
  keyUsage: ['digitalSignature' as const],
  extendedKeyUsage: [TIME_STAMPING],
  extension: PRIVATE,
}

const expectNames = ({ expect }: CheckContext, { other, ...facts }: CertificateFacts): void => {
  const found = { ...facts, principal: other.map(({ value }) => value) }
  for (const kind of ['dns', 'email', 'ip', 'uri', 'principal'] as const)
    for (const name of names[kind]) expect(found[kind], kind).toContain(name)
}

check(
  'pki/intermediate-csr-values',
  ['PKI-INTER-12', 'PKI-INTER-13', 'PKI-INTER-14'],
  'with use_csr_values the values of the request are in the certificate',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withUnlimited(bench)
    // Which common name counts is open: both have the same.
    const { facts } = await signIntermediate(context, { use_csr_values: true, common_name: rich.commonName }, rich)
    await bench.decide('PKI-INTER-12', () => {
      expect(facts.subject.CN).toEqual(['Name of the request'])
      expect(facts.subject.O).toContain('Organization of the request')
      expectNames(context, facts)
    })
    await bench.decide('PKI-INTER-13', () => {
      expect(facts.keyUsage).toContain('digitalSignature')
      expect(facts.keyUsage).toContain('keyCertSign')
    })
    await bench.decide('PKI-INTER-14', () => expect(facts.extensions).toContain(PRIVATE.oid))
    // Values of the body beside them take none away; whether they come too is open.
    const beside = { use_csr_values: true, alt_names: 'body.example.com', ip_sans: '192.0.2.9', organization: 'Organization of the body' }
    const { facts: both } = await signIntermediate(context, beside, { ...rich, extension: { ...PRIVATE, critical: true } })
    await bench.decide('PKI-INTER-12', () => {
      expect(both.subject.O, 'organizations').toContain('Organization of the request')
      expectNames(context, both)
    })
    await bench.decide('PKI-INTER-14', () =>
      expect([facts, both].map(({ extensionValues }) => extensionValues[PRIVATE.oid])).toEqual([
        PRIVATE.value,
        `critical ${PRIVATE.value}`,
      ]),
    )
  },
)

check(
  'pki/intermediate-csr-values-unused',
  'PKI-INTER-11',
  'without use_csr_values the values of the request are not in the certificate',
  { needs: ownMount },
  async (context) => {
    await withUnlimited(context.bench)
    const { facts } = await signIntermediate(context, {}, rich)
    context.expect(facts.dns).not.toContain('request.example.com')
    context.expect([facts.email, facts.ip, facts.uri, facts.other]).toEqual([[], [], [], []])
    context.expect(facts.extensions).not.toContain(PRIVATE.oid)
  },
)

check('pki/intermediate-der', 'PKI-INTER-17', 'der gives base64 of DER', { needs: ownMount }, async ({ bench, expect }) => {
  await withUnlimited(bench)
  const body = { csr: await certificateRequest({ commonName: 'a' }), common_name: bench.fresh('below'), ttl: '24h' }
  const der = await bench.call('pki.signIntermediate', { body: { ...body, format: 'der' } })
  expect(der).toSucceed()
  expect(Buffer.from(String(der.data.certificate), 'base64')[0]).toBe(0x30)
})

check(
  'pki/intermediate-bundle',
  'PKI-INTER-23',
  'a bundle holds an issuing CA other than a root',
  { needs: ownAuthority },
  async ({ bench, expect }) => {
    const { certificate } = await withIntermediate(bench)
    const body = { csr: await certificateRequest({ commonName: 'a' }), common_name: bench.fresh('below'), ttl: '24h' }
    const bundle = await bench.call('pki.signIntermediate', { body: { ...body, format: 'pem_bundle' } })
    expect(bundle).toSucceed()
    const blocks = pemBlocks(String(bundle.data.certificate)).map(sameText)
    expect(blocks.length).toBeGreaterThanOrEqual(2)
    expect(blocks).toContain(sameText(certificate))
  },
)

check(
  'pki/intermediate-names',
  ['PKI-INTER-18', 'PKI-INTER-21', 'PKI-INTER-22', 'PKI-INTER-27'],
  'names of the body are in the certificate, the common name unless excluded',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withUnlimited(bench)
    const body = {
      common_name: 'ca.example.com',
      alt_names: 'other.example.com,ca@example.com',
      uri_sans: 'spiffe://ca,https://ca.example.com/a',
    }
    const plain = await signIntermediate(context, body)
    await bench.decide('PKI-INTER-21', () => {
      expect([...plain.facts.dns].sort()).toEqual(['ca.example.com', 'other.example.com'])
      expect(plain.facts.email).toEqual(['ca@example.com'])
      expect([...plain.facts.uri].sort()).toEqual(['https://ca.example.com/a', 'spiffe://ca'])
    })
    await bench.decide('PKI-INTER-27', async () => {
      const { facts } = await signIntermediate(context, { ip_sans: '10.1.2.3,2001:db8::1' })
      expect([...facts.ip].sort()).toEqual(['10.1.2.3', '2001:db8::1'])
    })
    await bench.decide('PKI-INTER-22', async () => {
      const { facts } = await signIntermediate(context, { other_sans: '1.3.6.1.4.1.311.20.2.3;UTF8:someone' })
      expect(facts.other).toEqual([{ oid: '1.3.6.1.4.1.311.20.2.3', value: 'someone', utf8: true }])
    })
    await bench.decide('PKI-INTER-18', async () => {
      const { facts } = await signIntermediate(context, { ...body, exclude_cn_from_sans: 'true' })
      expect(facts.dns).toEqual(['other.example.com'])
      // The parameter is a string: what is taken for false leaves the name where it is.
      for (const exclude_cn_from_sans of ['false', false]) {
        const csr = await certificateRequest({ commonName: 'a' })
        const answer = await bench.call('pki.signIntermediate', { body: { ...body, csr, ttl: '24h', exclude_cn_from_sans } })
        if (!answer.ok) continue
        const kept = await judgeCertificate(bench, String(answer.data.certificate))
        expect(kept.dns, `names with exclude_cn_from_sans ${JSON.stringify(exclude_cn_from_sans)}`).toContain('ca.example.com')
      }
    })
  },
)

check('pki/chains', 'PKI-INTER-19', 'chains of two and three levels verify', { needs: ownAuthority }, async (context) => {
  const { bench, expect } = context
  const root = await newRoot(bench, { key_type: 'rsa', key_bits: 2048 })
  const below = await signIntermediate(context, { max_path_length: 1 })
  expect(await pathProblem(bench, below.certificate, [root])).toBe(undefined)
  // A supplied intermediate signs the third level.
  const { certificate, root: upper } = await withIntermediate(bench)
  const lowest = await signIntermediate(context)
  expect(await pathProblem(bench, lowest.certificate, [certificate, upper])).toBe(undefined)
})
