import { type Answer, asObject, check, sshOracle } from '../../../harness/checks/index.ts'
import { caFields, ownMount, roleWith, userPair, withCa } from '../fixtures.ts'
import { privateLine, rsaPair } from '../rsa-keys.ts'
import { atConfig, atRoute, bare, certified, expectSignedBy, makesPairs, pairBody, showsPrivateKey, showsPublicKey } from './ca-pair.ts'

check('ssh/ca-generate', ['SSH-CA-01', 'SSH-CA-02', 'SSH-CA-22'], 'a pair is generated on demand', makesPairs, async (context) => {
  const { bench, expect } = context
  const answer = await bench.call('ssh.writeCa', { body: { generate_signing_key: true } })
  const [config, route] = [await bench.call('ssh.readCa'), await bench.call('ssh.readPublicKey', { as: 'none' })]
  const { line } = await certified(context)
  await bench.decide('SSH-CA-01', async () => {
    expect(answer).toHaveStatus(200)
    const shown = bare(answer.data.public_key)
    expect(shown.length).toBeGreaterThan(80)
    expect([bare(config.data.public_key), bare(route.text)], 'the key of the answer, at config/ca and at public_key').toEqual([
      shown,
      shown,
    ])
    await expectSignedBy(context, line, shown)
  })
  await bench.decide('SSH-CA-22', () => {
    for (const one of [answer, config, route]) expect(showsPrivateKey(one), `a private key in the answer of ${one.operation}`).toBe(false)
  })
  await bench.decide('SSH-CA-02', () => expect(sshOracle.keyFacts(bare(config.data.public_key)).kind).toBe('rsa'))
})

/** What a 200 in place of a 204 is for: null where the answer warns of nothing. */
const warningsOf = ({ body }: Answer): unknown => {
  const { warnings } = asObject(body)
  return warnings === undefined || (Array.isArray(warnings) && warnings.length === 0) ? null : warnings
}

check(
  'ssh/ca-generate-again',
  ['SSH-CA-01', 'SSH-CA-09', 'SSH-CA-10'],
  'each generation replaces the pair that is there, and answers with the one that it made',
  makesPairs,
  async ({ bench, expect }) => {
    const body = { generate_signing_key: true }
    await bench.given('ssh.writeCa', { body })
    const keys = [await atConfig(bench)]
    const isNew = async ({ data }: Answer, what: string): Promise<void> => {
      expect(bare(data.public_key), `the key that is answered, ${what}`).toBe(bare((await bench.given('ssh.readCa')).data.public_key))
      expect(keys.includes(bare(data.public_key)), `it is a former one, ${what}`).toBe(false)
      keys.push(bare(data.public_key))
    }
    const again = bench.needing('replaceCa', await bench.call('ssh.writeCa', { body }))
    const [config, route] = [await atConfig(bench), await atRoute(bench)]
    await bench.decide('SSH-CA-09', () => {
      expect(again, 'generation over an existing pair').toSucceed()
      expect(config === keys[0], 'config/ca shows the former key').toBe(false)
    })
    await bench.decide('SSH-CA-10', () => expect(route === keys[0], 'public_key shows the former key').toBe(false))
    if (again.ok) await bench.decide('SSH-CA-01', () => isNew(again, 'instead of another'))
    await bench.given('ssh.deleteCa')
    const made = await bench.given('ssh.writeCa', { body })
    await bench.decide('SSH-CA-01', () => isNew(made, 'after a deletion'))
  },
)

check('ssh/ca-missing', ['SSH-SIGN-39', 'SSH-SIGN-40'], 'without a CA nothing is signed', ownMount, async ({ bench, expect }) => {
  const path = { name: await roleWith(bench, caFields()) }
  const body = { public_key: userPair().publicKey, valid_principals: 'ubuntu' }
  const refuses = async (when: string): Promise<void> => {
    const answer = await bench.call('ssh.signKey', { path, body })
    await bench.decide('SSH-SIGN-39', () => {
      expect(answer.ok, `a request to sign ${when} succeeded`).toBe(false)
      expect(answer.text.includes('-cert-v01@openssh.com'), `a certificate in the answer ${when}`).toBe(false)
    })
    await bench.decide('SSH-SIGN-40', () => expect(answer, when).toBeRefused())
  }
  if (showsPublicKey(await bench.call('ssh.readCa'))) await bench.given('ssh.deleteCa')
  await refuses('where no CA was set')
  await withCa(bench)
  await bench.given('ssh.signKey', { path, body })
  await bench.given('ssh.deleteCa')
  await refuses('after the CA was deleted')
})

check('ssh/ca-default', 'SSH-CA-03', 'without a word a pair is generated', makesPairs, async (context) => {
  const { bench, expect } = context
  const answer = await bench.call('ssh.writeCa', { body: {} })
  expect(answer).toHaveStatus(200, 204)
  const shown = await atConfig(bench)
  // A 200 is an answer that shows the key, or that warns where a 204 would say enough.
  if (answer.status === 200 && warningsOf(answer) === null) expect(bare(answer.data.public_key), 'the public key in the answer').toBe(shown)
  await expectSignedBy(context, (await certified(context)).line, shown)
})

