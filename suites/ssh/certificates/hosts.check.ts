import { type Bench, check } from '../../../harness/checks/index.ts'
import { hostFields, hostRequest, neverCarries, ownMount, refusesToSign, roleRefusesToSign, roleWith, withCa } from '../fixtures.ts'
import { expectSigned } from './principals.ts'

const FLAGS = { allow_bare_domains: true, allow_subdomains: true }

/** Roles for example.com: one admits what is below the domain, one the domain itself. */
const oneDomain = async (bench: Bench): Promise<{ sub: string; bare: string }> => {
  const fields = { allowed_domains: 'example.com' }
  return {
    sub: await roleWith(bench, hostFields({ ...fields, allow_subdomains: true })),
    bare: await roleWith(bench, hostFields({ ...fields, allow_bare_domains: true })),
  }
}

const twoDomains = (bench: Bench): Promise<string> => roleWith(bench, hostFields({ ...FLAGS, allowed_domains: 'example.com,example.net' }))

check(
  'ssh/host-domains',
  ['SSH-DOMAIN-03', 'SSH-DOMAIN-04'],
  'a role signs for hosts in its domains and for no others',
  ownMount,
  async (context) => {
    const { bench } = context
    await withCa(bench)
    const listed = await twoDomains(bench)
    await bench.decide('SSH-DOMAIN-03', async () => {
      for (const host of [
        'example.org',
        'web.example.org',
        'com',
        'web.exampleXcom',
        'webexample.com',
        'web.example.com.org',
        'web.example.comx',
      ])
        await refusesToSign(bench, listed, hostRequest(host), hostRequest('web.example.com'))
    })
    await bench.decide('SSH-DOMAIN-04', async () => {
      for (const host of ['web.example.com', 'db.example.net', 'example.net']) await expectSigned(context, listed, hostRequest(host))
    })
  },
)

check(
  'ssh/host-domains-none-and-any',
  ['SSH-DOMAIN-01', 'SSH-DOMAIN-02'],
  'without domains no host is signed for, with an asterisk any',
  ownMount,
  async (context) => {
    const { bench } = context
    await withCa(bench)
    const { allowed_domains: _, ...unsaid } = hostFields(FLAGS)
    const none = [await roleWith(bench, unsaid), await roleWith(bench, { ...unsaid, allowed_domains: '' })]
    const star = await roleWith(bench, hostFields())
    await bench.decide('SSH-DOMAIN-01', async () => {
      for (const bad of none) await roleRefusesToSign(bench, { bad, good: star }, hostRequest('web.example.com'))
    })
    await bench.decide('SSH-DOMAIN-02', async () => {
      for (const host of ['web.example.com', 'anything.internal']) await expectSigned(context, star, hostRequest(host))
    })
  },
)

check(
  'ssh/host-domains-several',
  ['SSH-DOMAIN-05', 'SSH-DOMAIN-07'],
  'of several hosts each must be in a domain of the role',
  ownMount,
  async (context) => {
    await withCa(context.bench)
    const role = await twoDomains(context.bench)
    const clauses = { carries: 'SSH-DOMAIN-05', refuses: 'SSH-DOMAIN-07' }
    for (const hosts of ['web.example.com,web.example.org', 'example.org,example.com'])
      await neverCarries(context, clauses, { role, bad: hostRequest(hosts), good: hostRequest('web.example.com') }, ({ principals }) =>
        principals.filter((name) => !/(^|\.)example\.(com|net)$/.test(name)),
      )
  },
)

check(
  'ssh/host-bare-domains',
  ['SSH-BARE-01', 'SSH-BARE-02', 'SSH-BARE-03'],
  'a listed domain itself needs allow_bare_domains',
  ownMount,
  async (context) => {
    const { bench } = context
    await withCa(bench)
    const { sub, bare } = await oneDomain(bench)
    await bench.decide('SSH-BARE-02', () => expectSigned(context, bare, hostRequest('example.com')))
    await bench.decide(
      'SSH-BARE-01',
      async () => void (await roleRefusesToSign(bench, { bad: sub, good: bare }, hostRequest('example.com'))),
    )
    await bench.decide(
      'SSH-BARE-03',
      async () => void (await roleRefusesToSign(bench, { bad: bare, good: sub }, hostRequest('web.example.com'))),
    )
  },
)

check(
  'ssh/host-subdomains',
  ['SSH-SUBDOM-01', 'SSH-SUBDOM-02', 'SSH-SUBDOM-05'],
  'subdomains of any depth need allow_subdomains',
  ownMount,
  async (context) => {
    const { bench } = context
    await withCa(bench)
    const { sub, bare } = await oneDomain(bench)
    const [flat, deep] = [hostRequest('web.example.com'), hostRequest('a.b.c.example.com')]
    await bench.decide('SSH-SUBDOM-02', () => expectSigned(context, sub, flat))
    await bench.decide('SSH-SUBDOM-05', () => expectSigned(context, sub, deep))
    await bench.decide('SSH-SUBDOM-01', async () => {
      for (const wanted of [flat, deep]) await roleRefusesToSign(bench, { bad: bare, good: sub }, wanted)
    })
  },
)

check(
  'ssh/host-no-subdomains',
  ['SSH-SUBDOM-03', 'SSH-SUBDOM-04'],
  'neither the domain itself nor a name that only ends like it is a subdomain',
  ownMount,
  async ({ bench }) => {
    await withCa(bench)
    const { sub } = await oneDomain(bench)
    const good = hostRequest('web.example.com')
    await bench.decide('SSH-SUBDOM-03', async () => void (await refusesToSign(bench, sub, hostRequest('example.com'), good)))
    await bench.decide('SSH-SUBDOM-04', async () => {
      for (const host of ['webexample.com', 'web-example.com', 'www.evilexample.com', 'web.example.com.evil.org', 'webxexample.com'])
        await refusesToSign(bench, sub, hostRequest(host), good)
    })
  },
)
