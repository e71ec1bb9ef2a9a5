import { type Bench, check, type JsonObject, sshOracle } from '../../../harness/checks/index.ts'
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
import { rsaPair } from '../rsa-keys.ts'

/** The number that an answer's text means: decimal or hexadecimal digits, in pairs or not, whichever the certificate bears out. */
const numbersOf = (text: string): bigint[] => {
  const digits = text.replace(/^0x/i, '').replaceAll(/[:-]/g, '')
  return [...(/^\d+$/.test(text) ? [BigInt(text)] : []), ...(/^[0-9a-f]+$/i.test(digits) ? [BigInt(`0x${digits}`)] : [])]
}

check(
  'ssh/certificate',
  ['SSH-SIGN-05', 'SSH-SIGN-06', 'SSH-SIGN-07', 'SSH-SIGN-19', 'SSH-SIGN-22', 'SSH-SIGN-36'],
  'the certificate is of the given key, signed by the CA, for the asked principals',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    const ca = await withCa(bench)
    const role = await roleWith(bench, caFields())
    const user = userPair()
    for (const valid_principals of ['ubuntu', 'deploy']) {
      const { answer, certificate, line, answered } = await signed(context, role, { public_key: user.publicKey, valid_principals })
      await bench.decide('SSH-SIGN-05', () => expect(certificate.key).toBe(user.fingerprint))
      await bench.decide('SSH-SIGN-06', async () => {
        expect(certificate.signer).toBe(ca.fingerprint)
        expect(await sshOracle.isSignedBy(line, ca.publicKey)).toBe(true)
      })
      await bench.decide('SSH-SIGN-07', () =>
        expect(numbersOf(String(answer.data.serial_number)).map(String)).toContain(String(certificate.serial)),
      )
      await bench.decide('SSH-SIGN-19', () => expect(certificate.principals).toEqual([valid_principals]))
      await bench.decide('SSH-SIGN-22', () => expect(certificate.type).toBe('user'))
      // Clocks are compared to a second or two.
      await bench.decide('SSH-SIGN-36', () =>
        expect(certificate.validAfter - answered, 'seconds from the answer to the beginning of validity').toBeLessThanOrEqual(10),
      )
    }
  },
)

check(
  'ssh/certificate-principals',
  'SSH-SIGN-37',
  'a certificate is for all the principals that were asked for',
  ownMount,
  async (context) => {
    await withCa(context.bench)
    const role = await roleWith(context.bench, caFields())
    const asked = { public_key: userPair().publicKey, valid_principals: 'deploy,backup,root' }
    const { certificate } = await signed(context, role, asked)
    context.expect(certificate.principals.toSorted()).toEqual(['backup', 'deploy', 'root'])
  },
)

const KINDS = [
  ['SSH-SIGN-31', 'rsa', 'certificate-key-kinds'],
  ['SSH-SIGN-32', 'ecdsa-256', 'certificate-key-ecdsa-256'],
  ['SSH-SIGN-33', 'ecdsa-384', 'certificate-key-ecdsa-384'],
  ['SSH-SIGN-34', 'ecdsa-521', 'certificate-key-ecdsa-521'],
  ['SSH-SIGN-35', 'ed25519', 'certificate-key-ed25519'],
] as const

for (const [clause, kind, name] of KINDS) {
  check(`ssh/${name}`, clause, `a key of the kind ${kind} is signed`, ownMount, async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const role = await roleWith(bench, caFields())
    const pair = kind === 'rsa' ? userPair() : sshOracle.keyPair(kind, bench.random.bytes)
    for (const public_key of [pair.publicKey, `${pair.publicKey} someone@somewhere`]) {
      const { certificate } = await signed(context, role, { public_key, valid_principals: 'ubuntu' })
      expect(certificate.key, kind).toBe(pair.fingerprint)
    }
  })
}

check('ssh/certificate-key-file', 'SSH-SIGN-38', 'a key as a file holds it is signed', ownMount, async (context) => {
  await withCa(context.bench)
  const { publicKey, fingerprint } = userPair()
  const role = await roleWith(context.bench, caFields())
  const { certificate } = await signed(context, role, { public_key: `${publicKey}\n`, valid_principals: 'ubuntu' })
  context.expect(certificate.key).toBe(fingerprint)
})

check('ssh/key-lengths-unset', 'SSH-KEYLEN-04', 'without a restriction RSA keys of any size are signed', ownMount, async (context) => {
  const { bench, expect } = context
  await withCa(bench)
  const role = await roleWith(bench, caFields())
  for (const { publicKey, fingerprint } of [rsaPair('user2048'), rsaPair('user3072')])
    expect((await signed(context, role, { public_key: publicKey, valid_principals: 'ubuntu' })).certificate.key).toBe(fingerprint)
})

