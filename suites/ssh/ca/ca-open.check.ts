import { check, sshOracle } from '../../../harness/checks/index.ts'
import { ownMount, withCa } from '../fixtures.ts'
import { rsaPair } from '../rsa-keys.ts'
import { atConfig, atRoute, bare, certified, expectSignedBy, makesPairs, pairBody } from './ca-pair.ts'

check('ssh/ca-other-kinds', ['SSH-CA-23', 'SSH-CA-24', 'SSH-CA-06'], 'CA keys need not be RSA', ownMount, async (context) => {
  const { bench, expect } = context
  const kinds = [
    ['SSH-CA-23', 'ed25519'],
    ['SSH-CA-24', 'ecdsa-256'],
    ['SSH-CA-24', 'ecdsa-384'],
    ['SSH-CA-24', 'ecdsa-521'],
  ] as const
  for (const [clause, kind] of kinds) {
    const pair = sshOracle.keyPair(kind, bench.random.bytes)
    // Whether a pair replaces another is found elsewhere.
    if (kind !== 'ed25519') await bench.call('ssh.deleteCa')
    const answer = await bench.call('ssh.writeCa', { body: pairBody(pair) })
    await bench.decide(clause, async () => {
      expect(answer, kind).toHaveStatus(200, 204)
      await expectSignedBy(context, (await certified(context)).line, pair.publicKey)
    })
    if (!answer.ok) bench.observe('SSH-CA-06', `a pair of ${kind} is not taken`)
    else
      await bench.decide('SSH-CA-06', async () =>
        expect([await atConfig(bench), await atRoute(bench)], `what both routes show of a pair of ${kind}`).toEqual([
          bare(pair.publicKey),
          bare(pair.publicKey),
        ]),
      )
  }
})

const fateOf = (now: string, given: string, former: string): string => (now === given ? 'used' : now === former ? 'refused' : 'generated')

check('ssh/ca-flag-left-out', ['SSH-CA-28', 'SSH-CA-29'], 'a pair without the flag leaves one CA', makesPairs, async (context) => {
  const { bench, expect } = context
  const before = await withCa(bench)
  const pair = rsaPair('caOther')
  const { generate_signing_key: _, ...body } = pairBody(pair)
  const { status } = await bench.call('ssh.writeCa', { body })
  const [config, route] = [await atConfig(bench), await atRoute(bench)]
  await bench.decide('SSH-CA-28', async () => {
    expect(route, 'both routes').toBe(config)
    await expectSignedBy(context, (await certified(context)).line, config)
  })
  bench.observe('SSH-CA-29', { status, became: fateOf(config, pair.publicKey, before.publicKey) })
})

check('ssh/ca-pair-beside-flag', 'SSH-CA-33', 'a pair beside the demand to generate', makesPairs, async ({ bench }) => {
  const before = await withCa(bench)
  const pair = rsaPair('caOther')
  const { status } = await bench.call('ssh.writeCa', { body: { ...pairBody(pair), generate_signing_key: true }, observing: true })
  bench.observe('SSH-CA-33', { status, became: fateOf(await atConfig(bench), pair.publicKey, before.publicKey) })
})

check('ssh/ca-absent', 'SSH-CA-30', 'a mount without CA', ownMount, async ({ bench }) => {
  const [config, route] = [
    await bench.call('ssh.readCa', { observing: true }),
    await bench.call('ssh.readPublicKey', { as: 'none', observing: true }),
  ]
  bench.observe('SSH-CA-30', { config: config.status, route: route.status })
})
