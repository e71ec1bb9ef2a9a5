import {
  type Answer,
  type Bench,
  type CallInput,
  check,
  type Expect,
  type Identity,
  type OperationFacts,
  type SweepContext,
  sweep,
} from '../../../harness/checks/index.ts'
import { storeEntry } from '../fixtures.ts'
import { CARRIERS } from './attempts.ts'
import { allowedBeside, allowedNear, deniedTo, identities, needsToken, placeOf, strangerTo } from './granted-callers.ts'
import { methodsOf } from './methods.ts'

sweep({
  id: 'core/stranger-reads',
  clauses: ['CORE-CAP-01'],
  title: 'a caller without any capability is refused',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.method === 'GET' && !operation.isList,
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const stranger = await bench.identity([
      { operation: 'core.readAny', path: { anyPath: bench.fresh('elsewhere') }, capabilities: ['read'] },
    ])
    const answer = await bench.call(operation.id, { ...request, as: stranger })
    const denied = await bench.call(operation.id, { ...request, as: await deniedTo(bench, operation, request) })
    const neighbour = await allowedBeside(bench, operation, request)
    const beside = neighbour && (await bench.call(operation.id, { ...request, as: neighbour }))
    const alike = await allowedNear(bench, operation, request)
    const near = alike && (await bench.call(operation.id, { ...request, as: alike }))
    await bench.given(operation.id, request)
    if (beside) expect(beside, 'a read by a caller of the paths beside it').toHaveStatus(403, 404)
    if (near) expect(near, 'a read by a caller of longer and shorter names').toHaveStatus(403, 404)
    expect(answer, 'a read without any capability').toHaveStatus(403, 404)
    expect(denied, 'a read that is denied').toHaveStatus(403, 404)
  },
})

/** The listing in each of its methods, as one caller. */
const listingsAs = (bench: Bench, operation: OperationFacts, request: CallInput, as: Identity): Promise<Answer[]> =>
  Promise.all(methodsOf(operation).map((method) => bench.call(operation.id, { ...request, as, method })))

const expectHidden = (expect: Expect, answers: readonly Answer[], what: string): void => {
  for (const answer of answers) {
    expect(answer, what).toHaveStatus(403, 404)
    expect(answer.data.keys, 'names shown').toBeUndefined()
  }
}

sweep({
  id: 'core/stranger-lists',
  clauses: ['CORE-CAP-12'],
  title: 'a caller that may only read, or only write, is refused the listing',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.isList,
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const reader = await bench.identity([{ operation: operation.id, ...placeOf(request), capabilities: ['read'] }])
    const answers = await listingsAs(bench, operation, request, reader)
    const writer = await bench.identity([{ operation: operation.id, ...placeOf(request), capabilities: ['create', 'update', 'delete'] }])
    const written = await listingsAs(bench, operation, request, writer)
    await bench.given(operation.id, request)
    expectHidden(expect, answers, 'a listing with the capability read alone')
    expectHidden(expect, written, 'a listing with the capabilities to write and to delete alone')
  },
})

sweep({
  id: 'core/writer-reads',
  clauses: ['CORE-CAP-05'],
  title: 'a caller that may only write is refused the read',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.capability === 'read',
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const writer = await bench.identity([{ operation: operation.id, ...placeOf(request), capabilities: ['create', 'update', 'delete'] }])
    const answer = await bench.call(operation.id, { ...request, as: writer })
    await bench.given(operation.id, request)
    const again = await bench.call(operation.id, { ...request, as: writer })
    expect(answer, 'a read with the capabilities to write alone').toHaveStatus(403, 404)
    expect(again, 'such a read right after one by a caller who may').toHaveStatus(403, 404)
  },
})

sweep({
  id: 'core/lister-reads',
  clauses: ['CORE-CAP-20'],
  title: 'a caller that may only list is refused the read',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.capability === 'read' && !operation.isList,
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const lister = await bench.identity([{ operation: operation.id, ...placeOf(request), capabilities: ['list'] }])
    const answer = await bench.call(operation.id, { ...request, as: lister })
    await bench.given(operation.id, request)
    expect(answer, 'a read with the capability list alone').toHaveStatus(403, 404)
  },
})

sweep({
  id: 'core/stranger-lists-nothing',
  clauses: ['CORE-CAP-17'],
  title: 'a caller without any capability is refused the listing',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.isList,
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const without = await listingsAs(bench, operation, request, await strangerTo(bench))
    const denied = await listingsAs(bench, operation, request, await deniedTo(bench, operation, request))
    await bench.given(operation.id, request)
    expectHidden(expect, without, 'a listing without any capability')
    expectHidden(expect, denied, 'a listing that is denied')
  },
})

