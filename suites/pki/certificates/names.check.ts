/** Which names a role lets through, attribute by attribute. */
import { type Bench, type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
import { denied, issue, newRole, obtain, openRole, ownMount, WAYS, withRoot } from '../fixtures.ts'

const cn = (name: string): JsonObject => ({ common_name: name })

/** Names that a role allows and denies, as common names. */
const grants = async (context: CheckContext, fields: JsonObject, allowed: string[], refused: string[]): Promise<void> => {
  const { bench, expect } = context
  await withRoot(bench)
  const role = await newRole(bench, fields)
  for (const name of allowed) expect((await issue(context, role, cn(name))).facts.subject.CN).toEqual([name])
  for (const name of refused) expect(await bench.call('pki.issue', { path: { name: role }, body: cn(name) }), name).toBeRefused()
}

const one = { allowed_domains: ['one.example'] }

check('pki/localhost-allowed', 'PKI-LOCALHOST-02', 'localhost is allowed by default', { needs: ownMount }, (context) =>
  grants(context, one, ['localhost'], ['other.example']),
)
check('pki/localhost-denied', 'PKI-LOCALHOST-03', 'localhost is denied where the role says so', { needs: ownMount }, (context) =>
  grants(context, { ...one, allow_localhost: false, allow_bare_domains: true }, ['one.example'], ['localhost']),
)
check('pki/domains-outside', 'PKI-DOMAINS-02', 'names outside the allowed domains are denied', { needs: ownMount }, (context) =>
  grants(
    context,
    { ...one, allow_bare_domains: true, allow_subdomains: true },
    ['one.example', 'a.one.example'],
    ['two.example', 'xone.example', 'one.example.org', 'a.xone.example', 'example', 'one.example.a'],
  ),
)
check(
  'pki/domains-alone',
  'PKI-DOMAINS-03',
  'a listed domain alone allows neither itself nor subdomains',
  { needs: ownMount },
  async ({ bench }) => {
    await withRoot(bench)
    const role = await newRole(bench, one)
    await denied(bench, role, cn('one.example'), cn('localhost'))
    await denied(bench, role, cn('a.one.example'), cn('localhost'))
  },
)
check('pki/domains-several', 'PKI-DOMAINS-04', 'every listed domain has the same right', { needs: ownMount }, (context) =>
  grants(
    context,
    { allowed_domains: ['one.example', 'two.example', 'three.example'], allow_subdomains: true },
    ['a.one.example', 'a.two.example', 'a.three.example'],
    ['a.four.example'],
  ),
)
check('pki/domains-case', 'PKI-DOMAINS-05', 'case of names does not matter', { needs: ownMount }, async (context) => {
  await withRoot(context.bench)
  const role = await newRole(context.bench, { allowed_domains: ['One.Example'], allow_subdomains: true })
  await issue(context, role, cn('A.oNE.example'))
})
check(
  'pki/bare',
  ['PKI-BARE-02', 'PKI-BARE-03'],
  'bare domains are allowed, their subdomains not',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const role = await newRole(bench, { ...one, allow_bare_domains: true })
    await bench.decide('PKI-BARE-02', async () =>
      expect(await bench.call('pki.issue', { path: { name: role }, body: cn('one.example') })).toSucceed(),
    )
    await bench.decide('PKI-BARE-03', async () => {
      await denied(bench, role, cn('a.one.example'), cn('one.example'))
      await denied(bench, role, cn('*.one.example'), cn('one.example'))
    })
  },
)

const subdomains = (bench: Bench): Promise<string> => newRole(bench, { ...one, allow_subdomains: true })

check(
  'pki/subdomains',
  ['PKI-SUB-02', 'PKI-SUB-03', 'PKI-SUB-04'],
  'subdomains at any depth and wildcards are allowed, the domain itself not',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const role = await subdomains(bench)
    await bench.decide('PKI-SUB-02', async () => {
      for (const name of ['a.one.example', 'a.b.one.example', 'a.b.c.d.one.example']) await issue(context, role, cn(name))
    })
    await bench.decide('PKI-SUB-03', async () => {
      for (const name of ['*.one.example', '*.a.one.example']) expect((await issue(context, role, cn(name))).facts.dns).toContain(name)
    })
    await bench.decide('PKI-SUB-04', async () => {
      await denied(bench, role, cn('one.example'), cn('a.one.example'))
    })
  },
)

const glob = { allowed_domains: ['web-*.one.example', '*.two.example'] }

