/** Names and kinds that end in a period, at the end of a path and within it: they name nothing, least of all what is called so without it. */
import { type Bench, type CallInput, check } from '../../../harness/checks/index.ts'
import { givenKey, goodBody, type Kind, kindsOf, namesOf, placesOf, readableOf, stateOf, writeOf } from '../fixtures.ts'

const PERIODS = ['.', '..']

/** Whether a key of every kind is read and deleted is open. */
const READS = ['managedKeys.read', 'managedKeys.delete']

/** What is asked of a name or kind that is spelled with a period. */
const attempts = (bench: Bench, kind: Kind, name: string): [operation: string, input: CallInput][] => {
  const body = { ...goodBody(bench, kind), any_mount: 'true' }
  const isReadable = readableOf(bench).some((one) => one === kind)
  const named = PERIODS.flatMap((periods): [string, CallInput][] => {
    const path = { type: kind, name: `${name}${periods}` }
    return [
      [writeOf(kind), { path: { name: path.name }, body }],
      ['managedKeys.testSign', { path, body: {} }],
      ...(isReadable ? READS.map((operation): [string, CallInput] => [operation, { path }]) : []),
    ]
  })
  const type = `${kind}.`
  return [
    ...named,
    ['managedKeys.testSign', { path: { type, name }, body: {} }],
    ...(isReadable ? [['managedKeys.list', { path: { type } }] as [string, CallInput]] : []),
    ...(isReadable ? READS.map((operation): [string, CallInput] => [operation, { path: { type, name } }]) : []),
  ]
}

check(
  'managed-keys/periods',
  ['CORE-PERIOD-01', 'CORE-PERIOD-02'],
  'a name or kind that ends in a period is answered with 404, wherever it stands in the path',
  async ({ bench, expect }) => {
    for (const where of placesOf(bench))
      for (const kind of kindsOf(bench)) {
        const name = await givenKey(bench, kind, undefined, undefined, where)
        const seen = async () => {
          if (!readableOf(bench).some((one) => one === kind)) return {}
          const listed = namesOf(await bench.given('managedKeys.list', { ...where, path: { type: kind } }))
          return { state: await stateOf(bench, kind, name, where), listed: listed.filter((one) => one.startsWith(name)) }
        }
        const before = await seen()
        for (const [operation, input] of attempts(bench, kind, name)) {
          const answer = await bench.call(operation, { ...where, ...input })
          const what = `${operation} of ${JSON.stringify(input.path)}`
          await bench.decide('CORE-PERIOD-01', () => expect(answer, what).toHaveStatus(404))
          const { errors } = (answer.body ?? {}) as { errors?: unknown[] }
          const said = (errors ?? []).filter((error) => typeof error === 'string' && error.trim() !== '')
          await bench.decide('CORE-PERIOD-02', () => expect(said.length, `errors that say something, of ${what}`).toBeGreaterThan(0))
        }
        await bench.decide('CORE-PERIOD-01', async () => expect(await seen(), `the key of kind ${kind}`).toEqual(before))
      }
  },
)
