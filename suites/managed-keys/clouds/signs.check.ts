/** Success means that the service has signed: the same for the three cloud kinds. */
import { check, type JsonObject, neverShown } from '../../../harness/checks/index.ts'
import { givenKey, placesOf, writeOf } from '../fixtures.ts'
import { fails, passes, SOON, testOnce } from './service-tests.ts'
import { atGateway, CLOUD_KINDS, type CloudKind, type ServiceKey, serviceOf } from './services.ts'

/** Another spec of each kind, and where its key is. */
const OTHERS: Record<CloudKind, [spec: string, more: JsonObject]> = {
  cloudakms: ['RSA_2048', { region: 'eu-central-1' }],
  cloudbkeyvault: ['RSA_2048', { resource: 'managedhsm.azure.net' }],
  cloudckms: ['RSA_SIGN_PKCS1_2048_SHA256', { crypto_key_version: '2' }],
}

/** The same parameters of the first key: an update may keep those that it leaves out. */
const FIRST: Record<CloudKind, JsonObject> = {
  cloudakms: {},
  cloudbkeyvault: { resource: 'vault.azure.net' },
  cloudckms: { crypto_key_version: '1' },
}

for (const kind of CLOUD_KINDS) {
  check(
    `managed-keys/${kind}-signs`,
    ['MANAGED-KEYS-SIGN-25', 'MANAGED-KEYS-SIGN-30'],
    `the service signs in the test of a key of kind ${kind}`,
    atGateway,
    async (context) => {
      const { bench, expect } = context
      const service = await serviceOf(bench, kind)
      const [key, other] = [await service.key(), await service.key()]
      const name = await givenKey(bench, kind, key.body)
      for (const round of ['first', 'second'])
        await bench.decide('MANAGED-KEYS-SIGN-25', async () => {
          const before = (await key.signatures()).length
          expect(await testOnce(bench, kind, name), `the ${round} test`).toSucceed()
          expect((await key.signatures()).length > before, `the service has signed with the key in the ${round} test`).toBe(true)
        })
      await bench.decide('MANAGED-KEYS-SIGN-25', async () => expect(await other.signatures(), 'signatures with another key').toEqual([]))
      await service.place.dropKey(key.name)
      const after = await testOnce(bench, kind, name)
      await bench.decide('MANAGED-KEYS-SIGN-30', async () => {
        expect(after.ok, 'the test succeeds once the key has gone').toBe(false)
        await passes(context, service, other, 'of a key that is still there')
      })
    },
  )

  check(
    `managed-keys/${kind}-updated`,
    ['MANAGED-KEYS-WRITE-05', 'MANAGED-KEYS-SIGN-25'],
    `a key of kind ${kind} signs as it was written last, beside others that sign as they were`,
    atGateway,
    async ({ bench, expect }) => {
      // In another place, so that every parameter differs: who asks, where, and for which key.
      const [service, elsewhere] = [await serviceOf(bench, kind), await serviceOf(bench, kind)]
      const [first, second] = [await service.key(undefined, FIRST[kind]), await elsewhere.key(...OTHERS[kind])]
      const name = await givenKey(bench, kind, first.body)
      const beside = await givenKey(bench, kind, first.body, `${name}-2`)
      const signedWith = async (label: string, tested: string, meant: ServiceKey, other: ServiceKey): Promise<void> => {
        const before = [await meant.signatures(), await other.signatures()].map(({ length }) => length)
        expect(await testOnce(bench, kind, tested), `the test ${label}`).toSucceed()
        await bench.eventually(
          async () => expect((await meant.signatures()).length > before[0]!, `the key that is meant signs ${label}`).toBe(true),
          SOON,
        )
        expect((await other.signatures()).length, `signatures with the other key ${label}`).toBe(before[1]!)
      }
      await bench.decide('MANAGED-KEYS-SIGN-25', () => signedWith('at first', name, first, second))
      await bench.decide('MANAGED-KEYS-WRITE-05', async () => {
        expect(await bench.call(writeOf(kind), { path: { name }, body: second.body })).toSucceed()
        await signedWith('after the update', name, second, first)
      })
      await bench.decide('MANAGED-KEYS-SIGN-25', () => signedWith('of its neighbour', beside, first, second))
      await bench.given('managedKeys.delete', { path: { type: kind, name } })
      await givenKey(bench, kind, first.body, name)
      await bench.decide('MANAGED-KEYS-SIGN-25', () => signedWith('once it was made again', name, first, second))
    },
  )

  check(
    `managed-keys/${kind}-failing`,
    'MANAGED-KEYS-SIGN-46',
    `a service of kind ${kind} that fails, or signs wrongly, fails the test`,
    atGateway,
    async (context) => {
      const { bench } = context
      const service = await serviceOf(bench, kind)
      const key = await service.key()
      await passes(context, service, key, 'before')
      for (const [label, order] of [
        ['while signatures are wrong', { wrongSignature: true }],
        ['while the service fails', { status: 503 }],
        ['while the service breaks off', { cut: true }],
      ] as const) {
        await service.place.order({ operation: service.signs, ...order })
        await fails(context, service, key, label)
        await service.place.order()
      }
      await passes(context, service, key, 'afterwards')
    },
  )

  check(
    `managed-keys/${kind}-secrets`,
    'MANAGED-KEYS-SIGN-47',
    `no answer of a test shows the secrets of kind ${kind}`,
    { ...atGateway, kind: 'security' },
    async (context) => {
      const { bench } = context
      const service = await serviceOf(bench, kind)
      const { body } = await service.key()
      const answers = []
      for (const where of placesOf(bench)) {
        const name = await givenKey(bench, kind, body, undefined, where)
        answers.push(await testOnce(bench, kind, name, {}, where))
        for (const order of [{ wrongSignature: true }, { status: 500 }, { status: 403 }]) {
          await service.place.order({ operation: service.signs, ...order })
          answers.push(await testOnce(bench, kind, name, {}, where))
        }
        await service.place.order()
      }
      answers.push(await testOnce(bench, kind, await givenKey(bench, kind, service.absent().body)))
      neverShown(
        context,
        answers,
        service.secrets.flatMap((secret) => [secret, secret.split('\n')[1] ?? secret]),
      )
    },
  )
}
