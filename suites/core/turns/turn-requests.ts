/** The requests that take turns: who does what, and what has to come of it whatever came before. */
import { type Answer, type CallInput, type CheckContext, isObject } from '../../../harness/checks/index.ts'
import { namesIn, valueIn } from '../fixtures.ts'
import { callerAt, type Extra, isDenied, type Place, type Who, type World } from './turn-places.ts'

/** One request: where, about which name, and as whom. */
export interface Turn {
  place: Place
  name: string
  /** What is stored by it, if it stores something. */
  value: string
  /** Number of segments of the namespace that are in the path. */
  namespaceInPath: number
  carrier: 'token' | 'bearer'
  headers: Record<string, string>
}

type Context = Pick<CheckContext, 'bench' | 'expect'>

export interface Request {
  title: string
  needs?: Extra
  /** Clauses that it can decide; which of them is said by what is there. */
  clauses: string[]
  clauseOf?(turn: Turn): string
  send(context: Context, world: World, turn: Turn): Promise<Answer>
  /** Asserts what has to come of it, and keeps what that changed. */
  judge(context: Context, world: World, turn: Turn, answer: Answer, what: string): void
}

type Outcome = 'served' | 'refused' | 'forbidden' | 'closed'

const STATUSES = { refused: [403, 404], forbidden: [403] }

const expectRefused = ({ expect }: Context, { values }: World, outcome: Exclude<Outcome, 'served'>, answer: Answer, what: string): void => {
  if (outcome === 'closed') expect(answer, what).toBeRefused()
  else expect(answer, what).toHaveStatus(...STATUSES[outcome])
  expect(
    values.some((value) => answer.text.includes(value)),
    `${what}: whether a stored value is shown`,
  ).toBe(false)
}

const inputOf = ({ bench }: Context, world: World, turn: Turn, who: Who): CallInput => ({
  mount: turn.place.mount,
  namespaceInPath: turn.namespaceInPath,
  carrier: turn.carrier,
  headers: turn.headers,
  as: callerAt(world, turn.place, who, bench.random),
})

const pathOf = ({ directory }: World, { name }: Turn) => ({ path: `${directory}/${name}` })

const needsOf = (who: Who): { needs?: Extra } => (who === 'ended' ? { needs: who } : {})

/** A read; of a name that the caller is denied, if there is one, the other clause. */
const reads = (who: Who, clause: string, outcome: Outcome = 'served', at?: string, denied = clause): Request => ({
  title: `a read ${at === undefined ? '' : 'of what is not there '}as ${who}`,
  ...needsOf(who),
  clauses: [clause, denied],
  clauseOf: ({ name }) => (isDenied(who, name) ? denied : clause),
  send: (context, world, turn) =>
    context.bench.call('kv1.read', {
      ...inputOf(context, world, turn, who),
      path: pathOf(world, { ...turn, name: at ?? turn.name }),
    }),
  judge(context, world, { place, name }, answer, what) {
    if (isDenied(who, name)) return expectRefused(context, world, 'refused', answer, `${what}, which is denied`)
    if (outcome !== 'served') return expectRefused(context, world, outcome, answer, what)
    const stored = place.stored.get(at ?? name)
    if (stored === undefined) context.expect(answer, what).toHaveStatus(404)
    else context.expect({ status: answer.status, value: valueIn(answer) }, what).toEqual({ status: 200, value: stored })
  },
})

const lists = (who: Who, clause: string, method: 'LIST' | 'GET', outcome: Outcome = 'served', below = ''): Request => ({
  title: `${method === 'LIST' ? 'LIST' : 'GET with list=true'} ${below === '' ? '' : 'of what is not there '}as ${who}`,
  clauses: [clause],
  send: (context, world, turn) =>
    context.bench.call('kv1.list', { ...inputOf(context, world, turn, who), method, path: { directory: `${world.directory}/${below}` } }),
  judge(context, world, { place }, answer, what) {
    if (outcome !== 'served') {
      context.expect(answer.data.keys, `names shown by ${what}`).toBeUndefined()
      return expectRefused(context, world, outcome, answer, what)
    }
    const names = below === '' ? [...place.stored.keys()].sort() : []
    const shown = below === '' ? namesIn(answer).filter((name) => place.stored.has(name) || !place.deleted.has(name)) : namesIn(answer)
    if (names.length === 0 && shown.length === namesIn(answer).length) context.expect(answer, what).toHaveStatus(404)
    else context.expect({ status: answer.status, names: shown }, what).toEqual({ status: 200, names })
  },
})