/** A role that permits RSA keys of one length, and the name by which the target knows them: the first that it takes. */
const roleForRsa = async (bench: Bench, bits: number, permitted: JsonObject): Promise<{ role: string; rsa: string }> => {
  for (const rsa of ['rsa', 'ssh-rsa', 'RSA']) {
    const path = { name: bench.fresh('ca') }
    const written = await bench.call('ssh.writeRole', { path, body: caFields({ allowed_user_key_lengths: { [rsa]: bits } }) })
    if (written.ok && (await bench.call('ssh.signKey', { path, body: permitted })).ok) return { role: path.name, rsa }
  }
  return { role: await roleWith(bench, caFields({ allowed_user_key_lengths: { rsa: bits } })), rsa: 'rsa' }
}

/**
 * Roles that permit RSA keys of one length beside keys of another kind, named before and behind them, where the target takes such a name; the
 * other kind's length is one that RSA keys have too.
 */
const rolesForSeveral = async (bench: Bench, rsa: string, bits: number, ofOthers: number): Promise<string[]> => {
  const roles: string[] = []
  const others: [kind: string, length: number][] = [
    ['ecdsa', 384],
    ['ed25519', 384],
    ['ecdsa-sha2-nistp384', 384],
    ['ecdsa', ofOthers],
    ['dsa', ofOthers],
  ]
  for (const [other, length] of bench.few(others, 2))
    for (const allowed_user_key_lengths of [
      { [rsa]: bits, [other]: length },
      { [other]: length, [rsa]: bits },
    ]) {
      const path = { name: bench.fresh('ca') }
      if ((await bench.call('ssh.writeRole', { path, body: caFields({ allowed_user_key_lengths }) })).ok) roles.push(path.name)
    }
  return roles
}

check(
  'ssh/key-lengths',
  ['SSH-KEYLEN-01', 'SSH-KEYLEN-02', 'SSH-KEYLEN-03'],
  'a role may restrict kinds and sizes of keys',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const ofKey = (publicKey: string) => ({ public_key: publicKey, valid_principals: 'ubuntu' })
    const good = ofKey(rsaPair('user3072').publicKey)
    const { role, rsa } = await roleForRsa(bench, 3072, good)
    // A size is neither the least nor the most: the other one is longer here and shorter there.
    for (const [listed, other] of [
      ['user3072', 'user2048'],
      ['user2048', 'user3072'],
    ] as const) {
      const [bits, ofOthers] = listed === 'user3072' ? [3072, 2048] : [2048, 3072]
      const alone = await roleWith(bench, caFields({ allowed_user_key_lengths: { [rsa]: bits } }))
      const [permitted, forbidden] = [ofKey(rsaPair(listed).publicKey), ofKey(rsaPair(other).publicKey)]
      for (const one of [alone, ...(await rolesForSeveral(bench, rsa, bits, ofOthers))]) {
        await bench.decide('SSH-KEYLEN-01', async () =>
          expect((await signed(context, one, permitted)).certificate.key).toBe(rsaPair(listed).fingerprint),
        )
        await bench.decide('SSH-KEYLEN-02', async () => void (await refusesToSign(bench, one, forbidden, permitted)))
      }
    }
    await bench.decide('SSH-KEYLEN-03', async () => {
      for (const kind of ['ed25519', 'ecdsa-256'] as const)
        await refusesToSign(bench, role, ofKey(sshOracle.keyPair(kind, bench.random.bytes).publicKey), good)
    })
  },
)

check(
  'ssh/serials',
  ['SSH-SIGN-08', 'SSH-SIGN-09'],
  'serial numbers are unique, also when asked for at once',
  { ...ownMount, kind: 'race' },
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const [first, second, host] = [
      await roleWith(bench, caFields()),
      await roleWith(bench, caFields()),
      await roleWith(bench, hostFields()),
    ]
    // One CA signs by several roles, for users and hosts, in turns.
    const turns = [
      { name: first, body: request('ubuntu') },
      { name: second, body: request('deploy') },
      { name: host, body: hostRequest('web.example.com') },
    ]
    const ask = async (turn: number) => {
      const { name, body } = turns[turn % turns.length]!
      const { data } = await bench.given('ssh.signKey', { path: { name }, body })
      return String(data.serial_number)
    }
    const sequential: string[] = []
    const askEach = async () => {
      for (let turn = 0; turn < bench.effort(5, 18); turn += 1) sequential.push(await ask(turn))
    }
    await askEach()
    await bench.given('ssh.writeRole', { path: { name: first }, body: caFields({ ttl: '20m' }) })
    await bench.given('ssh.deleteRole', { path: { name: second } })
    await bench.given('ssh.writeRole', { path: { name: second }, body: caFields() })
    await askEach()
    await bench.decide('SSH-SIGN-08', () => expect(new Set(sequential).size).toBe(sequential.length))
    const concurrent = await Promise.all(Array.from({ length: bench.effort(12, 40) }, (_, turn) => ask(turn)))
    await bench.decide('SSH-SIGN-09', () =>
      expect(new Set([...sequential, ...concurrent]).size).toBe(sequential.length + concurrent.length),
    )
  },
)

