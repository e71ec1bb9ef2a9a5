import { type Answer, type Caller, type CallInput, check, type Identity, type SweepContext, sweep } from '../../../harness/checks/index.ts'
import { storeEntry } from '../fixtures.ts'
import { CARRIERS } from './attempts.ts'
import {
  allowedBeside,
  allowedElsewhere,
  allowedNear,
  askAsGranted,
  deniedAmongAll,
  deniedTo,
  identities,
  isGoodByItself,
  needsToken,
  placeOf,
  strangerTo,
  sudoAlone,
} from './granted-callers.ts'
import { methodsOf } from './methods.ts'

/** Asserts that the help of a request's path is refused to callers who may do nothing there. */
const expectNoHelp = async (
  { bench, expect, operation }: SweepContext,
  { body: _, ...request }: CallInput,
  callers: readonly Caller[],
): Promise<void> => {
  for (const as of callers) {
    const answer = await bench.call(operation.id, { ...request, method: 'GET', query: { help: '1' }, pathSuffix: '', as, invalid: true })
    await bench.decide('CORE-HELP-05', () =>
      as === 'none'
        ? expect(answer, 'the help of a path without a token').toBeRefused()
        : expect(answer, 'the help of a path without any capability there').toHaveStatus(403, 404),
    )
  }
}

