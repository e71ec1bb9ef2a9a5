/** Keys of one name in the root and in the administrative namespace: what happens to one never shows at the other. */
import { apart, type Bench, type JsonObject } from '../../../harness/checks/index.ts'
import { administrativeOf, comparableKey, fieldsOf, goodBody, namesOf, READABLE, readableOf, removeLater, writeOf } from '../fixtures.ts'

/** What is done, and which of the two places it may change. */
interface Step {
  what: string
  run(): Promise<unknown>
  changes?: string[]
}

type Place = { namespace?: string }

/** What is seen of a key, its namespace being named in the header or in the path. */
const viewOf = (bench: Bench, kind: string, name: string, where: Place, namespaceInPath: number) => async (): Promise<unknown> => {
  const read = await bench.call('managedKeys.read', { ...where, namespaceInPath, path: { type: kind, name } })
  const listed = namesOf(await bench.call('managedKeys.list', { ...where, namespaceInPath, path: { type: kind } })).includes(name)
  return { read: read.ok ? comparableKey(fieldsOf(read)) : read.status, listed }
}

for (const kind of READABLE)
  apart(
    `managed-keys/${kind}-in-two-namespaces`,
    'MANAGED-KEYS-NS-03',
    `keys of kind ${kind} with one name in two namespaces are kept apart`,
    {},
    async ({ bench }) => {
      const name = bench.fresh('key')
      const places: Record<string, Place> = { 'the root': {}, 'the other namespace': { namespace: administrativeOf(bench) } }
      for (const where of Object.values(places)) for (const one of readableOf(bench)) removeLater(bench, one, name, where)
      // Requests name their namespace by turns in the header and in the path.
      let turn = 0
      const spelled = (place: string) => ({ ...places[place], namespaceInPath: turn++ % 2 })
      const write = (place: string, more: JsonObject, of = kind) =>
        bench.given(writeOf(of), { ...spelled(place), path: { name }, body: { ...goodBody(bench, of), ...more } })
      const remove = (place: string) => bench.given('managedKeys.delete', { ...spelled(place), path: { type: kind, name } })
      const names = Object.keys(places)
      const seen = [...names.map((place) => [place, place, 0] as const), [`${names[1]!}, by its path`, names[1]!, 1] as const]
      const at = (place: string) => seen.flatMap(([what, one]) => (one === place ? [what] : []))
      const other = readableOf(bench).find((one) => one !== kind)!
      const beside = { ...places['the other namespace'], path: { type: other, name } }
      const steps: Step[] = names.flatMap((place, index) => [
        { what: `written in ${place}`, run: () => write(place, { any_mount: String(index === 0) }), changes: at(place) },
      ])
      for (const place of names)
        steps.push(
          {
            what: `written again in ${place}`,
            run: () => write(place, { allow_store_key: 'true', any_mount: 'true' }),
            changes: at(place),
          },
          { what: `deleted in ${place}`, run: () => remove(place), changes: at(place) },
          {
            what: `deleted once more in ${place}`,
            run: () => bench.call('managedKeys.delete', { ...spelled(place), path: { type: kind, name } }),
          },
          { what: `made again in ${place}`, run: () => write(place, { allow_replace_key: 'true' }), changes: at(place) },
        )
      steps.push(
        { what: 'deleted in the other namespace', run: () => remove(names[1]!), changes: at(names[1]!) },
        { what: 'made there as another kind', run: () => write(names[1]!, {}, other) },
        { what: 'deleted there as another kind', run: () => bench.given('managedKeys.delete', beside) },
        { what: 'deleted in the root', run: () => remove(names[0]!), changes: at(names[0]!) },
      )
      const absent = { read: 404, listed: false }
      return {
        views: Object.fromEntries(seen.map(([what, place, inPath]) => [what, viewOf(bench, kind, name, places[place]!, inPath)])),
        atFirst: Object.fromEntries(seen.map(([what]) => [what, absent])),
        steps,
      }
    },
  )
