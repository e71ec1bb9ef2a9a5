/** Properties that a root is asked for with. */
import { check, judgeCertificate, pathProblem, privateKeyForm, targetNow } from '../../../harness/checks/index.ts'
import { emptyMounts, generateRoot, issue, openRole, ownAuthority, pemBlocks, quickKey } from '../fixtures.ts'

check(
  'pki/root-path-length',
  'PKI-ROOT-15',
  'a path length is in the certificate, zero included',
  { needs: emptyMounts },
  async ({ bench, expect }) => {
    for (const length of [0, 1, 3]) {
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
    const role = await openRole(bench)
    for (const permitted_dns_domains of [['one.example', 'two.example'], 'one.example,two.example']) {
      const { facts, certificate } = await generateRoot(context, { permitted_dns_domains })
      expect([...facts.permittedDns].sort(), JSON.stringify(permitted_dns_domains)).toEqual(['one.example', 'two.example'])
      const inside = await issue(context, role, { common_name: 'a.one.example' })
      expect(await pathProblem(bench, inside.certificate, [certificate])).toBe(undefined)
    }
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
      // What it is without one is not said, but for the maximum, which holds for it as well.
      [undefined, 24 * 3600],
      ['', 24 * 3600],
    ] as const) {
      const mount = await bench.mount('pki', { exclusive: true, config: { maxLeaseTtl: 24 * 3600 } })
      const body = { common_name: bench.fresh('root'), ...quickKey, ...(ttl === undefined ? {} : { ttl }) }
      const asked = targetNow(bench)
      const answer = await bench.call('pki.generateRoot', { path: { type: 'internal' }, body, mount })
      const answered = targetNow(bench)
      if (ttl === '10h') expect(answer).toSucceed()
      if (!answer.ok) {
        expect(answer).toBeRefused()
        continue
      }
      const { notAfter } = await judgeCertificate(bench, String(answer.data.certificate))
      expect(notAfter - answered, 'seconds of validity since the answer').toBeLessThan(lifetime + 60)
      if (ttl === '10h') expect(notAfter - asked, 'seconds of validity since the request').toBeGreaterThan(lifetime - 60)
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
      uri_sans: 'spiffe://ca,https://ca.example.com/a',
    }
    const { facts } = await generateRoot(context, body)
    await bench.decide('PKI-ROOT-19', () => {
      expect(facts.subject.CN).toEqual(['ca.example.com'])
      expect([...facts.dns].sort()).toEqual(['ca.example.com', 'other.example.com'])
      expect(facts.email).toEqual(['ca@example.com'])
      expect([...facts.uri].sort()).toEqual(['https://ca.example.com/a', 'spiffe://ca'])
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

check(
  'pki/root-other-names',
  ['PKI-ROOT-24', 'PKI-ROOT-27'],
  'other names and addresses of a root are in the certificate',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const names = { other_sans: '1.3.6.1.4.1.311.20.2.3;UTF8:someone', ip_sans: '10.1.2.3,2001:db8::1' }
    const { facts } = await generateRoot(context, names)
    await bench.decide('PKI-ROOT-24', () => expect(facts.other).toEqual([{ oid: '1.3.6.1.4.1.311.20.2.3', value: 'someone', utf8: true }]))
    await bench.decide('PKI-ROOT-27', () => expect([...facts.ip].sort()).toEqual(['10.1.2.3', '2001:db8::1']))
  },
)

check(
  'pki/root-formats',
  ['PKI-ROOT-20', 'PKI-ROOT-26'],
  'a root comes in every format',
  { needs: emptyMounts },
  async ({ bench, expect }) => {
    const answers = new Map<string, Record<string, unknown>>()
    for (const format of ['der', 'pem_bundle']) {
      const mount = await bench.mount('pki', { exclusive: true })
      const body = { common_name: bench.fresh('root'), ...quickKey, format }
      const answer = await bench.call('pki.generateRoot', { path: { type: 'exported' }, body, mount })
      await bench.decide('PKI-ROOT-20', () => expect(answer).toSucceed())
      answers.set(format, answer.data)
    }
    const der = answers.get('der')!
    const blocks = pemBlocks(String(answers.get('pem_bundle')!.certificate))
    await bench.decide('PKI-ROOT-20', () => {
      expect(Buffer.from(String(der.certificate), 'base64')[0]).toBe(0x30)
      expect(blocks.some((block) => block.includes('BEGIN CERTIFICATE'))).toBe(true)
      expect(blocks.some((block) => block.includes('PRIVATE KEY'))).toBe(true)
    })
    await bench.decide('PKI-ROOT-26', () => {
      const key = Buffer.from(String(der.private_key), 'base64')
      expect(key[0]).toBe(0x30)
      expect(privateKeyForm(key)).not.toBe('pkcs8')
      expect(blocks.filter((block) => block.includes('BEGIN CERTIFICATE'))).toHaveLength(1)
    })
  },
)
