/** Values at the edge of JSON, whose way back is open. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { VERSION_1, VERSION_2, type Version } from '../fixtures.ts'

/** JSON texts of objects whose way back is open. */
const EDGES = {
  'lone surrogate': '{"a":"\\ud800"}',
  NUL: '{"a":"\\u0000"}',
  'beyond double': '{"a":1e400}',
  'many digits': '{"a":0.1234567890123456789012345}',
  'trailing zero': '{"a":1.0}',
  'empty object': '{}',
}

const edges = (version: Version, id: string, clause: string): void =>
  check(id, clause, 'how values at the edge of JSON come back', async ({ bench }) => {
    const seen: JsonObject = {}
    for (const [name, text] of Object.entries(EDGES)) {
      const path = bench.mixedName('key')
      const written = await bench.call(version.write, { path: { path }, rawBody: version.text(text), observing: true })
      const read = await bench.call(version.read, { path: { path }, observing: true })
      const stored = /"data":(\{"data":)?(\{[^{}]*\})/.exec(read.text)?.[2]
      seen[name] = written.ok && read.ok ? `${text} -> ${stored ?? 'elsewhere'}` : `write ${written.status}, read ${read.status}`
    }
    bench.observe(clause, seen)
  })

edges(VERSION_1, 'kv/v1-edge-values', 'KV-V1-07')
edges(VERSION_2, 'kv/v2-edge-values', 'KV-V2-25')
