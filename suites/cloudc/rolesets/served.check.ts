/** What a roleset serves: nothing once it is deleted, whatever it served before; and it may be written in a long body. */
import { check } from '../../../harness/checks/index.ts'
import { needs, placeFor } from '../fixtures.ts'

check(
  'cloudc/deleted-serves-nothing',
  'CLOUDC-SET-15',
  'a deleted roleset gives no token and no key, also where it gave some before',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const [tokens, keys] = [await place.roleset(), await place.keyRoleset()]
    const asked = async () => [
      ...(await Promise.all(['GET', 'POST'].map((method) => bench.call('cloudc.readToken', { path: { roleset: tokens }, method })))),
      await bench.call('cloudc.readKey', { path: { roleset: keys } }),
      await bench.call('cloudc.createKey', { path: { roleset: keys }, body: {} }),
    ]
    for (const answer of await asked()) {
      expect(answer, `${answer.operation} while the roleset is there`).toSucceed()
      if (answer.operation !== 'cloudc.readToken') place.keyIn(answer)
    }
    for (const name of [tokens, keys]) await bench.given('cloudc.deleteRoleset', { path: { name } })
    for (const answer of await asked()) expect(answer, `${answer.operation} once the roleset is deleted`).toBeRefused()
  },
)

/** Bytes; far below the limit of any request. */
const LONG = 2_000_000

check('cloudc/long-body', 'CORE-LIMIT-01', 'a roleset may be written in a body of megabytes', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const name = place.name()
  const text = JSON.stringify(place.body())
  const answer = await bench.call('cloudc.writeRoleset', { path: { name }, rawBody: text + ' '.repeat(LONG - text.length) })
  expect(answer, `a body of ${LONG} bytes`).toSucceed()
  expect(await place.read(name)).toHaveStatus(200)
})
