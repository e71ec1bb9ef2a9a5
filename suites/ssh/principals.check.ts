import { type Bench, type CheckContext, check, type JsonObject, property, sshOracle } from '../../harness/checks/index.ts'
import { caFields, hostFields, ownMount, refusesToSign, roleRefusesToSign, roleWith, signed, userPair, withCa } from './fixtures.ts'

const request = (bench: Bench, valid_principals: string): JsonObject => ({ public_key: userPair(bench).publicKey, valid_principals })
const hostRequest = (bench: Bench, valid_principals: string): JsonObject => ({ ...request(bench, valid_principals), cert_type: 'host' })

const expectSigned = async (context: CheckContext, role: string, body: JsonObject): Promise<void> => {
  const { certificate } = await signed(context, role, body)
  context.expect(certificate.principals.toSorted()).toEqual(String(body.valid_principals).split(',').sort())
}

check(
  'ssh/ca-users',
  ['SSH-USERS-06', 'SSH-USERS-07', 'SSH-USERS-08', 'SSH-USERS-09', 'SSH-USERS-10', 'SSH-USERS-11'],
  'a ca role signs for the users on its list',
  ownMount,
  async (context) => {
    const { bench } = context
    await withCa(bench)
    const [none, star] = [await roleWith(bench, caFields({ allowed_users: '' })), await roleWith(bench, caFields())]
    const listed = await roleWith(bench, caFields({ allowed_users: 'deploy,backup' }))
    await bench.decide('SSH-USERS-06', async () => {
      for (const user of ['ubuntu', 'root']) await roleRefusesToSign(bench, { bad: none, good: star }, request(bench, user))
    })
    await bench.decide('SSH-USERS-07', () => expectSigned(context, star, request(bench, 'anybody,root')))
    await bench.decide('SSH-USERS-08', () => expectSigned(context, listed, request(bench, 'backup')))
    await bench.decide('SSH-USERS-08', () => expectSigned(context, listed, request(bench, 'backup,deploy')))
    const good = request(bench, 'deploy')
    await bench.decide('SSH-USERS-09', async () => {
      for (const user of ['root', 'ubuntu', '*']) await refusesToSign(bench, listed, request(bench, user), good)
    })
    await bench.decide('SSH-USERS-10', async () => {
      for (const user of ['deplo', 'deploye', 'xdeploy', 'Deploy', 'deploy backup'])
        await refusesToSign(bench, listed, request(bench, user), good)
    })
    await bench.decide('SSH-USERS-11', async () => {
      for (const users of ['deploy,root', 'root,deploy', 'deploy,backup,ubuntu'])
        await refusesToSign(bench, listed, request(bench, users), good)
    })
  },
)

check(
  'ssh/ca-default-user',
  ['SSH-DEFUSER-05', 'SSH-DEFUSER-06', 'SSH-DEFUSER-08'],
  'the default user of a ca role must be on its list',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const fields = { default_user: 'ubuntu' }
    const [inside, outside] = [
      await roleWith(bench, caFields({ ...fields, allowed_users: 'deploy,ubuntu' })),
      await roleWith(bench, caFields({ ...fields, allowed_users: 'deploy' })),
    ]
    await bench.decide('SSH-DEFUSER-05', () => expectSigned(context, inside, request(bench, 'ubuntu')))
    await bench.decide('SSH-DEFUSER-06', async () => {
      await refusesToSign(bench, outside, request(bench, 'ubuntu'), request(bench, 'deploy'))
      const answer = await bench.call('ssh.signKey', { path: { name: outside }, body: { public_key: userPair(bench).publicKey } })
      if (!answer.ok) return expect(answer).toBeRefused()
      const { principals } = await sshOracle.readCertificate(String(answer.data.signed_key))
      expect(principals, 'principals of a request that names none').not.toContain('ubuntu')
    })
    await bench.decide('SSH-DEFUSER-08', async () => {
      const { certificate } = await signed(context, inside, { public_key: userPair(bench).publicKey })
      expect(certificate.principals).toEqual(['ubuntu'])
    })
  },
)

check(
  'ssh/host-domains',
  ['SSH-DOMAIN-01', 'SSH-DOMAIN-02', 'SSH-DOMAIN-03', 'SSH-DOMAIN-04', 'SSH-DOMAIN-05'],
  'a role signs for hosts in its domains',
  ownMount,
  async (context) => {
    const { bench } = context
    await withCa(bench)
    const flags = { allow_bare_domains: true, allow_subdomains: true }
    const [none, star] = [await roleWith(bench, hostFields({ ...flags, allowed_domains: '' })), await roleWith(bench, hostFields())]
    const listed = await roleWith(bench, hostFields({ ...flags, allowed_domains: 'example.com,example.net' }))
    await bench.decide(
      'SSH-DOMAIN-01',
      async () => void (await roleRefusesToSign(bench, { bad: none, good: star }, hostRequest(bench, 'web.example.com'))),
    )
    await bench.decide('SSH-DOMAIN-02', () => expectSigned(context, star, hostRequest(bench, 'web.example.com,anything.internal')))
    const good = hostRequest(bench, 'web.example.com')
    await bench.decide('SSH-DOMAIN-03', async () => {
      for (const host of ['example.org', 'web.example.org', 'com']) await refusesToSign(bench, listed, hostRequest(bench, host), good)
    })
    await bench.decide('SSH-DOMAIN-04', () =>
      expectSigned(context, listed, hostRequest(bench, 'web.example.com,db.example.net,example.net')),
    )
    await bench.decide('SSH-DOMAIN-05', async () => {
      for (const hosts of ['web.example.com,web.example.org', 'example.org,example.com'])
        await refusesToSign(bench, listed, hostRequest(bench, hosts), good)
    })
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
    const domain = { allowed_domains: 'example.com' }
    const [sub, bare] = [
      await roleWith(bench, hostFields({ ...domain, allow_subdomains: true })),
      await roleWith(bench, hostFields({ ...domain, allow_bare_domains: true })),
    ]
    await bench.decide('SSH-BARE-02', () => expectSigned(context, bare, hostRequest(bench, 'example.com')))
    await bench.decide(
      'SSH-BARE-01',
      async () => void (await roleRefusesToSign(bench, { bad: sub, good: bare }, hostRequest(bench, 'example.com'))),
    )
    await bench.decide(
      'SSH-BARE-03',
      async () => void (await roleRefusesToSign(bench, { bad: bare, good: sub }, hostRequest(bench, 'web.example.com'))),
    )
  },
)

