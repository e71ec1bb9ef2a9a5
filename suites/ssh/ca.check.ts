import { type Bench, type CheckContext, check, type JsonObject, type SshKeyPair, sshOracle } from '../../harness/checks/index.ts'
import { caFields, ownMount, roleWith, signed, userPair, withCa } from './fixtures.ts'
import { privateLine, rsaPair } from './rsa-keys.ts'

/** Algorithm and key of a public key's line, without comment and line end. */
const bare = (line: unknown): string => String(line).trim().split(/\s+/).slice(0, 2).join(' ')

const atConfig = async (bench: Bench): Promise<string> => bare((await bench.call('ssh.readCa')).data.public_key)
const atRoute = async (bench: Bench): Promise<string> => bare((await bench.call('ssh.readPublicKey', { as: 'none' })).text)

const pairBody = (pair: SshKeyPair, more: JsonObject = {}): JsonObject => ({
  private_key: pair.privateKey,
  public_key: pair.publicKey,
  ...more,
})

/** A certificate that the mount's CA signs now, for a role made for it. */
const sample = async (context: CheckContext) =>
  signed(context, await roleWith(context.bench, caFields()), { public_key: userPair(context.bench).publicKey, valid_principals: 'ubuntu' })

const expectSignedBy = async (context: CheckContext, line: string, ca: string): Promise<void> => {
  context.expect(await sshOracle.isSignedBy(line, ca), 'the signature verifies under the CA').toBe(true)
}

check('ssh/ca-generate', ['SSH-CA-01', 'SSH-CA-02', 'SSH-SIGN-06'], 'a pair is generated on demand', ownMount, async (context) => {
  const { bench, expect } = context
  const answer = await bench.call('ssh.writeCa', { body: { generate_signing_key: true } })
  await bench.decide('SSH-CA-01', () => {
    expect(answer).toHaveStatus(200)
    expect(bare(answer.data.public_key).length).toBeGreaterThan(80)
  })
  const shown = await atConfig(bench)
  await bench.decide('SSH-CA-02', () => expect(sshOracle.keyFacts(shown).kind).toBe('rsa'))
  await bench.decide('SSH-SIGN-06', async () => expectSignedBy(context, (await sample(context)).line, shown))
})

check('ssh/ca-default', 'SSH-CA-03', 'without a word a pair is generated', ownMount, async (context) => {
  const { bench, expect } = context
  expect(await bench.call('ssh.writeCa', { body: {} })).toHaveStatus(200, 204)
  await expectSignedBy(context, (await sample(context)).line, await atConfig(bench))
})

check(
  'ssh/ca-supplied',
  ['SSH-CA-04', 'SSH-CA-05', 'SSH-CA-06', 'SSH-CA-12', 'SSH-CA-15', 'SSH-CA-22'],
  'a supplied pair signs and is shown',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    const pair = rsaPair('ca')
    const answer = await bench.call('ssh.writeCa', { body: pairBody(pair, { generate_signing_key: false }) })
    await bench.decide('SSH-CA-04', () => expect(answer).toHaveStatus(200, 204))
    const { line, answer: certified } = await sample(context)
    await bench.decide('SSH-CA-05', () => expectSignedBy(context, line, pair.publicKey))
    const [config, route] = [await bench.call('ssh.readCa'), await bench.call('ssh.readPublicKey', { as: 'none' })]
    await bench.decide('SSH-CA-12', () => expect(config).toHaveStatus(200))
    await bench.decide('SSH-CA-06', () => {
      expect(bare(config.data.public_key), 'at config/ca').toBe(pair.publicKey)
      expect(bare(route.text), 'at public_key').toBe(pair.publicKey)
    })
    await bench.decide('SSH-CA-15', () => expect(bare(route.text)).toBe(bare(config.data.public_key)))
    await bench.decide('SSH-CA-22', () => {
      for (const { text } of [answer, config, route, certified])
        expect(text.includes(privateLine(pair)), 'the private key is in an answer').toBe(false)
    })
  },
)