const both = { allow_user_certificates: true, allow_host_certificates: true, allowed_domains: '*' }

const kindRoles = async (bench: Bench) => ({
  /** Signs for hosts only. */
  host: await roleWith(bench, hostFields({ allowed_users: '*' })),
  both: await roleWith(bench, caFields(both)),
  /** Signs for users only. */
  user: await roleWith(bench, caFields({ allowed_domains: '*' })),
})

/** A role that permits certificates of neither kind; undefined where the server takes none. */
const permitsNeither = async (bench: Bench): Promise<string | undefined> => {
  const path = { name: bench.mixedName('neither') }
  const { allow_user_certificates: _, ...body } = caFields({ allowed_domains: '*' })
  return (await bench.call('ssh.writeRole', { path, body })).ok ? path.name : undefined
}

check(
  'ssh/certificate-kinds',
  ['SSH-USERCERT-01', 'SSH-USERCERT-02'],
  'a role signs for users where it permits that',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const asUser = { ...request('ubuntu'), cert_type: 'user' }
    const roles = await kindRoles(bench)
    // A user certificate is what is asked for by default, too.
    for (const wanted of [asUser, request('ubuntu')]) {
      await bench.decide(
        'SSH-USERCERT-01',
        async () => void (await roleRefusesToSign(bench, { bad: roles.host, good: roles.both }, wanted)),
      )
      await bench.decide('SSH-USERCERT-02', async () => {
        for (const role of [roles.user, roles.both]) expect((await signed(context, role, wanted)).certificate.type).toBe('user')
      })
    }
    const bad = await permitsNeither(bench)
    if (bad !== undefined)
      await bench.decide('SSH-USERCERT-01', async () => {
        for (const wanted of [asUser, request('ubuntu')]) await roleRefusesToSign(bench, { bad, good: roles.both }, wanted)
      })
  },
)

check(
  'ssh/certificate-for-hosts',
  ['SSH-HOSTCERT-01', 'SSH-HOSTCERT-02', 'SSH-SIGN-23'],
  'a role signs for hosts where it permits that',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const asHost = hostRequest('web.example.com')
    const roles = await kindRoles(bench)
    await bench.decide('SSH-SIGN-23', async () => {
      const { type, principals } = (await signed(context, roles.both, asHost)).certificate
      expect({ type, principals }).toEqual({ type: 'host', principals: ['web.example.com'] })
    })
    for (const bad of [roles.user, ...[(await permitsNeither(bench)) ?? []].flat()])
      await bench.decide('SSH-HOSTCERT-01', async () => void (await roleRefusesToSign(bench, { bad, good: roles.both }, asHost)))
    await bench.decide('SSH-HOSTCERT-02', async () => expect((await signed(context, roles.host, asHost)).certificate.type).toBe('host'))
  },
)

check('ssh/certificate-for-nobody', 'SSH-SIGN-21', 'no certificate is valid for anyone by naming no one', ownMount, async (context) => {
  const { bench, expect } = context
  await withCa(bench)
  const { publicKey } = userPair()
  const expectNamed = async (role: string, body: JsonObject) => {
    const answer = await bench.call('ssh.signKey', { path: { name: role }, body: { public_key: publicKey, ...body } })
    if (!answer.ok) return expect(answer).toBeRefused()
    const { principals } = await sshOracle.readCertificate(String(answer.data.signed_key))
    expect(principals.length, 'principals of the certificate').toBeGreaterThan(0)
  }
  const listed = await roleWith(bench, caFields({ allowed_users: 'deploy' }))
  const host = await roleWith(bench, hostFields({ allowed_domains: 'example.com', allow_subdomains: true }))
  for (const valid_principals of ['', ',', ' ']) await expectNamed(listed, { valid_principals })
  await expectNamed(listed, {})
  // An absent list admits no user, and a request without a user may stand for any.
  const none = await roleWith(bench, caFields({ allowed_users: '' }))
  await expectNamed(none, {})
  await expectNamed(none, { valid_principals: '' })
  await expectNamed(host, { cert_type: 'host' })
  await signed(context, listed, { public_key: publicKey, valid_principals: 'deploy' })
})