/** Asserts that callers may not do what a sample does: each is refused, nothing changes, and a caller who may do it is served. */
const refusesWithoutEffect = async (
  { bench, expect, operation, input, state }: SweepContext,
  callers: Record<string, (request: CallInput) => Promise<Identity | undefined>>,
): Promise<void> => {
  const request = await input()
  const before = await state(request)
  const answers: [what: string, answer: Answer][] = []
  for (const [at, [what, callerFor]] of Object.entries(callers).entries()) {
    const as = await callerFor(request)
    if (as === undefined) continue
    // Each method has its turn with each header.
    for (const [turn, method] of methodsOf(operation).entries()) {
      const carrier = CARRIERS[(at + turn) % CARRIERS.length]!
      answers.push([
        `${what}, by ${method} with the ${carrier} header`,
        await bench.call(operation.id, { ...request, as, method, carrier }),
      ])
    }
  }
  const after = await state(request)
  await bench.given(operation.id, request)
  for (const [what, answer] of answers) expect(answer, what).toHaveStatus(403, 404)
  expect(after, 'state after what was refused').toEqual(before)
}

sweep({
  id: 'core/stranger-deletes-nothing',
  clauses: ['CORE-CAP-18'],
  title: 'a caller without any capability is refused the deletion, without effect',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.method === 'DELETE',
  body: (context) =>
    refusesWithoutEffect(context, {
      'a deletion without any capability': () => strangerTo(context.bench),
      'a deletion that is denied': (request) => deniedTo(context.bench, context.operation, request),
      'a deletion by a caller of the paths beside it': (request) => allowedBeside(context.bench, context.operation, request),
      'a deletion by a caller of longer and shorter names': (request) => allowedNear(context.bench, context.operation, request),
    }),
})

sweep({
  id: 'core/reader-writes',
  clauses: ['CORE-CAP-04'],
  title: 'a caller that may only read, list or delete, or nothing, is refused the write, without effect',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.method === 'POST',
  body: (context) =>
    refusesWithoutEffect(context, {
      'a write with the capabilities read and list alone': (request) =>
        context.bench.identity([{ operation: context.operation.id, ...placeOf(request), capabilities: ['read', 'list'] }]),
      'a write with the capabilities read, list and delete alone': (request) =>
        context.bench.identity([{ operation: context.operation.id, ...placeOf(request), capabilities: ['read', 'list', 'delete'] }]),
      'a write without any capability': () => strangerTo(context.bench),
      'a write that is denied': (request) => deniedTo(context.bench, context.operation, request),
      'a write by a caller of the paths beside it': (request) => allowedBeside(context.bench, context.operation, request),
      'a write by a caller of longer and shorter names': (request) => allowedNear(context.bench, context.operation, request),
    }),
})

sweep({
  id: 'core/reader-deletes',
  clauses: ['CORE-CAP-13'],
  title: 'a caller that may not delete is refused the deletion, without effect',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.method === 'DELETE',
  body: (context) =>
    refusesWithoutEffect(context, {
      'a deletion without the capability delete': (request) =>
        context.bench.identity([
          { operation: context.operation.id, ...placeOf(request), capabilities: ['read', 'list', 'create', 'update'] },
        ]),
    }),
})

check(
  'core/refused-read-shows-nothing',
  'CORE-CAP-02',
  'a refused read does not show the value',
  { kind: 'security', needs: identities },
  async ({ bench, expect }) => {
    const { path, value } = await storeEntry(bench)
    const stranger = await bench.identity([{ operation: 'kv1.read', path: { path: bench.fresh('other') }, capabilities: ['read'] }])
    for (const [operation, key] of [
      ['kv1.read', path],
      ['kv1.list', `${path}/`],
    ] as const) {
      const answer = await bench.call(operation, { path: operation === 'kv1.read' ? { path: key } : { directory: key }, as: stranger })
      expect(answer).toBeRefused()
      expect(answer.text).not.toContain(value)
    }
  },
)

check(
  'core/neighbouring-path',
  'CORE-CAP-14',
  'a capability on one path gives nothing beside it',
  { kind: 'security', needs: identities },
  async ({ bench, expect }) => {
    const mine = await storeEntry(bench)
    const caller = await bench.identity([{ operation: 'kv1.read', path: { path: mine.path }, capabilities: ['read'] }])
    expect(await bench.call('kv1.read', { path: { path: mine.path }, as: caller })).toSucceed()
    const neighbours = [bench.fresh('other'), `${mine.path}x`, `${mine.path}-below/it`, mine.path.slice(0, -1)]
    for (const path of neighbours) {
      const { value } = await storeEntry(bench, { path: { path } })
      const answer = await bench.call('kv1.read', { path: { path }, as: caller })
      expect(answer, 'a path beside the granted one').toHaveStatus(403, 404)
      expect(answer.text).not.toContain(value)
    }
  },
)
