/** Names of keys are kept to the letter, whatever another decoding or another spelling would make of them. */
import { check } from '../../../harness/checks/index.ts'
import { expectStored, namesIn, VERSION_1 } from '../fixtures.ts'

const NAMES = ['x%41', 'y%252e', 'a%2Fb', 'z+z', 'q%20q', 'e\u0301', 'ＡＢ']

check('kv/key-names', 'KV-LIST-01', 'names of keys are listed to the letter', async ({ bench, expect }) => {
  const directory = bench.fresh('names')
  const { write, list, body } = VERSION_1
  const kept: string[] = []
  for (const name of NAMES) {
    const path = `${directory}/${name}`
    // Which names a key may have is not said: what is taken is kept.
    if (!(await bench.call(write, { path: { path }, body: body({ text: name }) })).ok) continue
    kept.push(name)
    await expectStored(bench, expect, VERSION_1, path, JSON.stringify({ text: name }))
  }
  if (kept.length === 0) bench.blocked('no such name was taken', 'see the clauses of writing first')
  const listed = namesIn(await bench.given(list, { path: { directory: `${directory}/` } }))
  expect(listed.toSorted(), 'names as they were written').toEqual(kept.toSorted())
})
