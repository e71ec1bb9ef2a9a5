/** Who has exactly the capability that an operation needs is served, whichever header carries the token, and no longer once it has ended. */
import {
  type Bench,
  type CallInput,
  type Expect,
  type Identity,
  type OperationFacts,
  type SweepContext,
  sweep,
} from '../../../harness/checks/index.ts'
import { CARRIERS } from './attempts.ts'
import { identities, needsToken, placeOf } from './granted-callers.ts'
import { methodsOf } from './methods.ts'

/** The header counts for the other methods of an operation as well, wherever they work with the token in the service's own. */
const otherMethodsWithBearer = async (
  bench: Bench,
  expect: Expect,
  operation: OperationFacts,
  input: SweepContext['input'],
  callerFor: (request: CallInput) => Promise<Identity>,
): Promise<void> => {
  for (const method of methodsOf(operation).slice(1)) {
    const request = await input()
    const bearer = await bench.call(operation.id, { ...request, as: await callerFor(request), carrier: 'bearer', method })
    if (bearer.ok) continue
    const again = await input()
    const own = await bench.call(operation.id, { ...again, as: await callerFor(again), method })
    if (own.ok)
      await bench.decide('CORE-AUTH-07', () => expect(bearer, `with the token in the header Authorization, by ${method}`).toSucceed())
  }
}

/**
 * A caller with exactly the capability that an operation is said to need may use it, whichever header carries the token, and no longer once the
 * token has ended.
 */
const grantedSweep = (name: string, clause: string, capabilities: ('read' | 'list' | 'create' | 'update')[], accepts: string[]): void => {
  const helpClause = capabilities.includes('read') ? 'CORE-HELP-08' : 'CORE-HELP-11'
  sweep({
    id: `core/${name}`,
    clauses: [clause, 'CORE-AUTH-07', 'CORE-AUTH-15', helpClause],
    title: `a caller with ${capabilities.join(' and ')} is served until its token ends`,
    kind: 'scenario',
    needs: identities,
    applies: (operation) => needsToken(operation) && accepts.includes(operation.capability ?? ''),
    async body({ bench, expect, operation, input }) {
      const callerFor = (request: CallInput) => {
        const sudo = operation.sudo ? (['sudo'] as const) : []
        // By the second of two policies: a caller may do what any of them grants.
        return bench.identity([
          { operation: 'core.readAny', path: { anyPath: bench.fresh('elsewhere') }, capabilities: ['read'] },
          { operation: operation.id, ...placeOf(request), capabilities: [...capabilities, ...sudo], apart: 1 },
        ])
      }
      const request = await input()
      const caller = await callerFor(request)
      const bearer = await bench.call(operation.id, { ...request, as: caller, carrier: 'bearer' })
      // Where the other header does not help either, it is not a matter of headers; and what not even root can do says nothing of capabilities.
      const again = bearer.ok ? request : await input()
      const answer = bearer.ok ? bearer : await bench.call(operation.id, { ...again, as: await callerFor(again) })
      if (!answer.ok) await bench.given(operation.id, await input())
      await bench.decide(clause, () => expect(answer, `with the capability ${capabilities.join(' and ')}`).toSucceed())
      if (answer.ok) await bench.decide('CORE-AUTH-07', () => expect(bearer, 'with the token in the header Authorization').toSucceed())
      if (bearer.ok) await otherMethodsWithBearer(bench, expect, operation, input, callerFor)
      // A server may remember who was served, by which method and header: an end of the token ends that, too.
      if (operation.isList)
        for (const method of methodsOf(operation))
          for (const carrier of CARRIERS) await bench.call(operation.id, { ...request, as: caller, carrier, method })
      const { body: _, ...there } = request
      // With a suffix, if an empty one, the answer is none of the operation's, whose schema would judge it.
      const help = { ...there, method: 'GET', query: { help: '1' }, pathSuffix: '', invalid: true }
      const helped = { ...help, as: caller }
      const [offered, given] = [await bench.call(operation.id, help), await bench.call(operation.id, helped)]
      // What is asked for may be gone by now, and its path with it: the administrator has the same help, or none.
      if (offered.ok) await bench.decide(helpClause, () => expect(given, 'help for a caller who may use the path').toHaveStatus(200))
      await bench.endToken(caller)
      await bench.decide('CORE-AUTH-15', async () => {
        await bench.eventually(
          async () => expect(await bench.call(operation.id, { ...request, as: caller }), 'once the token was revoked').toHaveStatus(403),
          { within: bench.grace, because: 'the token has ended' },
        )
        for (const method of methodsOf(operation))
          for (const carrier of CARRIERS) {
            const late = await bench.call(operation.id, { ...request, as: caller, carrier, method })
            expect(late, `once the token was revoked, by ${method} with the ${carrier} header`).toHaveStatus(403)
          }
        expect(await bench.call(operation.id, helped), 'help, once the token was revoked').toHaveStatus(403, 404)
      })
    },
  })
}

sweep({
  id: 'core/deleter-deletes',
  clauses: ['CORE-CAP-22'],
  title: 'a caller with all capabilities but the elevated one deletes',
  kind: 'scenario',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.method === 'DELETE' && !operation.sudo,
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const deleter = await bench.identity([
      { operation: operation.id, ...placeOf(request), capabilities: ['create', 'read', 'update', 'delete', 'list'] },
      { operation: 'core.readAny', path: { anyPath: bench.fresh('elsewhere') }, capabilities: ['read'], apart: 1 },
    ])
    const answer = await bench.call(operation.id, { ...request, as: deleter })
    if (!answer.ok) await bench.given(operation.id, await input())
    expect(answer, 'a deletion with all capabilities but the elevated one').toSucceed()
  },
})

grantedSweep('reader-reads', 'CORE-CAP-03', ['read'], ['read'])
grantedSweep('lister-lists', 'CORE-CAP-11', ['list'], ['list'])
grantedSweep('writer-writes', 'CORE-CAP-06', ['create', 'update'], ['create', 'update', 'create-update'])