check(
  'ssh/ca-public-route',
  ['SSH-CA-13', 'SSH-CA-14', 'SSH-CA-31'],
  'the public key is plain text for anyone',
  ownMount,
  async ({ bench, expect }) => {
    const pair = await withCa(bench)
    const answer = await bench.call('ssh.readPublicKey', { as: 'none' })
    await bench.decide('SSH-CA-14', () => expect(answer, 'without a token').toHaveStatus(200))
    await bench.decide('SSH-CA-13', () => expect(answer.headers['content-type']).toMatch(/^text\/plain\b/))
    await bench.decide('SSH-CA-31', () => {
      expect(answer.text.trim().split('\n')).toHaveLength(1)
      expect(bare(answer.text)).toBe(pair.publicKey)
    })
  },
)

check('ssh/ca-incomplete-pair', ['SSH-CA-07', 'SSH-CA-08'], 'without generation both keys are needed', ownMount, async ({ bench }) => {
  await withCa(bench)
  const pair = userPair(bench)
  const good = { body: pairBody(pair, { generate_signing_key: false }) }
  const refuses = (clause: string, body: JsonObject) =>
    bench.decide(clause, async () => {
      await bench.refuses('ssh.writeCa', {
        bad: { body: { ...body, generate_signing_key: false } },
        good,
        unchanged: () => atConfig(bench),
      })
      await withCa(bench)
    })
  await refuses('SSH-CA-07', { public_key: pair.publicKey })
  await refuses('SSH-CA-08', { private_key: pair.privateKey })
})

check(
  'ssh/ca-unreadable-pair',
  ['SSH-CA-19', 'SSH-CA-20', 'SSH-CA-21'],
  'keys that cannot be read leave the CA as it was',
  ownMount,
  async ({ bench }) => {
    await withCa(bench)
    const pair = userPair(bench)
    const state = async () => [await atConfig(bench), await atRoute(bench)]
    const refuses = (clause: string, body: JsonObject) =>
      bench.decide(clause, async () => {
        const good = { body: pairBody(pair, { generate_signing_key: false }) }
        await bench.refuses('ssh.writeCa', { bad: { body: { ...good.body, ...body } }, good, unchanged: state })
        await withCa(bench)
      })
    const damaged = pair.privateKey.replace(/\n[^\n]+\n/, '\nAAAA\n')
    for (const private_key of ['no key', damaged, pair.publicKey]) await refuses('SSH-CA-19', { private_key })
    for (const public_key of ['no key', 'ssh-ed25519 AAAA', pair.publicKey.slice(0, -12)]) await refuses('SSH-CA-20', { public_key })
    await refuses('SSH-CA-21', { public_key: rsaPair('caOther').publicKey })
  },
)

check(
  'ssh/ca-types',
  ['SSH-CA-25', 'SSH-CA-26', 'SSH-CA-27'],
  'objects in place of keys and flag are refused',
  ownMount,
  async ({ bench }) => {
    await withCa(bench)
    const good = { body: pairBody(userPair(bench), { generate_signing_key: false }) }
    for (const [clause, field] of [
      ['SSH-CA-25', 'generate_signing_key'],
      ['SSH-CA-26', 'private_key'],
      ['SSH-CA-27', 'public_key'],
    ] as const) {
      await bench.decide(clause, async () => {
        const bad = { body: { ...good.body, [field]: { a: ['b'] } } }
        await bench.refuses('ssh.writeCa', { bad, good, unchanged: () => atConfig(bench) })
        await withCa(bench)
      })
    }
  },
)

check(
  'ssh/ca-replace',
  ['SSH-CA-09', 'SSH-CA-10', 'SSH-CA-11'],
  'a new pair takes the place of the old one everywhere',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    const [first, second] = [await withCa(bench, rsaPair('ca')), rsaPair('caOther')]
    const before = await sample(context)
    expect(await sshOracle.isSignedBy(before.line, first.publicKey)).toBe(true)
    for (const next of [second, userPair(bench)]) {
      const answer = await bench.call('ssh.writeCa', { body: pairBody(next, { generate_signing_key: false }) })
      const [config, route] = [await atConfig(bench), await atRoute(bench)]
      await bench.decide('SSH-CA-09', () => {
        expect(answer).toHaveStatus(200, 204)
        expect(config).toBe(next.publicKey)
      })
      await bench.decide('SSH-CA-10', () => expect(route).toBe(next.publicKey))
      const after = await sample(context)
      await bench.decide('SSH-CA-11', async () => {
        await expectSignedBy(context, after.line, next.publicKey)
        expect(await sshOracle.isSignedBy(after.line, first.publicKey), 'it verifies under the old CA').toBe(false)
      })
    }
  },
)

