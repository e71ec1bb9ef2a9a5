/** Keys of one name in the root and in the administrative namespace: what happens to one never shows at the other. */
import { apart, type Bench, type JsonObject } from '../../../harness/checks/index.ts'
import { administrativeOf, comparableKey, fieldsOf, goodBody, namesOf, READABLE, removeLater, writeOf } from '../fixtures.ts'

/** What is done, and which of the two places it may change. */
interface Step {
  what: string
  run(): Promise<unknown>
  changes?: string[]
}

type Place = { namespace?: string }

const viewOf = (bench: Bench, kind: string, name: string, where: Place) => async (): Promise<unknown> => {
  const read = await bench.call('managedKeys.read', { ...where, path: { type: kind, name } })
  const listed = namesOf(await bench.call('managedKeys.list', { ...where, path: { type: kind } })).includes(name)
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
      for (const where of Object.values(places)) for (const one of READABLE) removeLater(bench, one, name, where)
      const write = (place: string, more: JsonObject, of = kind) =>
        bench.given(writeOf(of), { ...places[place], path: { name }, body: { ...goodBody(bench, of), ...more } })
      const remove = (place: string) => bench.given('managedKeys.delete', { ...places[place], path: { type: kind, name } })
      const names = Object.keys(places)
      const other = READABLE.find((one) => one !== kind)!
      const beside = { ...places['the other namespace'], path: { type: other, name } }
      const steps: Step[] = names.flatMap((place, index) => [
        { what: `written in ${place}`, run: () => write(place, { any_mount: String(index === 0) }), changes: [place] },
      ])
      for (const place of names)
        steps.push(
          { what: `written again in ${place}`, run: () => write(place, { allow_store_key: 'true', any_mount: 'true' }), changes: [place] },
          { what: `deleted in ${place}`, run: () => remove(place), changes: [place] },
          {
            what: `deleted once more in ${place}`,
            run: () => bench.call('managedKeys.delete', { ...places[place], path: { type: kind, name } }),
          },
          { what: `made again in ${place}`, run: () => write(place, { allow_replace_key: 'true' }), changes: [place] },
        )
      steps.push(
        { what: 'deleted in the other namespace', run: () => remove(names[1]!), changes: [names[1]!] },
        { what: 'made there as another kind', run: () => write(names[1]!, {}, other) },
        { what: 'deleted there as another kind', run: () => bench.given('managedKeys.delete', beside) },
        { what: 'deleted in the root', run: () => remove(names[0]!), changes: [names[0]!] },
      )
      const absent = { read: 404, listed: false }
      return {
        views: Object.fromEntries(names.map((place) => [place, viewOf(bench, kind, name, places[place]!)])),
        atFirst: Object.fromEntries(names.map((place) => [place, absent])),
        steps,
      }
    },
  )