/** What a caller with one of the capabilities to write may do with what is there, and with what is not. */
const mayWrite = ({ makes }: World, who: Who, isThere: boolean): boolean | undefined => {
  if (who !== 'creator' && who !== 'updater') return true
  return isThere ? who === 'updater' : makes[who]
}

const DENIED = 'CORE-CAP-23'

/** A write. Of a clause for what is not there and another one for what is, each decides its own; a name that is denied has a clause of its own. */
const writes = (who: Who, clause: string, method: 'POST' | 'PUT', outcome: Outcome = 'served', replacing = clause): Request => ({
  title: `${method} as ${who}`,
  ...needsOf(who),
  clauses: [clause, replacing, ...(who === 'partly' ? [DENIED] : [])],
  clauseOf: ({ place, name }) => (isDenied(who, name) ? DENIED : place.stored.has(name) ? replacing : clause),
  send: (context, world, turn) =>
    context.bench.call('kv1.write', {
      ...inputOf(context, world, turn, who),
      method,
      path: pathOf(world, turn),
      body: { value: turn.value },
    }),
  judge(context, world, { place, name, value }, answer, what) {
    if (isDenied(who, name)) return expectRefused(context, world, 'refused', answer, `${what}, which is denied`)
    if (outcome !== 'served') return expectRefused(context, world, outcome, answer, what)
    const isThere = place.stored.has(name)
    const may = mayWrite(world, who, isThere)
    const described = `${what}, ${isThere ? 'of what is there' : 'of what is not there'}`
    if (may === true) context.expect(answer, described).toSucceed()
    else if (may === false) expectRefused(context, world, 'refused', answer, described)
    else {
      // Whether one of them makes what is not there is open; from now on it is known.
      context.expect(answer.status, `${described}: its status`).toBeLessThan(500)
      world.makes[who as 'creator' | 'updater'] = answer.ok
    }
    if (answer.ok) place.stored.set(name, value)
  },
})

const deletes = (who: Who, clause: string, outcome: Outcome = 'served'): Request => ({
  title: `a deletion as ${who}`,
  needs: 'deletion',
  clauses: [clause],
  send: (context, world, turn) => context.bench.call('kv1.delete', { ...inputOf(context, world, turn, who), path: pathOf(world, turn) }),
  judge(context, world, { place, name }, answer, what) {
    if (outcome !== 'served') return expectRefused(context, world, outcome, answer, what)
    if (place.stored.has(name)) context.expect(answer, what).toSucceed()
    // What deleting nothing is answered with is not said.
    else context.expect(answer.status, `${what}, where nothing is: its status`).toBeLessThan(500)
    place.stored.delete(name)
    place.deleted.add(name)
  },
})

const isBadly = (title: string, clause: string, rawBody: string, status: number[]): Request => ({
  title: `a write of ${title}`,
  clauses: [clause],
  send: (context, world, turn) =>
    context.bench.call('kv1.write', { ...inputOf(context, world, turn, 'keeper'), path: pathOf(world, turn), rawBody }),
  judge({ expect }, _world, _turn, answer, what) {
    if (status.length === 0) expect(answer, what).toBeRefused()
    else expect(answer, what).toHaveStatus(...status)
  },
})

const leadsNowhere: Request = {
  title: 'a read below no mount',
  clauses: ['CORE-STATUS-06'],
  send: ({ bench }, world, { place, carrier }) =>
    bench.call('core.readAny', { path: { anyPath: `${world.directory}/nowhere` }, namespace: place.namespace, carrier }),
  judge: ({ expect }, _world, _turn, answer, what) => expect(answer, what).toHaveStatus(404),
}

/** The paths that a description names; none without help. */
const describedIn = (answer: Answer): string => {
  const { openapi } = (isObject(answer.body) ? answer.body : {}) as { openapi?: { paths?: object } }
  return JSON.stringify(Object.keys(openapi?.paths ?? {}).sort())
}

