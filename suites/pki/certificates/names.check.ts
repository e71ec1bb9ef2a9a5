/** Which names a role lets through, attribute by attribute. */
import { type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
import { denied, issue, newRole, openRole, ownMount, withRoot } from '../fixtures.ts'
import { cn, one, subdomains } from './host-names.ts'

/** Names that a role allows and denies, as common names. */
const grants = async (context: CheckContext, fields: JsonObject, allowed: string[], refused: string[]): Promise<void> => {
  const { bench, expect } = context
  await withRoot(bench)
  const role = await newRole(bench, fields)
  for (const name of allowed) expect((await issue(context, role, cn(name))).facts.subject.CN).toEqual([name])
  for (const name of refused) expect(await bench.call('pki.issue', { path: { name: role }, body: cn(name) }), name).toBeRefused()
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
check('pki/domains-several', 'PKI-DOMAINS-04', 'every listed domain has the same right', { needs: ownMount }, (context) =>
  grants(
    context,
    { allowed_domains: ['one.example', 'two.example', 'three.example'], allow_subdomains: true },
    ['a.one.example', 'a.two.example', 'a.three.example'],
    ['a.four.example', '*.four.example'],
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
