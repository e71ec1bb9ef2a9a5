/** Names of keys are kept to the letter, whatever another decoding or another spelling would make of them. */
import { check } from '../../../harness/checks/index.ts'
import { expectStored, namesIn, store, VERSION_1, VERSION_2 } from '../fixtures.ts'

const NAMES = [
  ...['x%41', 'y%252e', 'a%2Fb', 'z+z', 'q%20q', 'e\u0301', 'ＡＢ'],
  // Beginnings that file systems, shells and programs take for something else.
  // Names that are one where endings, signs or what stands behind them is cut off or replaced.
  ...['app', 'app.json', 'app.yaml', 'app.txt', 'app.tar.gz', 'app~', 'app;v=1', 'app:8080', 'app-', 'app_', 'z z', 'z-z', 'z_z', 'z.z'],
  ...['.env', '_under', '-dash', '~home', '@at', '$dollar', '0', '007', 'a,b', 'a=b', 'null', 'README.md'],
  // Names that a server may set apart.
  ...['root', 'default', 'public', 'admin', 'config', 'keys', '*', 'undefined', '__proto__', 'constructor'],
]
/** What paths of the service itself, and of its other version of the engine, begin with. */
const WORDS = ['data', 'metadata', 'delete', 'undelete', 'destroy', 'config', 'sys', 'v1', 'secret']

for (const [name, version, listing, several] of [
  ['', VERSION_1, 'KV-LIST-01', 'KV-V1-09'],
  ['v2-', VERSION_2, 'KV-LIST-09', 'KV-V2-02'],
] as const) {
  check(`kv/${name}key-names`, listing, 'names of keys are listed to the letter', async ({ bench, expect }) => {
    const directory = bench.fresh('names')
    const { write, list, body } = version
    const kept: string[] = []
    for (const key of NAMES) {
      const path = `${directory}/${key}`
      // Which names a key may have is not said: what is taken is kept.
      if (!(await bench.call(write, { path: { path }, body: body({ text: key }) })).ok) continue
      kept.push(key)
    }
    for (const key of kept) await expectStored(bench, expect, version, `${directory}/${key}`, JSON.stringify({ text: key }))
    if (kept.length === 0) bench.blocked('no such name was taken', 'see the clauses of writing first')
    const listed = namesIn(await bench.given(list, { path: { directory: `${directory}/` } }))
    expect(listed.toSorted(), 'names as they were written').toEqual(kept.toSorted())
  })

  check(`kv/${name}key-words`, several, 'keys below words of the service are keys of their own', async ({ bench, expect }) => {
    const key = bench.mixedName('key')
    const paths = [key, ...WORDS.map((word) => `${word}/${key}`)]
    for (const path of paths) await store(bench, version, path, { value: path })
    for (const path of paths) await expectStored(bench, expect, version, path, JSON.stringify({ value: path }))
  })
}
