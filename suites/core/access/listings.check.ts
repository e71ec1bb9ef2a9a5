/** Who may not list is refused the listing by every method with every header, and sees no name. */
import {
  type Answer,
  type Bench,
  type CallInput,
  check,
  type Expect,
  type Identity,
  isObject,
  type OperationFacts,
  sweep,
} from '../../../harness/checks/index.ts'
import { storeEntry } from '../fixtures.ts'
import { CARRIERS } from './attempts.ts'
import { allowedElsewhere, deniedTo, identities, needsToken, placeOf, strangerTo } from './granted-callers.ts'
import { methodsOf } from './methods.ts'

/** The listing in each of its methods with each header, as one caller. */
const listingsAs = (bench: Bench, operation: OperationFacts, request: CallInput, as: Identity): Promise<Answer[]> =>
  Promise.all(
    methodsOf(operation).flatMap((method) => CARRIERS.map((carrier) => bench.call(operation.id, { ...request, as, method, carrier }))),
  )

/** The names that an answer shows, which the documents put below `data` or beside it. */
const keysIn = ({ data, body }: Answer): unknown => data.keys ?? (isObject(body) ? body.keys : undefined)

/** What a listing shows a caller at its path with a slash at the end: whether that is answered at all is not said. */
const shownAtSlash = async (bench: Bench, operation: OperationFacts, request: CallInput, as: Identity): Promise<unknown> => {
  if (Object.values(request.path ?? {}).some((value) => value.endsWith('/'))) return undefined
  return keysIn(await bench.call(operation.id, { ...request, as, method: 'LIST', pathSuffix: '/', invalid: true }))
}

const expectHidden = (expect: Expect, answers: readonly Answer[], what: string): void => {
  for (const answer of answers) {
    expect(answer, what).toHaveStatus(403, 404)
    expect(keysIn(answer), 'names shown').toBeUndefined()
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
  id: 'core/stranger-lists-nothing',
  clauses: ['CORE-CAP-17', 'CORE-CAP-23'],
  title: 'a caller without any capability is refused the listing',
  kind: 'security',
  needs: identities,
  applies: (operation) => needsToken(operation) && operation.isList,
  async body({ bench, expect, operation, input }) {
    const request = await input()
    const [stranger, refused] = [await strangerTo(bench), await deniedTo(bench, operation, request)]
    const without = await listingsAs(bench, operation, request, stranger)
    const denied = await listingsAs(bench, operation, request, refused)
    const atSlash = [await shownAtSlash(bench, operation, request, stranger), await shownAtSlash(bench, operation, request, refused)]
    const elsewhere = await allowedElsewhere(bench, operation, request)
    const fromElsewhere = await listingsAs(bench, operation, request, elsewhere)
    await bench.given(operation.id, request)
    // That somebody was served must not count for anybody else.
    const late = await listingsAs(bench, operation, request, stranger)
    await bench.decide('CORE-CAP-17', () => {
      expectHidden(expect, late, 'a listing after one by a caller who may')
      expectHidden(expect, fromElsewhere, 'a listing by a caller of the same path elsewhere')
      expectHidden(expect, without, 'a listing without any capability')
      expect(atSlash[0], 'names shown with a slash at the end of the path').toBeUndefined()
    })
    await bench.decide('CORE-CAP-23', () => {
      expectHidden(expect, denied, 'a listing that is denied')
      expect(atSlash[1], 'names shown with a slash at the end of a path that is denied').toBeUndefined()
    })
  },
})

check(
  'core/mount-not-listed',
  'CORE-CAP-17',
  'who may do something below a mount, but nothing at its top, is refused the listing there',
  { kind: 'security', needs: { features: ['identities'], mounts: { own: { type: 'kv1' } } } },
  async ({ bench, expect }) => {
    const { path } = await storeEntry(bench, { mount: 'own' })
    const reader = await bench.identity([{ operation: 'kv1.read', mount: 'own', path: { path }, capabilities: ['read', 'list'] }])
    await bench.given('kv1.read', { mount: 'own', path: { path }, as: reader })
    for (const as of [reader, await strangerTo(bench)])
      for (const carrier of CARRIERS)
        for (const method of ['LIST', 'GET']) {
          const answer = await bench.call('kv1.list', { mount: 'own', path: { directory: '' }, as, carrier, method })
          expect(answer, `${method} of the mount with the ${carrier} header`).toHaveStatus(403, 404)
          expect(answer.text).not.toContain(path)
        }
    await bench.given('kv1.list', { mount: 'own', path: { directory: '' } })
  },
)
