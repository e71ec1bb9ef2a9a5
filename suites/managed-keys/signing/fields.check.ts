/** Every parameter that a test goes by, put wrong and right again, of a key that has been tested. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { givenKey, writeOf } from '../fixtures.ts'
import { inToken, MECHANISMS, onModule, ownTokens, type Place, signingKey, testFailed, testKey } from './module-tokens.ts'

check(
  'managed-keys/updated-fields',
  ['MANAGED-KEYS-WRITE-05', 'MANAGED-KEYS-USAGE-02'],
  'a test goes by each parameter as it was written last',
  onModule,
  async ({ bench, expect }) => {
    const [here, there] = (await ownTokens(bench, 2)) as [Place, Place]
    const { label, id } = await signingKey(bench, here)
    const { token_label: _, ...inSlot } = inToken(bench, here, { slot: here.slot, key_id: id })
    const absent = Buffer.from(bench.random.bytes(8)).toString('hex')
    const cases: [right: JsonObject, wrong: JsonObject[]][] = [
      [
        inToken(bench, here, { key_label: label }),
        [
          { key_label: bench.fresh('absent') },
          { token_label: bench.fresh('token') },
          { token_label: there.label, pin: there.pin },
          { mechanism: MECHANISMS.rsa },
          { library: bench.fresh('library') },
        ],
      ],
      [inSlot, [{ key_id: absent }, { slot: '424242' }, { slot: there.slot, pin: there.pin }]],
    ]
    for (const [right, wrong] of cases) {
      const name = await givenKey(bench, 'pkcs11', right)
      const write = (change: JsonObject) => bench.call(writeOf('pkcs11'), { path: { name }, body: { ...right, ...change } })
      const passes = async (when: string) => expect(await testKey(bench, name), `the test ${when}`).toSucceed()
      await bench.decide('MANAGED-KEYS-WRITE-05', () => passes('at first'))
      // Whether a wrong PIN passes after a right one is open, and that one which was refused is not stored is not.
      const refusedOnly: JsonObject = { pin: bench.canary('pin') }
      for (const change of [refusedOnly, ...wrong]) {
        const words = `with another ${Object.keys(change).join(' and ')}`
        const refused = await write({ ...change, usages: 'sign,assay' })
        await bench.decide('MANAGED-KEYS-USAGE-02', () => expect(refused, `an update ${words} and an unknown use`).toBeRefused())
        await bench.decide('MANAGED-KEYS-WRITE-05', () => passes(`after an update ${words} that was refused`))
        if (change === refusedOnly) continue
        // A target may find out when the key is written, too.
        const written = await write(change)
        const answer = written.ok ? await testKey(bench, name) : written
        await bench.decide('MANAGED-KEYS-WRITE-05', async () => {
          expect(testFailed(answer), `the test ${words} fails, with status ${answer.status}`).toBe(true)
          await givenKey(bench, 'pkcs11', right, name)
          await passes(`put right, after it was written ${words}`)
        })
      }
    }
  },
)