const helps = (at: 'mount' | 'entry', who: Who, clause: string, outcome: Outcome = 'served'): Request => {
  const pathAt = ({ bench }: Context, world: World, { place, name }: Turn) =>
    bench.mountPath(place.mount) + (at === 'mount' ? '' : `/${world.directory}/${name}`)
  return {
    title: `help at ${at === 'mount' ? 'a mount' : 'the path of an entry'} as ${who}`,
    clauses: [clause],
    send: (context, world, turn) =>
      context.bench.call('core.help', {
        path: { helpPath: pathAt(context, world, turn) },
        query: { help: '1' },
        namespace: turn.place.namespace,
        carrier: turn.carrier,
        as: callerAt(world, turn.place, who, context.bench.random),
      }),
    judge(context, world, turn, answer, what) {
      if (outcome !== 'served') return expectRefused(context, world, outcome, answer, what)
      const key = `${turn.place.namespace}${pathAt(context, world, turn)}`
      const seen = `${answer.status} ${describedIn(answer)}`
      if (!world.described.has(key)) world.described.set(key, seen)
      context.expect(seen, `${what}: its status and the paths that it names`).toBe(world.described.get(key))
    },
  }
}

/** All that takes turns. */
export const REQUESTS: readonly Request[] = [
  reads('root', 'CORE-STATUS-01'),
  reads('keeper', 'CORE-CAP-03'),
  reads('reader', 'CORE-CAP-03'),
  reads('keeper', 'CORE-STATUS-07', 'served', 'nothing'),
  reads('writer', 'CORE-CAP-05', 'refused'),
  reads('stranger', 'CORE-CAP-01', 'refused'),
  reads('denied', DENIED, 'refused'),
  reads('partly', 'CORE-CAP-03', 'served', undefined, DENIED),
  reads('none', 'CORE-AUTH-01', 'closed'),
  reads('wrong', 'CORE-AUTH-03', 'forbidden'),
  reads('ended', 'CORE-AUTH-15', 'forbidden'),
  lists('keeper', 'CORE-LIST-01', 'LIST'),
  lists('reader', 'CORE-CAP-11', 'LIST'),
  lists('reader', 'CORE-LIST-02', 'GET'),
  lists('root', 'CORE-LIST-04', 'LIST', 'served', 'nothing/'),
  lists('stranger', 'CORE-CAP-17', 'GET', 'refused'),
  lists('none', 'CORE-AUTH-01', 'LIST', 'closed'),
  lists('wrong', 'CORE-AUTH-03', 'GET', 'forbidden'),
  writes('root', 'CORE-STATUS-03', 'POST'),
  writes('keeper', 'CORE-CAP-06', 'POST'),
  writes('keeper', 'CORE-WRITE-01', 'PUT'),
  writes('writer', 'CORE-CAP-06', 'POST'),
  writes('writer', 'CORE-WRITE-01', 'PUT'),
  writes('creator', 'CORE-CAP-19', 'POST', 'served', 'CORE-CAP-07'),
  writes('updater', 'CORE-CAP-19', 'PUT', 'served', 'CORE-CAP-10'),
  writes('reader', 'CORE-CAP-04', 'PUT', 'refused'),
  writes('stranger', 'CORE-CAP-04', 'POST', 'refused'),
  writes('denied', DENIED, 'POST', 'refused'),
  writes('partly', 'CORE-CAP-06', 'POST'),
  writes('none', 'CORE-AUTH-04', 'POST', 'closed'),
  writes('wrong', 'CORE-AUTH-05', 'PUT', 'forbidden'),
  writes('ended', 'CORE-AUTH-15', 'POST', 'forbidden'),
  isBadly('text that is not JSON', 'CORE-BODY-03', 'value=1', [400]),
  isBadly('half an object', 'CORE-BODY-04', '{"value": "half', []),
  isBadly('an array', 'CORE-BODY-05', '[{"value": "one"}]', []),
  leadsNowhere,
  helps('mount', 'root', 'CORE-HELP-10'),
  helps('entry', 'reader', 'CORE-HELP-10'),
  helps('entry', 'stranger', 'CORE-HELP-05', 'refused'),
  deletes('keeper', 'CORE-CAP-22'),
  deletes('reader', 'CORE-CAP-21', 'refused'),
  deletes('stranger', 'CORE-CAP-18', 'refused'),
]
