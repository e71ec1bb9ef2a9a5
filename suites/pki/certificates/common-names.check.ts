/** The common name and the host names beside it. */
import { check } from '../../../harness/checks/index.ts'
import { COMMON_NAME } from '../authority/longest.ts'
import { ALLOWS_EMAIL, denied, issue, newRole, obtain, openRole, ownMount, sign, WAYS, withRoot } from '../fixtures.ts'
import { cn, one, subdomains } from './host-names.ts'

check(
  'pki/common-name',
  ['PKI-CN-01', 'PKI-CN-02', 'PKI-CN-03', 'PKI-CN-05'],
  'the common name is the one requested, checked, and among the alternative names',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const role = await subdomains(bench)
    const made = await issue(context, role, cn('a.one.example'))
    await bench.decide('PKI-CN-01', () => expect(made.facts.subject.CN).toEqual(['a.one.example']))
    await bench.decide('PKI-CN-03', () => expect([...new Set(made.facts.dns)]).toEqual(['a.one.example']))
    const open = await openRole(bench, { use_csr_common_name: false, use_csr_sans: false })
    for (const way of WAYS)
      for (const others of [
        ['ba.one.example', 'below.a.one.example'],
        ['one.example'],
        ['a.one.example'],
        ['b.one.example', 'a.one.example.org'],
      ]) {
        const { facts } = await obtain(context, way, open, { ...cn('a.one.example'), alt_names: others.join(',') })
        const wanted = [...new Set(['a.one.example', ...others])].sort()
        await bench.decide('PKI-CN-03', () => expect([...new Set(facts.dns)].sort(), `${way} beside ${others}`).toEqual(wanted))
        if (others[0] === 'a.one.example') bench.observe('PKI-CN-05', { [way]: facts.dns.length })
      }
    await bench.decide('PKI-CN-02', async () => {
      await denied(bench, role, cn('a.two.example'), cn('a.one.example'))
      const excluded = { exclude_cn_from_sans: true }
      for (const way of WAYS)
        await denied(bench, role, { ...cn('a.two.example'), ...excluded }, { ...cn('a.one.example'), ...excluded }, way)
    })
  },
)

check(
  'pki/exclude-common-name',
  ['PKI-EXCLUDE-01', 'PKI-EXCLUDE-02', 'PKI-CN-03'],
  'an excluded common name is in no alternative name',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    // Names are those of the body, on both ways.
    const ofBody = { use_csr_common_name: false, use_csr_sans: false }
    const [role, mail] = [await openRole(bench, ofBody), await openRole(bench, { ...ofBody, ...ALLOWS_EMAIL })]
    for (const way of WAYS) {
      await bench.decide('PKI-EXCLUDE-01', async () => {
        const others = ['b.one.example', 'below.a.one.example', 'ba.one.example']
        const body = { ...cn('a.one.example'), alt_names: others.join(','), exclude_cn_from_sans: true }
        const { facts } = await obtain(context, way, role, body)
        expect(facts.subject.CN, way).toEqual(['a.one.example'])
        expect([...facts.dns].sort(), way).toEqual([...others].sort())
      })
      await bench.decide('PKI-EXCLUDE-02', async () => {
        const { facts } = await obtain(context, way, mail, { ...cn('someone@one.example'), exclude_cn_from_sans: true })
        expect(facts.email, way).toEqual([])
      })
      await bench.decide('PKI-CN-03', async () =>
        expect((await obtain(context, way, mail, cn('someone@one.example'))).facts.email, way).toEqual(['someone@one.example']),
      )
    }
  },
)