sweep({
  id: 'core/stranger-reads',
  clauses: ['CORE-CAP-01', 'CORE-HELP-05'],
  title: 'a caller without any capability is refused',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.method === 'GET' && !operation.isList,
  async body(context) {
    const { bench, expect, operation, input } = context
    const request = await input()
    const stranger = await bench.identity([
      { operation: 'core.readAny', path: { anyPath: bench.fresh('elsewhere') }, capabilities: ['read'] },
    ])
    const denied = await deniedTo(bench, operation, request)
    const callers: [what: string, as: Identity | undefined][] = [
      ['a read without any capability', stranger],
      ['a read that is denied', denied],
      ['a read that is denied among all that are granted', await deniedAmongAll(bench, operation, request)],
      ['a read with the capability sudo alone', await sudoAlone(bench, operation, request)],
      ['a read by a caller of the paths beside it', await allowedBeside(bench, operation, request)],
      ['a read by a caller of longer and shorter names', await allowedNear(bench, operation, request)],
      ['a read by a caller of the same path elsewhere', await allowedElsewhere(bench, operation, request)],
    ]
    const answers: [what: string, answer: Answer][] = []
    for (const [what, as] of callers)
      if (as !== undefined)
        for (const carrier of CARRIERS)
          answers.push([`${what}, with the ${carrier} header`, await bench.call(operation.id, { ...request, as, carrier })])
    await expectNoHelp(context, request, [stranger, denied, 'none'])
    // That somebody was served must not count for anybody else.
    if (await isGoodByItself(bench, operation, request, answers)) {
      await askAsGranted(bench, operation, request)
      for (const [what, as] of callers)
        if (as !== undefined) answers.push([`${what}, after one by a caller who may`, await bench.call(operation.id, { ...request, as })])
    }
    await bench.decide('CORE-CAP-01', () => {
      for (const [what, answer] of answers) expect(answer, what).toHaveStatus(403, 404)
    })
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
    for (const when of ['', ', right after one by a caller who may'])
      for (const carrier of CARRIERS) {
        const answer = await bench.call(operation.id, { ...request, as: writer, carrier })
        await bench.given(operation.id, request)
        expect(answer, `a read with the capabilities to write alone, with the ${carrier} header${when}`).toHaveStatus(403, 404)
      }
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

const withoutBody = ({ body: _, ...request }: CallInput): CallInput => ({ ...request, invalid: true })

/**
 * Asserts that callers may not do what a sample does: each is refused, nothing changes, and a caller who may do it is served. Some of them may read
 * there, unless `maySee` is false, and still may afterwards.
 */
const refusesWithoutEffect = async (
  { bench, expect, operation, input, state }: SweepContext,
  clause: string,
  callers: Record<string, (request: CallInput) => Promise<Identity | undefined>>,
  maySee = true,
): Promise<CallInput> => {
  const request = await input()
  const before = await state(request)
  const answers: [what: string, answer: Answer][] = []
  const asked: [what: string, as: Identity][] = []
  let stillGranted = 0
  for (const [what, callerFor] of Object.entries(callers)) {
    const as = await callerFor(request)
    if (as === undefined) continue
    asked.push([what, as])
    // What it may do there it does first: that it was allowed once must not count for anything else.
    const reads = operation.pathMethods.includes('GET')
    const read = () => bench.call(operation.id, { ...withoutBody(request), as, method: 'GET' })
    const isGranted = reads && (await read()).ok
    const own: [what: string, answer: Answer][] = []
    for (const method of methodsOf(operation))
      for (const carrier of CARRIERS)
        own.push([`${what}, by ${method} with the ${carrier} header`, await bench.call(operation.id, { ...request, as, method, carrier })])
    answers.push(...own)
    // Nor must what it was refused count against what is granted.
    if (!isGranted || !own.every(([, { status }]) => [403, 404].includes(status))) continue
    stillGranted += 1
    const again = await read()
    await bench.decide('CORE-CAP-03', () => expect(again, `a read that is granted, after ${what}`).toSucceed())
  }
  if (stillGranted === 0 && maySee) bench.observe('CORE-CAP-03', 'none of these callers reads there, or is refused')
  const after = await state(request)
  if (await isGoodByItself(bench, operation, request, answers)) {
    await askAsGranted(bench, operation, request)
    for (const [what, as] of asked)
      answers.push([`${what}, after one by a caller who may`, await bench.call(operation.id, { ...request, as })])
  }
  await bench.decide(clause, () => {
    for (const [what, answer] of answers) expect(answer, what).toHaveStatus(403, 404)
    expect(after, 'state after what was refused').toEqual(before)
  })
  return request
}

sweep({
  id: 'core/stranger-deletes-nothing',
  clauses: ['CORE-CAP-18'],
  title: 'a caller without any capability is refused the deletion, without effect',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.method === 'DELETE',
  async body(context) {
    const { bench, operation } = context
    const callers = {
      'a deletion without any capability': () => strangerTo(bench),
      'a deletion with the capability sudo alone': (request: CallInput) => sudoAlone(bench, operation, request),
      'a deletion that is denied': (request: CallInput) => deniedTo(bench, operation, request),
      'a deletion that is denied among all that are granted': (request: CallInput) => deniedAmongAll(bench, operation, request),
      'a deletion by a caller of the paths beside it': (request: CallInput) => allowedBeside(bench, operation, request),
      'a deletion by a caller of longer and shorter names': (request: CallInput) => allowedNear(bench, operation, request),
      'a deletion by a caller of the same path elsewhere': (request: CallInput) => allowedElsewhere(bench, operation, request),
    }
    await refusesWithoutEffect(context, 'CORE-CAP-18', callers, false)
  },
})

sweep({
  id: 'core/reader-writes',
  clauses: ['CORE-CAP-04', 'CORE-HELP-05', 'CORE-CAP-03'],
  title: 'a caller that may only read, list or delete, or nothing, is refused the write, without effect',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.method === 'POST',
  async body(context) {
    const request = await refusesWithoutEffect(context, 'CORE-CAP-04', {
      'a write with the capabilities read and list alone': (request) =>
        context.bench.identity([{ operation: context.operation.id, ...placeOf(request), capabilities: ['read', 'list'] }]),
      'a write with the capabilities read, list and delete alone': (request) =>
        context.bench.identity([{ operation: context.operation.id, ...placeOf(request), capabilities: ['read', 'list', 'delete'] }]),
      'a write with the capability sudo alone': (request) => sudoAlone(context.bench, context.operation, request),
      'a write without any capability': () => strangerTo(context.bench),
      'a write that is denied': (request) => deniedTo(context.bench, context.operation, request),
      'a write that is denied among all that are granted': (request) => deniedAmongAll(context.bench, context.operation, request),
      'a write by a caller of the paths beside it': (request) => allowedBeside(context.bench, context.operation, request),
      'a write by a caller of longer and shorter names': (request) => allowedNear(context.bench, context.operation, request),
      'a write by a caller of the same path elsewhere': (request) => allowedElsewhere(context.bench, context.operation, request),
    })
    const { bench, operation } = context
    await expectNoHelp(context, request, [await strangerTo(bench), await deniedTo(bench, operation, request), 'none'])
  },
})

sweep({
  id: 'core/reader-deletes-nothing',
  clauses: ['CORE-CAP-21', 'CORE-CAP-03'],
  title: 'a caller that may only read and list is refused the deletion, without effect',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.method === 'DELETE',
  async body(context) {
    await refusesWithoutEffect(context, 'CORE-CAP-21', {
      'a deletion with the capabilities read and list alone': (request) =>
        context.bench.identity([{ operation: context.operation.id, ...placeOf(request), capabilities: ['read', 'list'] }]),
    })
  },
})

sweep({
  id: 'core/reader-deletes',
  clauses: ['CORE-CAP-13', 'CORE-CAP-03'],
  title: 'a caller that may not delete is refused the deletion, without effect',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.method === 'DELETE',
  async body(context) {
    await refusesWithoutEffect(context, 'CORE-CAP-13', {
      'a deletion without the capability delete': (request) =>
        context.bench.identity([
          { operation: context.operation.id, ...placeOf(request), capabilities: ['read', 'list', 'create', 'update'] },
        ]),
    })
  },
})

sweep({
  id: 'core/needs-sudo',
  clauses: ['CORE-CAP-15', 'CORE-CAP-03'],
  title: 'a caller that may do everything but what needs the elevated capability is refused that, without effect',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.sudo,
  async body(context) {
    await refusesWithoutEffect(context, 'CORE-CAP-15', {
      'all capabilities but the elevated one': (request) =>
        context.bench.identity([
          { operation: context.operation.id, ...placeOf(request), capabilities: ['create', 'read', 'update', 'delete', 'list'] },
        ]),
    })
  },
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
