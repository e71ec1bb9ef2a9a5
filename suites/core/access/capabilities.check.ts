import { type Answer, check, type Identity, sweep } from '../../../harness/checks/index.ts'
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
import { type Callers, deniedOrElevated, expectNoHelp, refusesWithoutEffect } from './refusals.ts'

sweep({
  id: 'core/stranger-reads',
  clauses: ['CORE-CAP-01', 'CORE-CAP-23', 'CORE-CAP-24', 'CORE-HELP-05'],
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
    const callers: [clause: string, what: string, as: Identity | undefined][] = [
      ['CORE-CAP-01', 'a read without any capability', stranger],
      ['CORE-CAP-01', 'a read by a caller of the paths beside it', await allowedBeside(bench, operation, request)],
      ['CORE-CAP-01', 'a read by a caller of longer and shorter names', await allowedNear(bench, operation, request)],
      ['CORE-CAP-01', 'a read by a caller of the same path elsewhere', await allowedElsewhere(bench, operation, request)],
      ['CORE-CAP-23', 'a read that is denied', denied],
      ['CORE-CAP-23', 'a read that is denied among all that are granted', await deniedAmongAll(bench, operation, request)],
      ['CORE-CAP-24', 'a read with the capability sudo alone', await sudoAlone(bench, operation, request)],
    ]
    const answers: [what: string, answer: Answer, clause: string][] = []
    for (const [clause, what, as] of callers)
      if (as !== undefined)
        for (const carrier of CARRIERS)
          answers.push([`${what}, with the ${carrier} header`, await bench.call(operation.id, { ...request, as, carrier }), clause])
    await expectNoHelp(context, request, { 'CORE-HELP-05': stranger, 'CORE-CAP-23': denied })
    // That somebody was served must not count for anybody else.
    if (await isGoodByItself(bench, operation, request, answers)) {
      await askAsGranted(bench, operation, request)
      for (const [clause, what, as] of callers)
        if (as !== undefined) {
          const late = await bench.call(operation.id, { ...request, as })
          answers.push([`${what}, after one by a caller who may`, late, clause])
        }
    }
    for (const clause of ['CORE-CAP-01', 'CORE-CAP-23', 'CORE-CAP-24'])
      await bench.decide(clause, () => {
        for (const [what, answer, of] of answers) if (of === clause) expect(answer, what).toHaveStatus(403, 404)
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

sweep({
  id: 'core/stranger-deletes-nothing',
  clauses: ['CORE-CAP-18', 'CORE-CAP-23', 'CORE-CAP-24'],
  title: 'a caller without any capability is refused the deletion, without effect',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.method === 'DELETE',
  async body(context) {
    const { bench, operation } = context
    const callers: Callers = {
      'a deletion without any capability': () => strangerTo(bench),
      'a deletion by a caller of the paths beside it': (request) => allowedBeside(bench, operation, request),
      'a deletion by a caller of longer and shorter names': (request) => allowedNear(bench, operation, request),
      'a deletion by a caller of the same path elsewhere': (request) => allowedElsewhere(bench, operation, request),
    }
    await refusesWithoutEffect(context, { 'CORE-CAP-18': callers, ...deniedOrElevated(context, 'a deletion') }, false)
  },
})

sweep({
  id: 'core/reader-writes',
  clauses: ['CORE-CAP-04', 'CORE-CAP-23', 'CORE-CAP-24', 'CORE-HELP-05', 'CORE-CAP-03'],
  title: 'a caller that may only read, list or delete, or nothing, is refused the write, without effect',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.method === 'POST',
  async body(context) {
    const { bench, operation } = context
    const callers: Callers = {
      'a write with the capabilities read and list alone': (request) =>
        bench.identity([{ operation: operation.id, ...placeOf(request), capabilities: ['read', 'list'] }]),
      'a write with the capabilities read, list and delete alone': (request) =>
        bench.identity([{ operation: operation.id, ...placeOf(request), capabilities: ['read', 'list', 'delete'] }]),
      'a write without any capability': () => strangerTo(bench),
      'a write by a caller of the paths beside it': (request) => allowedBeside(bench, operation, request),
      'a write by a caller of longer and shorter names': (request) => allowedNear(bench, operation, request),
      'a write by a caller of the same path elsewhere': (request) => allowedElsewhere(bench, operation, request),
    }
    const request = await refusesWithoutEffect(context, { 'CORE-CAP-04': callers, ...deniedOrElevated(context, 'a write') })
    await expectNoHelp(context, request, {
      'CORE-HELP-05': await strangerTo(bench),
      'CORE-CAP-23': await deniedTo(bench, operation, request),
    })
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
    const { bench, operation } = context
    await refusesWithoutEffect(context, {
      'CORE-CAP-21': {
        'a deletion with the capabilities read and list alone': (request) =>
          bench.identity([{ operation: operation.id, ...placeOf(request), capabilities: ['read', 'list'] }]),
      },
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
    const { bench, operation } = context
    await refusesWithoutEffect(context, {
      'CORE-CAP-13': {
        'a deletion without the capability delete': (request) =>
          bench.identity([{ operation: operation.id, ...placeOf(request), capabilities: ['read', 'list', 'create', 'update'] }]),
      },
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
    const { bench, operation } = context
    await refusesWithoutEffect(context, {
      'CORE-CAP-15': {
        'all capabilities but the elevated one': (request) =>
          bench.identity([{ operation: operation.id, ...placeOf(request), capabilities: ['create', 'read', 'update', 'delete', 'list'] }]),
      },
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
