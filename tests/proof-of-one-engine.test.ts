/** Which checks a proof of one engine takes from others: clauses of general engines are decided by sweeps, by schemas of all answers, or by both. */
import { expect, test } from 'vitest'
import { loadContract } from '../harness/contract/load.ts'
import { checksOfOthers } from '../harness/mutation/proof.ts'
import { catalogue } from '../harness/planning/catalogue.ts'

test('a clause is decided by the schemas of all answers and by sweeps over the engine, whichever engine states it', async () => {
  const contract = await loadContract()
  const own = await catalogue(contract, ['ssh'])
  const idsFor = async (clause: string): Promise<string[]> => {
    const fault = { id: 'ssh-some', engine: 'ssh', title: 'some', type: 'ssh', mutation: {}, clauses: [clause] }
    return (await checksOfOthers(contract, { engines: ['ssh'], faults: [fault], variants: [] }, own)).map(({ id }) => id)
  }
  expect(await idsFor('CORE-ERROR-01')).toContain('core/contract/core-error-01')
  expect(await idsFor('CORE-ENV-11')).toEqual(expect.arrayContaining(['core/contract/core-env-11', 'core/envelope-of-reads/ssh.readRole']))
  expect(await idsFor('SSH-SIGN-01')).toEqual([])
})
