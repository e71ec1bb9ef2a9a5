/** Faults of lists of versions of which some were worked on before. */
import { faultsOf } from '../../mutations/declare.ts'
import { namedVersions } from './frank-help.ts'
import { kv2Engine } from './kv2.ts'
import { recordOf } from './kv2-data.ts'

const { route } = faultsOf(kv2Engine, 'kv')

for (const [name, clause, isDone] of [
  ['delete', 'KV-V2-08', (deletedAt: number | undefined) => deletedAt !== undefined],
  ['undelete', 'KV-V2-09', (deletedAt: number | undefined) => deletedAt === undefined],
] as const)
  route(
    `${name}-ends-at-the-first-done`,
    clause,
    `a list of versions to ${name} ends at the first that needs it no more`,
    `kv2.${name}Versions`,
    (original) => (call) => {
      const named = namedVersions(call.body)
      const done = named.findIndex((number) => {
        const version = recordOf(call)?.versions.get(number)
        return version !== undefined && isDone(version.deletedAt)
      })
      if (done === 0) return call.rules.done()
      return original(done < 0 ? call : { ...call, body: { ...call.body, versions: named.slice(0, done) } })
    },
  )
