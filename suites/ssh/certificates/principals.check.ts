import { type CheckContext, check, type JsonObject, sshOracle } from '../../../harness/checks/index.ts'
import {
  caFields,
  hostFields,
  hostRequest,
  ownMount,
  refusesToSign,
  request,
  roleRefusesToSign,
  roleWith,
  signed,
  userPair,
  withCa,
} from '../fixtures.ts'

/** Asserts that a request for one name is granted, and for no other. */
const expectSigned = async (context: CheckContext, role: string, body: JsonObject): Promise<void> => {
  const { certificate } = await signed(context, role, body)
  context.expect(certificate.principals).toEqual([body.valid_principals])
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
      for (const user of ['ubuntu', 'root']) await roleRefusesToSign(bench, { bad: none, good: star }, request(user))
    })
    for (const user of ['anybody', 'root']) await bench.decide('SSH-USERS-07', () => expectSigned(context, star, request(user)))
    for (const user of ['backup', 'deploy']) await bench.decide('SSH-USERS-08', () => expectSigned(context, listed, request(user)))
    const good = request('deploy')
    await bench.decide('SSH-USERS-09', async () => {
      for (const user of ['root', 'ubuntu', '*']) await refusesToSign(bench, listed, request(user), good)
    })
    await bench.decide('SSH-USERS-10', async () => {
      for (const user of ['deplo', 'deploye', 'xdeploy', 'deploy backup']) await refusesToSign(bench, listed, request(user), good)
    })
    await bench.decide('SSH-USERS-11', async () => {
      for (const users of ['deploy,root', 'root,deploy', 'deploy,backup,ubuntu']) await refusesToSign(bench, listed, request(users), good)
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
    await bench.decide('SSH-DEFUSER-05', () => expectSigned(context, inside, request('ubuntu')))
    await bench.decide('SSH-DEFUSER-06', async () => {
      await refusesToSign(bench, outside, request('ubuntu'), request('deploy'))
      const answer = await bench.call('ssh.signKey', { path: { name: outside }, body: { public_key: userPair().publicKey } })
      if (!answer.ok) return expect(answer).toBeRefused()
      const { principals } = await sshOracle.readCertificate(String(answer.data.signed_key))
      expect(principals, 'principals of a request that names none').not.toContain('ubuntu')
    })
    await bench.decide('SSH-DEFUSER-08', async () => {
      const { certificate } = await signed(context, inside, { public_key: userPair().publicKey })
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
    const { allowed_domains: _, ...unsaid } = hostFields(flags)
    const [none, star] = [
      [await roleWith(bench, unsaid), await roleWith(bench, { ...unsaid, allowed_domains: '' })],
      await roleWith(bench, hostFields()),
    ]
    const listed = await roleWith(bench, hostFields({ ...flags, allowed_domains: 'example.com,example.net' }))
    await bench.decide('SSH-DOMAIN-01', async () => {
      for (const bad of none) await roleRefusesToSign(bench, { bad, good: star }, hostRequest('web.example.com'))
    })
    await bench.decide('SSH-DOMAIN-02', async () => {
      for (const host of ['web.example.com', 'anything.internal']) await expectSigned(context, star, hostRequest(host))
    })
    const good = hostRequest('web.example.com')
    await bench.decide('SSH-DOMAIN-03', async () => {
      for (const host of ['example.org', 'web.example.org', 'com']) await refusesToSign(bench, listed, hostRequest(host), good)
    })
    await bench.decide('SSH-DOMAIN-04', async () => {
      for (const host of ['web.example.com', 'db.example.net', 'example.net']) await expectSigned(context, listed, hostRequest(host))
    })
    await bench.decide('SSH-DOMAIN-05', async () => {
      for (const hosts of ['web.example.com,web.example.org', 'example.org,example.com'])
        await refusesToSign(bench, listed, hostRequest(hosts), good)
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
    const deep = hostRequest('a.b.c.example.com')
    const good = hostRequest('web.example.com')
    await bench.decide('SSH-SUBDOM-02', () => expectSigned(context, sub, good))
    await bench.decide('SSH-SUBDOM-05', () => expectSigned(context, sub, deep))
    await bench.decide('SSH-SUBDOM-01', async () => {
      await roleRefusesToSign(bench, { bad: bare, good: sub }, good)
      await roleRefusesToSign(bench, { bad: bare, good: sub }, deep)
    })
    await bench.decide('SSH-SUBDOM-03', async () => void (await refusesToSign(bench, sub, hostRequest('example.com'), good)))
    await bench.decide('SSH-SUBDOM-04', async () => {
      for (const host of ['webexample.com', 'web-example.com', 'www.evilexample.com', 'web.example.com.evil.org', 'webxexample.com'])
        await refusesToSign(bench, sub, hostRequest(host), good)
    })
  },
)