check('ssh/ca-supplied', ['SSH-CA-04', 'SSH-CA-05'], 'a supplied pair is taken and signs', ownMount, async (context) => {
  const { bench, expect } = context
  const pair = rsaPair('ca')
  const answer = await bench.call('ssh.writeCa', { body: pairBody(pair) })
  await bench.decide('SSH-CA-04', () => {
    expect(answer).toHaveStatus(200, 204)
    if (answer.status === 200) expect(warningsOf(answer), 'the warnings of a 200').not.toBeNull()
  })
  const { line } = await certified(context)
  await bench.decide('SSH-CA-05', () => expectSignedBy(context, line, pair.publicKey))
})

check(
  'ssh/ca-supplied-shown',
  ['SSH-CA-06', 'SSH-CA-12', 'SSH-CA-15'],
  'both routes show the public key of a supplied pair',
  ownMount,
  async ({ bench, expect }) => {
    const pair = await withCa(bench)
    const [config, route] = [await bench.call('ssh.readCa'), await bench.call('ssh.readPublicKey', { as: 'none' })]
    await bench.decide('SSH-CA-12', () => {
      expect(config).toHaveStatus(200)
      expect(typeof config.data.public_key, 'the type of public_key').toBe('string')
    })
    await bench.decide('SSH-CA-06', () => {
      expect(bare(config.data.public_key), 'at config/ca').toBe(pair.publicKey)
      expect(bare(route.text), 'at public_key').toBe(pair.publicKey)
    })
    await bench.decide('SSH-CA-15', () => expect(bare(route.text)).toBe(bare(config.data.public_key)))
  },
)

check('ssh/ca-supplied-hidden', 'SSH-CA-22', 'no answer has the private key of a supplied pair', ownMount, async (context) => {
  const { bench, expect } = context
  const pair = rsaPair('ca')
  const answers = [
    await bench.given('ssh.writeCa', { body: pairBody(pair) }),
    await bench.call('ssh.readCa'),
    await bench.call('ssh.readPublicKey', { as: 'none' }),
    (await certified(context)).answer,
  ]
  for (const { text } of answers) expect(text.includes(privateLine(pair)), 'the private key is in an answer').toBe(false)
})

check(
  'ssh/ca-public-route',
  ['SSH-CA-13', 'SSH-CA-14', 'SSH-CA-31'],
  'the public key is plain text for anyone',
  ownMount,
  async ({ bench, expect }) => {
    const pair = await withCa(bench)
    const answer = await bench.call('ssh.readPublicKey', { as: 'none' })
    await bench.decide('SSH-CA-14', () => expect(answer, 'without a token').toHaveStatus(200))
    const others = [answer, await bench.call('ssh.readPublicKey', { as: 'none', headers: { Accept: 'application/json' } })]
    await bench.decide('SSH-CA-13', () => {
      for (const { headers } of others) expect(headers['content-type']).toMatch(/^text\/plain\b/)
    })
    await bench.decide('SSH-CA-31', () => {
      expect(answer.text.trim().split('\n')).toHaveLength(1)
      expect(bare(answer.text)).toBe(pair.publicKey)
    })
  },
)

check(
  'ssh/ca-replace',
  ['SSH-CA-09', 'SSH-CA-10', 'SSH-CA-11'],
  'a new pair takes the place of the old one everywhere',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    const first = await withCa(bench, rsaPair('ca'))
    const before = await certified(context)
    expect(await sshOracle.isSignedBy(before.line, first.publicKey)).toBe(true)
    for (const next of [rsaPair('caOther'), rsaPair('user3072')]) {
      const answer = bench.needing('replaceCa', await bench.call('ssh.writeCa', { body: pairBody(next) }))
      const [config, route] = [await atConfig(bench), await atRoute(bench)]
      await bench.decide('SSH-CA-09', () => {
        expect(answer).toHaveStatus(200, 204)
        expect(config).toBe(next.publicKey)
      })
      await bench.decide('SSH-CA-10', () => expect(route).toBe(next.publicKey))
      const after = await certified(context)
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
    await withCa(bench)
    const role = await roleWith(bench, caFields())
    const body = { public_key: userPair().publicKey, valid_principals: 'ubuntu' }
    await bench.given('ssh.signKey', { path: { name: role }, body })
    // One that has taken another's place, where that is allowed, leaves nothing behind either.
    await bench.call('ssh.writeCa', { body: pairBody(rsaPair('caOther')) })
    const shown = [await bench.call('ssh.readCa'), await bench.call('ssh.readPublicKey', { as: 'none' })]
    if (!shown.every(showsPublicKey)) bench.blocked('the public key is shown in a form that this check does not know', 'see SSH-CA-06')
    expect(await bench.call('ssh.deleteCa')).toSucceed()
    const [config, route] = [await bench.call('ssh.readCa'), await bench.call('ssh.readPublicKey', { as: 'none' })]
    await bench.decide('SSH-CA-16', () => expect(showsPublicKey(config), 'a public key is shown').toBe(false))
    await bench.decide('SSH-CA-18', () => expect(showsPublicKey(route), 'a public key is shown').toBe(false))
    await bench.decide('SSH-CA-17', async () => expect(await bench.call('ssh.signKey', { path: { name: role }, body })).not.toSucceed())
    await withCa(bench)
    await bench.given('ssh.signKey', { path: { name: role }, body })
  },
)