check(
  'ssh/host-subdomains',
  ['SSH-SUBDOM-01', 'SSH-SUBDOM-02', 'SSH-SUBDOM-03', 'SSH-SUBDOM-04', 'SSH-SUBDOM-05'],
  'subdomains need allow_subdomains',
  ownMount,
  async (context) => {
    const { bench } = context
    await withCa(bench)
    const domain = { allowed_domains: 'example.com' }
    const [sub, bare] = [
      await roleWith(bench, hostFields({ ...domain, allow_subdomains: true })),
      await roleWith(bench, hostFields({ ...domain, allow_bare_domains: true })),
    ]
    const deep = hostRequest(bench, 'a.b.c.example.com')
    const good = hostRequest(bench, 'web.example.com')
    await bench.decide('SSH-SUBDOM-02', () => expectSigned(context, sub, good))
    await bench.decide('SSH-SUBDOM-05', () => expectSigned(context, sub, deep))
    await bench.decide('SSH-SUBDOM-01', async () => {
      await roleRefusesToSign(bench, { bad: bare, good: sub }, good)
      await roleRefusesToSign(bench, { bad: bare, good: sub }, deep)
    })
    await bench.decide('SSH-SUBDOM-03', async () => void (await refusesToSign(bench, sub, hostRequest(bench, 'example.com'), good)))
    await bench.decide('SSH-SUBDOM-04', async () => {
      for (const host of ['webexample.com', 'web-example.com', 'www.evilexample.com', 'web.example.com.evil.org', 'webxexample.com'])
        await refusesToSign(bench, sub, hostRequest(bench, host), good)
    })
  },
)

const NAMES = ['ubuntu', 'deploy', 'root', 'ub']

property(
  'ssh/ca-users-matrix',
  ['SSH-USERS-06', 'SSH-USERS-07', 'SSH-USERS-08', 'SSH-USERS-09'],
  'list, default user and request decide together who is signed for',
  { ...ownMount, runs: [8, 25, 100] },
  ({ fc }) =>
    fc.record({
      listed: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 3 }),
      star: fc.boolean(),
      defaultUser: fc.constantFrom('', ...NAMES),
      requested: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 }),
    }),
  async ({ bench, expect }, { listed, star, defaultUser, requested }) => {
    await withCa(bench)
    const allowed_users = star ? '*' : listed.join(',')
    const role = await roleWith(bench, caFields({ allowed_users, default_user: defaultUser }))
    const answer = await bench.call('ssh.signKey', { path: { name: role }, body: request(bench, requested.join(',')) })
    const words = `list ${allowed_users || 'empty'}, default ${defaultUser || 'none'}, asked for ${requested.join(' and ')}`
    const granted = star || requested.every((name) => listed.includes(name))
    const clause = star ? 'SSH-USERS-07' : listed.length === 0 ? 'SSH-USERS-06' : granted ? 'SSH-USERS-08' : 'SSH-USERS-09'
    await bench.decide(clause, () => (granted ? expect(answer, words).toHaveStatus(200) : expect(answer, words).toBeRefused()))
  },
)

const HOSTS = ['example.com', 'web.example.com', 'a.b.example.com', 'wexample.com', 'example.org', 'x.example.org']

property(
  'ssh/host-domains-matrix',
  ['SSH-DOMAIN-02', 'SSH-DOMAIN-03', 'SSH-DOMAIN-04'],
  'domains, the two flags and the request decide together which hosts are signed for',
  { ...ownMount, runs: [8, 30, 120] },
  ({ fc }) =>
    fc.record({
      domains: fc.constantFrom('', '*', 'example.com', 'example.com,example.org'),
      bare: fc.boolean(),
      sub: fc.boolean(),
      requested: fc.constantFrom(...HOSTS),
    }),
  async ({ bench, expect }, { domains, bare, sub, requested }) => {
    await withCa(bench)
    const role = await roleWith(bench, hostFields({ allowed_domains: domains, allow_bare_domains: bare, allow_subdomains: sub }))
    const answer = await bench.call('ssh.signKey', { path: { name: role }, body: hostRequest(bench, requested) })
    const words = `domains ${domains || 'none'}, bare ${bare}, subdomains ${sub}, asked for ${requested}`
    const listed = domains.split(',')
    const granted =
      domains === '*' ||
      listed.some((domain) => domain !== '' && ((bare && requested === domain) || (sub && requested.endsWith(`.${domain}`))))
    const clause = domains === '*' ? 'SSH-DOMAIN-02' : granted ? 'SSH-DOMAIN-04' : 'SSH-DOMAIN-03'
    await bench.decide(clause, () => (granted ? expect(answer, words).toHaveStatus(200) : expect(answer, words).toBeRefused()))
  },
)
