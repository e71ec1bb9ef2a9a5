/** Which checks a fault is tried with, whichever other engines are proved beside its own. */
import { expect, test } from 'vitest'
import { loadContract } from '../harness/contract/load.ts'
import { checksOfOthers } from '../harness/mutation/proof.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { allFaults } from '../reference/faults/index.ts'

// A model of the key-value store decides the clause too, and never sees a database.
test.each([[['database']], [['database', 'kv']]])(
  'a fault of who may ask meets the sweeps over its own engine, beside %s',
  async (engines) => {
    const contract = await loadContract()
    const fault = allFaults.find(({ id }) => id === 'database/access-rotate-root-anyone')!
    const own = await catalogue(contract, engines)
    const others = await checksOfOthers(contract, { engines, faults: [fault], variants: [] }, own)
    expect(others.map(({ id }) => id)).toContain('core/reader-writes/database.rotateRoot')
  },
)