check(
  'ssh/ca-delete',
  ['SSH-CA-16', 'SSH-CA-17', 'SSH-CA-18'],
  'a deleted pair is neither shown nor used',
  ownMount,
  async ({ bench, expect }) => {
    const pair = await withCa(bench)
    const role = await roleWith(bench, caFields())
    const body = { public_key: userPair(bench).publicKey, valid_principals: 'ubuntu' }
    await bench.given('ssh.signKey', { path: { name: role }, body })
    expect(await bench.call('ssh.deleteCa')).toSucceed()
    await bench.decide('SSH-CA-16', async () => expect(await atConfig(bench)).not.toBe(pair.publicKey))
    await bench.decide('SSH-CA-18', async () => expect(await atRoute(bench)).not.toBe(pair.publicKey))
    await bench.decide('SSH-CA-17', async () => expect(await bench.call('ssh.signKey', { path: { name: role }, body })).not.toSucceed())
    await withCa(bench)
    await bench.given('ssh.signKey', { path: { name: role }, body })
  },
)

check('ssh/ca-other-kinds', ['SSH-CA-23', 'SSH-CA-24'], 'CA keys need not be RSA', ownMount, async (context) => {
  const { bench, expect } = context
  const kinds = [
    ['SSH-CA-23', 'ed25519'],
    ['SSH-CA-24', 'ecdsa-256'],
    ['SSH-CA-24', 'ecdsa-384'],
    ['SSH-CA-24', 'ecdsa-521'],
  ] as const
  for (const [clause, kind] of kinds) {
    const pair = sshOracle.keyPair(kind, bench.random.bytes)
    const answer = await bench.call('ssh.writeCa', { body: pairBody(pair, { generate_signing_key: false }) })
    await bench.decide(clause, async () => {
      expect(answer, kind).toHaveStatus(200, 204)
      await expectSignedBy(context, (await sample(context)).line, pair.publicKey)
    })
  }
})

const fateOf = (now: string, given: string, former: string): string => (now === given ? 'used' : now === former ? 'refused' : 'generated')

check('ssh/ca-flag-left-out', ['SSH-CA-28', 'SSH-CA-29'], 'a pair without the flag leaves one CA', ownMount, async (context) => {
  const { bench, expect } = context
  const before = await withCa(bench)
  const pair = userPair(bench)
  const { status } = await bench.call('ssh.writeCa', { body: pairBody(pair) })
  const [config, route] = [await atConfig(bench), await atRoute(bench)]
  await bench.decide('SSH-CA-28', async () => {
    expect(route, 'both routes').toBe(config)
    await expectSignedBy(context, (await sample(context)).line, config)
  })
  bench.observe('SSH-CA-29', { status, became: fateOf(config, pair.publicKey, before.publicKey) })
})

check('ssh/ca-pair-beside-flag', 'SSH-CA-33', 'a pair beside the demand to generate', ownMount, async ({ bench }) => {
  const before = await withCa(bench)
  const pair = userPair(bench)
  const { status } = await bench.call('ssh.writeCa', { body: pairBody(pair, { generate_signing_key: true }) })
  bench.observe('SSH-CA-33', { status, became: fateOf(await atConfig(bench), pair.publicKey, before.publicKey) })
})

check('ssh/ca-absent', 'SSH-CA-30', 'a mount without CA', ownMount, async ({ bench }) => {
  const [config, route] = [await bench.call('ssh.readCa'), await bench.call('ssh.readPublicKey', { as: 'none' })]
  bench.observe('SSH-CA-30', { config: config.status, route: route.status })
})