check('pki/globs', 'PKI-GLOB-02', 'names that match a glob pattern are allowed', { needs: ownMount }, (context) =>
  grants(
    context,
    { ...glob, allow_glob_domains: true },
    ['web-1.one.example', 'web-x-2.one.example', 'a.two.example'],
    ['db-1.one.example', 'two.example', 'web-1.three.example'],
  ),
)
check('pki/globs-off', 'PKI-GLOB-03', 'without glob patterns a star in the list is none', { needs: ownMount }, (context) =>
  grants(context, { ...glob, allow_bare_domains: true, allow_subdomains: true }, ['localhost'], ['web-1.one.example', 'a.two.example']),
)
check('pki/any-name', 'PKI-ANY-02', 'any host name is allowed', { needs: ownMount }, (context) =>
  grants(context, { allow_any_name: true }, ['one.example', 'a.b.c.example.org', 'single'], []),
)
check('pki/attributes-add', 'PKI-ADDITIVE-01', 'the domain attributes add up', { needs: ownMount }, (context) =>
  grants(
    context,
    { allowed_domains: ['one.example', 'web-*.two.example'], allow_bare_domains: true, allow_subdomains: true, allow_glob_domains: true },
    ['one.example', 'a.one.example', 'web-1.two.example', 'localhost'],
    ['two.example', 'db.two.example'],
  ),
)

const noHostnames = ['two words.example', '-leading.example', 'a..b.example', 'semi;colon.example']

check(
  'pki/hostnames-enforced',
  'PKI-HOSTNAMES-02',
  'what is neither a host name nor an email address is denied',
  { needs: ownMount },
  async ({ bench }) => {
    await withRoot(bench)
    const role = await openRole(bench)
    for (const name of noHostnames) await denied(bench, role, cn(name), cn('plain.example'))
  },
)
check('pki/hostnames-free', 'PKI-HOSTNAMES-03', 'with enforcement off any common name is issued', { needs: ownMount }, (context) =>
  grants(context, { allow_any_name: true, enforce_hostnames: false }, ['Some Person', 'two words.example', 'under_score.example'], []),
)

check(
  'pki/common-name',
  ['PKI-CN-01', 'PKI-CN-02', 'PKI-CN-03'],
  'the common name is the one requested, checked, and among the alternative names',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const role = await subdomains(bench)
    const made = await issue(context, role, cn('a.one.example'))
    await bench.decide('PKI-CN-01', () => expect(made.facts.subject.CN).toEqual(['a.one.example']))
    await bench.decide('PKI-CN-03', () => expect(made.facts.dns).toEqual(['a.one.example']))
    await bench.decide('PKI-CN-02', async () => {
      await denied(bench, role, cn('a.two.example'), cn('a.one.example'))
    })
  },
)

check(
  'pki/exclude-common-name',
  ['PKI-EXCLUDE-01', 'PKI-EXCLUDE-02'],
  'an excluded common name is in no alternative name',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    // Names are those of the body, on both ways.
    const role = await openRole(bench, { use_csr_common_name: false, use_csr_sans: false })
    for (const way of WAYS) {
      await bench.decide('PKI-EXCLUDE-01', async () => {
        const body = { ...cn('a.one.example'), alt_names: 'b.one.example', exclude_cn_from_sans: true }
        const { facts } = await obtain(context, way, role, body)
        expect(facts.subject.CN, way).toEqual(['a.one.example'])
        expect(facts.dns, way).toEqual(['b.one.example'])
      })
      await bench.decide('PKI-EXCLUDE-02', async () => {
        const { facts } = await obtain(context, way, role, { ...cn('someone@one.example'), exclude_cn_from_sans: true })
        expect(facts.email, way).toEqual([])
        expect((await obtain(context, way, role, cn('someone@one.example'))).facts.email, way).toEqual(['someone@one.example'])
      })
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
    const role = await newRole(bench, { ...one, allow_subdomains: true })
    const made = await issue(context, role, { ...cn('a.one.example'), alt_names: 'b.one.example,c.one.example,someone@d.one.example' })
    await bench.decide('PKI-ALT-01', () => expect([...made.facts.dns].sort()).toEqual(['a.one.example', 'b.one.example', 'c.one.example']))
    await bench.decide('PKI-ALT-02', () => expect(made.facts.email).toEqual(['someone@d.one.example']))
    await bench.decide('PKI-ALT-03', async () => {
      const and = (names: string) => ({ ...cn('a.one.example'), alt_names: names })
      await denied(bench, role, and('b.one.example,evil.org'), and('b.one.example'))
      await denied(bench, role, and('b.one.example,someone@evil.org'), and('b.one.example,someone@d.one.example'))
    })
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
