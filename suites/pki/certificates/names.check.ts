/** Which names a role lets through, attribute by attribute. */
import { type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
import { ask, denied, issue, newRole, openRole, ownMount, WAYS, withRoot } from '../fixtures.ts'
import { cn, one, subdomains } from './host-names.ts'

/** Names that a role allows and denies, as common names. */
const grants = async (context: CheckContext, fields: JsonObject, allowed: string[], refused: string[]): Promise<void> => {
  const { bench, expect } = context
  await withRoot(bench)
  const role = await newRole(bench, fields)
  for (const name of allowed) expect((await issue(context, role, cn(name))).facts.subject.CN).toEqual([name])
  for (const name of bench.few(refused, 5))
    expect(await bench.call('pki.issue', { path: { name: role }, body: cn(name) }), name).toBeRefused()
}

check('pki/localhost-allowed', 'PKI-LOCALHOST-02', 'localhost is allowed by default', { needs: ownMount }, (context) =>
  grants(context, one, ['localhost'], ['other.example', 'x.localhost', 'xlocalhost', 'localhost.example']),
)
check('pki/localhost-denied', 'PKI-LOCALHOST-03', 'localhost is denied where the role says so', { needs: ownMount }, (context) =>
  grants(context, { ...one, allow_localhost: false, allow_bare_domains: true }, ['one.example'], ['localhost']),
)
check('pki/domains-outside', 'PKI-DOMAINS-02', 'names outside the allowed domains are denied', { needs: ownMount }, (context) =>
  grants(
    context,
    { ...one, allow_bare_domains: true, allow_subdomains: true },
    ['one.example', 'a.one.example'],
    [
      // A dot stands for itself.
      ...['a.one-example', 'a.onexexample', 'one-example', 'onexexample'],
      ...['two.example', 'xone.example', 'one.example.org', 'a.xone.example', 'example', 'one.example.a'],
      // Wildcards over what lies beside and above the listed domain.
      ...['*.two.example', '*.xone.example', '*.one.example.org', '*.a.xone.example', '*.example', '*'],
    ],
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
const THREE = ['one.example', 'two.example', 'three.example']

/** What each right gives in a domain, where it is the only one; patterns are domains of their own. */
const RIGHTS: { right: string; allowed_domains: string[]; names: (domain: string) => string[] }[] = [
  { right: 'allow_subdomains', allowed_domains: THREE, names: (domain) => [`a.${domain}`, `a.b.${domain}`, `*.${domain}`] },
  { right: 'allow_bare_domains', allowed_domains: THREE, names: (domain) => [domain] },
  { right: 'allow_glob_domains', allowed_domains: THREE.map((domain) => `web-*.${domain}`), names: (domain) => [`web-1.${domain}`] },
]

check('pki/domains-several', 'PKI-DOMAINS-04', 'every listed domain has the same right', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  for (const { right, allowed_domains, names } of RIGHTS) {
    const role = await newRole(bench, { allowed_domains, [right]: true })
    for (const name of THREE.flatMap(names))
      for (const way of WAYS) expect(await ask(bench, way, role, cn(name)), `${name} by ${way} with ${right}`).toSucceed()
    for (const name of ['four.example', ...names('four.example')])
      for (const way of WAYS) expect(await ask(bench, way, role, cn(name)), `${name} by ${way} with ${right}`).toBeRefused()
    const several = { ...cn(names(THREE[2]!)[0]!), alt_names: THREE.flatMap(names).join(',') }
    const { facts } = await issue(context, role, several)
    expect([...new Set(facts.dns)].sort(), `names by ${right}`).toEqual([...THREE.flatMap(names)].sort())
  }
})

check('pki/domains-none', 'PKI-DOMAINS-02', 'where no domain is listed no right lets a name in', { needs: ownMount }, async ({ bench }) => {
  await withRoot(bench)
  const rights = [...RIGHTS.map(({ right }) => ({ [right]: true })), Object.fromEntries(RIGHTS.map(({ right }) => [right, true]))]
  for (const [at, right] of rights.entries()) {
    const role = await newRole(bench, { ...(at % 2 === 0 ? {} : { allowed_domains: [] }), ...right })
    for (const name of ['one.example', 'a.one.example', '*.one.example', 'example', '*'])
      await denied(bench, role, cn(name), cn('localhost'))
  }
})

check('pki/domains-many', 'PKI-DOMAINS-04', 'of many listed domains each has its right', { needs: ownMount }, async ({ bench, expect }) => {
  await withRoot(bench)
  const domains = Array.from({ length: 120 }, (_, at) => `d${at}.example`)
  const role = await newRole(bench, { allowed_domains: domains, allow_subdomains: true })
  for (const at of [0, 39, 64, 110, 119]) expect(await ask(bench, 'issue', role, cn(`a.${domains[at]}`)), domains[at]!).toSucceed()
  expect(await ask(bench, 'issue', role, cn('a.d120.example')), 'a domain that is not listed').toBeRefused()
})
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

/** Where a star may stand: at either end of a label, within it, more than once, in several labels. Whether it stands for periods is not said. */
const STARS: [pattern: string, allowed: string[], refused: string[]][] = [
  [
    'web-*.one.example',
    ['web-1.one.example', 'web-x-2.one.example'],
    ['db-1.one.example', 'xweb-1.one.example', 'web-1.one.example.org', 'web-1.one-example', 'web-1xone.example'],
  ],
  ['*.two.example', ['a.two.example'], ['two.example', 'atwo.example', 'a.two.example.org', 'a-two.example', 'a.two-example']],
  ['web-*-db-*.one.example', ['web-1-db-2.one.example'], ['web-1-xx-2.one.example', 'xx-1-db-2.one.example', 'web-db.one.example']],
  ['*-web-*.one.example', ['a-web-1.one.example'], ['a-db-1.one.example', 'web-1.one.example']],
  ['web-*.*.example', ['web-1.one.example', 'web-2.two.example'], ['web-1.one.invalid', 'db-1.one.example']],
  ['*.*.three.example', ['a.b.three.example'], ['a.three.example', 'three.example']],
]

check('pki/globs', 'PKI-GLOB-02', 'names that match a glob pattern are allowed', { needs: ownMount }, async (context) => {
  await grants(
    context,
    { ...glob, allow_glob_domains: true },
    ['web-1.one.example', 'web-x-2.one.example', 'a.two.example'],
    ['db-1.one.example', 'two.example', 'web-1.three.example'],
  )
  for (const [pattern, allowed, refused] of STARS)
    await grants(context, { allowed_domains: [pattern], allow_glob_domains: true, allow_localhost: false }, allowed, refused)
})
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
