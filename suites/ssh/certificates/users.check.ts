import { type Bench, check, sshOracle } from '../../../harness/checks/index.ts'
import {
  caFields,
  neverCarries,
  ownMount,
  refusesToSign,
  request,
  roleRefusesToSign,
  roleWith,
  signed,
  userPair,
  withCa,
} from '../fixtures.ts'
import { expectSigned } from './principals.ts'

const principalsOf = async (line: string): Promise<string[]> => (await sshOracle.readCertificate(line)).principals

const listedRole = (bench: Bench): Promise<string> => roleWith(bench, caFields({ allowed_users: 'deploy,backup' }))

check(
  'ssh/ca-users',
  ['SSH-USERS-08', 'SSH-USERS-09'],
  'a ca role signs for the users on its list and for no others',
  ownMount,
  async (context) => {
    const { bench } = context
    await withCa(bench)
    const listed = await listedRole(bench)
    for (const user of ['backup', 'deploy']) await bench.decide('SSH-USERS-08', () => expectSigned(context, listed, request(user)))
    // Words that a server may reserve are ordinary user names.
    const words = ['default', 'root', 'admin']
    const special = await roleWith(bench, caFields({ allowed_users: words.join(',') }))
    for (const user of words) await bench.decide('SSH-USERS-08', () => expectSigned(context, special, request(user)))
    await bench.decide('SSH-USERS-09', async () => {
      for (const user of ['root', 'ubuntu', '*']) await refusesToSign(bench, listed, request(user), request('deploy'))
    })
  },
)

check(
  'ssh/ca-users-none-and-any',
  ['SSH-USERS-06', 'SSH-USERS-07'],
  'an empty list of a ca role admits nobody, an asterisk anybody',
  ownMount,
  async (context) => {
    const { bench } = context
    await withCa(bench)
    const [none, star] = [await roleWith(bench, caFields({ allowed_users: '' })), await roleWith(bench, caFields())]
    await bench.decide('SSH-USERS-06', async () => {
      for (const user of ['ubuntu', 'root']) await roleRefusesToSign(bench, { bad: none, good: star }, request(user))
    })
    for (const user of ['anybody', 'root']) await bench.decide('SSH-USERS-07', () => expectSigned(context, star, request(user)))
  },
)

check('ssh/ca-users-like-listed', 'SSH-USERS-10', 'a name like a listed one is not signed for', ownMount, async ({ bench }) => {
  await withCa(bench)
  const listed = await listedRole(bench)
  for (const user of bench.few(['deplo', 'deploye', 'xdeploy'], 2)) await refusesToSign(bench, listed, request(user), request('deploy'))
  // A name is not a pattern.
  const dotted = await roleWith(bench, caFields({ allowed_users: 'web.app,dev-1_x' }))
  for (const user of bench.few(['webxapp', 'web-app', 'web', 'app', 'dev-1-x', 'dev1_x']))
    await refusesToSign(bench, dotted, request(user), request('web.app'))
})

/** How a listed name may be written otherwise. */
const cased = (name: string): string[] => [name.toUpperCase(), `${name[0]!.toUpperCase()}${name.slice(1)}`]

check(
  'ssh/ca-users-case',
  'SSH-USERS-20',
  'a certificate names nobody that differs from the listed names by case',
  ownMount,
  async ({ bench, expect }) => {
    await withCa(bench)
    const lists = [
      { listed: ['deploy', 'backup'], asked: [...cased('deploy'), ...cased('backup')] },
      { listed: ['Deploy', 'BACKUP'], asked: ['deploy', 'DEPLOY', 'backup', 'Backup'] },
    ]
    for (const { listed, asked } of lists) {
      const path = { name: await roleWith(bench, caFields({ allowed_users: listed.join(',') })) }
      for (const user of asked) {
        const answer = await bench.call('ssh.signKey', { path, body: request(user) })
        // A server that signs for the listed name instead signs for nobody else.
        if (!answer.ok) expect(answer, user).toBeRefused()
        else expect(listed, user).toEqual(expect.arrayContaining(await principalsOf(String(answer.data.signed_key))))
      }
      for (const user of listed) {
        const answer = await bench.given('ssh.signKey', { path, body: request(user) })
        expect(await principalsOf(String(answer.data.signed_key))).toEqual([user])
      }
    }
  },
)

check('ssh/ca-users-several', ['SSH-USERS-11', 'SSH-USERS-21'], 'of several users each must be on the list', ownMount, async (context) => {
  await withCa(context.bench)
  const role = await listedRole(context.bench)
  const clauses = { carries: 'SSH-USERS-11', refuses: 'SSH-USERS-21' }
  for (const users of ['deploy,root', 'root,deploy', 'deploy,backup,ubuntu'])
    await neverCarries(context, clauses, { role, bad: request(users), good: request('deploy') }, ({ principals }) =>
      principals.filter((name) => !['deploy', 'backup'].includes(name)),
    )
})

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
