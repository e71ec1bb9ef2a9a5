/** Several names for one key of a backend: each is configured by itself. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { comparableKey, givenKey, goodBody, isTrue, namesOf, readableOf, readKey } from '../fixtures.ts'

const FLAGS = ['allow_generate_key', 'allow_replace_key', 'allow_store_key', 'any_mount']

check(
  'managed-keys/one-key-under-several-names',
  ['MANAGED-KEYS-WRITE-06', 'MANAGED-KEYS-MODEL-01'],
  'a name for a key of a backend is written and deleted without the other names for it',
  async ({ bench, expect }) => {
    for (const kind of bench.few(readableOf(bench), 1)) {
      const body = { ...goodBody(bench, kind), key_bits: kind === 'pkcs11' ? 2048 : '2048' }
      const flagged = (of: (index: number) => boolean): JsonObject =>
        Object.fromEntries(FLAGS.map((flag, index) => [flag, String(of(index))]))
      const first = await givenKey(bench, kind, { ...body, ...flagged((index) => index % 2 === 0) })
      const before = comparableKey(await readKey(bench, kind, first))
      const second = await givenKey(bench, kind, { ...body, ...flagged((index) => index % 2 === 1) })
      const others = [before, comparableKey(await readKey(bench, kind, second))]
      await bench.decide('MANAGED-KEYS-WRITE-06', async () => {
        expect(
          FLAGS.map((flag) => isTrue(others[1]![flag])),
          `flags of the second name, of kind ${kind}`,
        ).toEqual([false, true, false, true])
        expect(comparableKey(await readKey(bench, kind, first)), `the first name of kind ${kind} once there is a second`).toEqual(before)
      })
      await givenKey(bench, kind, { ...body, ...flagged(() => true) }, second)
      await bench.decide('MANAGED-KEYS-WRITE-06', async () =>
        expect(comparableKey(await readKey(bench, kind, first)), `the first name of kind ${kind} after an update of the second`).toEqual(
          before,
        ),
      )
      await bench.given('managedKeys.delete', { path: { type: kind, name: second } })
      const listed = namesOf(await bench.call('managedKeys.list', { path: { type: kind } }))
      const read = await bench.call('managedKeys.read', { path: { type: kind, name: first } })
      await bench.decide('MANAGED-KEYS-MODEL-01', () => {
        expect(
          [first, second].map((name) => listed.includes(name)),
          `whether the two names of kind ${kind} are listed after the deletion of the second`,
        ).toEqual([true, false])
        expect(read, `a read of the first name of kind ${kind} then`).toSucceed()
      })
    }
  },
)