check(
  'pki/alternative-names',
  ['PKI-ALT-01', 'PKI-ALT-02', 'PKI-ALT-03'],
  'alternative names are in the certificate, or deny it',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const and = (names: string) => ({ ...cn('a.one.example'), alt_names: names })
    // Names are those of the body, on both ways.
    const ofBody = { use_csr_common_name: false, use_csr_sans: false }
    const [open, role] = [
      await openRole(bench, { ...ofBody, ...ALLOWS_EMAIL }),
      await newRole(bench, { ...one, allow_subdomains: true, ...ofBody }),
    ]
    for (const way of WAYS) {
      const { facts } = await obtain(context, way, open, and('b.one.example,c.one.example,someone@d.one.example'))
      const hosts = [...new Set(facts.dns)].sort()
      await bench.decide('PKI-ALT-01', () => expect(hosts, way).toEqual(['a.one.example', 'b.one.example', 'c.one.example']))
      await bench.decide('PKI-ALT-02', () => expect(facts.email, way).toEqual(['someone@d.one.example']))
      await bench.decide('PKI-ALT-03', async () => {
        for (const bad of ['evil.org', 'someone@evil.org'])
          await denied(bench, role, and(`b.one.example,${bad}`), and('b.one.example,c.one.example'), way)
      })
    }
  },
)

check('pki/many-names', 'PKI-ALT-04', 'a megabyte of names is answered', { needs: ownMount }, async ({ bench, expect }) => {
  await withRoot(bench)
  const role = await newRole(bench, { ...one, allow_subdomains: true })
  const names = (domain: string) => Array.from({ length: 45_000 }, (_, at) => `n${at}.${domain}`).join(',')
  const allowed = await bench.call('pki.issue', { path: { name: role }, body: { ...cn('a.one.example'), alt_names: names('one.example') } })
  expect(allowed.status).toBeLessThan(500)
  const refused = await bench.call('pki.issue', {
    path: { name: role },
    body: { ...cn('a.one.example'), alt_names: names('evil.example') },
  })
  expect(refused).toBeRefused()
  expect(await bench.call('pki.issue', { path: { name: role }, body: cn('a.one.example') })).toSucceed()
})

/** A name below the domain that is this long, in labels of 63 characters as far as they go. */
const below = (domain: string, length: number): string => {
  const left = length - domain.length - 1
  const labels = left > 63 ? below(domain, length - 64) : domain
  return `${'n'.repeat(Math.min(left, 63))}.${labels}`
}

check(
  'pki/longest-names',
  ['PKI-CN-01', 'PKI-ALT-01', 'PKI-ALT-02', 'PKI-CSRCN-02', 'PKI-CSRCN-03', 'PKI-CSRSANS-02'],
  'names as long as the standards of certificates and of host names let them be are in the certificate',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const role = await subdomains(bench)
    const name = below('one.example', COMMON_NAME)
    const hosts = [below('one.example', 63 + '.one.example'.length), below('one.example', 253)].sort()
    await bench.decide('PKI-CN-01', async () => expect((await issue(context, role, cn(name))).facts.subject.CN).toEqual([name]))
    await bench.decide('PKI-ALT-01', async () => {
      const { facts } = await issue(context, role, { ...cn('a.one.example'), alt_names: hosts.join(',') })
      expect([...facts.dns].sort()).toEqual(['a.one.example', ...hosts])
    })
    await bench.decide('PKI-ALT-02', async () => {
      const address = `${'m'.repeat(64)}@a.one.example`
      const { facts } = await issue(context, await openRole(bench), { ...cn('a.one.example'), alt_names: address })
      expect(facts.email).toEqual([address])
    })
    await bench.decide('PKI-CSRCN-02', async () =>
      expect((await sign(context, role, { commonName: name })).facts.subject.CN, 'the name of the request').toEqual([name]),
    )
    await bench.decide('PKI-CSRCN-03', async () => {
      const ofBody = await newRole(bench, { ...one, allow_subdomains: true, use_csr_common_name: false })
      const { facts } = await sign(context, ofBody, { commonName: 'a.one.example' }, cn(name))
      expect(facts.subject.CN, 'the name of the body').toEqual([name])
    })
    await bench.decide('PKI-CSRSANS-02', async () => {
      const { facts } = await sign(context, role, { commonName: 'a.one.example', dns: ['a.one.example', ...hosts] })
      expect([...new Set(facts.dns)].sort()).toEqual(['a.one.example', ...hosts])
    })
  },
)
