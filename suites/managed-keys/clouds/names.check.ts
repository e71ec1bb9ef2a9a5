/** Names at the services: the key that a name means, whatever the name is made of, and none that is nearly called so. */
import { check } from '../../../harness/checks/index.ts'
import { givenKey } from '../fixtures.ts'
import { fails, passes, SOON, testOnce } from './service-tests.ts'
import { atGateway, CLOUD_KINDS, type CloudKind, type ServiceKey, serviceOf } from './services.ts'

/** Which clause says what names the key. */
const NAMED: Record<CloudKind, string> = {
  cloudakms: 'MANAGED-KEYS-SIGN-33',
  cloudbkeyvault: 'MANAGED-KEYS-SIGN-37',
  cloudckms: 'MANAGED-KEYS-SIGN-42',
}

/** Names that the service of a kind tells apart; the service of kind b does not tell cases apart. */
const NAMES: Record<CloudKind, (stem: string) => string[]> = {
  cloudakms: (stem) =>
    [`${stem}/b`, `${stem}/b/c`, `${stem}/b/C`, stem, `${stem}_b`, `${stem}-2`, `b/${stem}`].map((name) => `alias/${name}`),
  cloudbkeyvault: (stem) => [`${stem}-2`, `${stem}-2-3`, stem, `${stem}2`, `b-${stem}`],
  cloudckms: (stem) => [`${stem}_b`, `${stem}-b`, `${stem}_B`, stem, `${stem}2`, `b-${stem}`],
}

for (const kind of CLOUD_KINDS)
  check(
    `managed-keys/${kind}-names-near`,
    [NAMED[kind], 'MANAGED-KEYS-SIGN-26', 'MANAGED-KEYS-SIGN-28'],
    `keys of kind ${kind} that are nearly called alike are as many keys`,
    atGateway,
    async (context) => {
      const { bench, expect } = context
      const service = await serviceOf(bench, kind)
      const keys: { called: string; key: ServiceKey & { name: string } }[] = []
      for (const called of NAMES[kind](bench.fresh('key'))) keys.push({ called, key: await service.key(undefined, {}, called) })
      const signsEach = (when: string, those: typeof keys) =>
        bench.decide(NAMED[kind], async () => {
          for (const { called, key } of those) await passes(context, service, key, `of ${called}, ${when}`)
        })
      await signsEach('beside the others', keys)
      const [gone, ...left] = keys as [(typeof keys)[number], ...typeof keys]
      await service.place.dropKey(gone.key.name)
      await bench.decide('MANAGED-KEYS-SIGN-28', async () => {
        await fails(context, service, gone.key, `of ${gone.called}, which has gone, beside the others`)
        expect(await gone.key.held(), 'what the service has under its name').toEqual([])
      })
      const heldByOthers = () => Promise.all(left.map(({ key }) => key.held()))
      const before = await heldByOthers()
      const name = await givenKey(bench, kind, { ...gone.key.body, allow_generate_key: 'true' })
      const answer = await testOnce(bench, kind, name)
      await bench.decide('MANAGED-KEYS-SIGN-26', async () => {
        expect(answer, `the test that makes ${gone.called} beside the others`).toSucceed()
        await bench.eventually(async () => expect(await gone.key.held(), 'what the service has under its name').toHaveLength(1), SOON)
        expect(await heldByOthers(), 'what the service has under the other names').toEqual(before)
      })
      await signsEach('after one of them was made', left)
    },
  )
