import { type Bench, check, type JsonObject } from '../../../harness/checks/index.ts'
import { ownMount, withCa } from '../fixtures.ts'
import { rsaPair } from '../rsa-keys.ts'
import { atConfig, atRoute, pairBody } from './ca-pair.ts'

/** A good pair for a mount whose CA is deleted first: whether a pair replaces another is found elsewhere. */
const onNone = (bench: Bench, body: JsonObject) => async () => {
  await bench.call('ssh.deleteCa')
  return { body }
}

check('ssh/ca-incomplete-pair', ['SSH-CA-07', 'SSH-CA-08'], 'without generation both keys are needed', ownMount, async ({ bench }) => {
  await withCa(bench)
  const good = pairBody(rsaPair('caOther'))
  const refuses = (clause: string, { [clause === 'SSH-CA-07' ? 'private_key' : 'public_key']: _, ...body }: JsonObject) =>
    bench.decide(clause, async () => {
      await bench.refuses('ssh.writeCa', { bad: { body }, control: onNone(bench, good), unchanged: () => atConfig(bench) })
      await withCa(bench)
    })
  await refuses('SSH-CA-07', good)
  await refuses('SSH-CA-08', good)
})

check(
  'ssh/ca-unreadable-pair',
  ['SSH-CA-19', 'SSH-CA-20', 'SSH-CA-21'],
  'keys that cannot be read leave the CA as it was',
  ownMount,
  async ({ bench }) => {
    await withCa(bench)
    const pair = rsaPair('caOther')
    const good = pairBody(pair)
    const state = async () => [await atConfig(bench), await atRoute(bench)]
    const refuses = (clause: string, body: JsonObject) =>
      bench.decide(clause, async () => {
        await bench.refuses('ssh.writeCa', { bad: { body: { ...good, ...body } }, control: onNone(bench, good), unchanged: state })
        await withCa(bench)
      })
    const damaged = pair.privateKey.replace(/\n[^\n]+\n/, '\nAAAA\n')
    for (const private_key of bench.few(['no key', damaged, pair.publicKey], 1)) await refuses('SSH-CA-19', { private_key })
    for (const public_key of bench.few(['no key', 'ssh-rsa AAAA', pair.publicKey.slice(0, -12)], 1))
      await refuses('SSH-CA-20', { public_key })
    await refuses('SSH-CA-21', { public_key: rsaPair('user2048').publicKey })
  },
)

check(
  'ssh/ca-types',
  ['SSH-CA-25', 'SSH-CA-26', 'SSH-CA-27'],
  'objects in place of keys and flag are refused',
  ownMount,
  async ({ bench }) => {
    await withCa(bench)
    const good = pairBody(rsaPair('caOther'))
    for (const [clause, field] of [
      ['SSH-CA-25', 'generate_signing_key'],
      ['SSH-CA-26', 'private_key'],
      ['SSH-CA-27', 'public_key'],
    ] as const) {
      await bench.decide(clause, async () => {
        const bad = { body: { ...good, [field]: { a: ['b'] } } }
        await bench.refuses('ssh.writeCa', { bad, control: onNone(bench, good), unchanged: () => atConfig(bench) })
        await withCa(bench)
      })
    }
  },
)
