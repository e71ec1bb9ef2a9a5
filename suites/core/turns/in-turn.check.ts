/** Nothing that a request does, or is refused, changes what has to come of the next one: everything follows everything. */
import { type Bench, type CheckContext, check, everyPair, type Needs } from '../../../harness/checks/index.ts'
import { storedUnder } from '../fixtures.ts'
import { NAMES, type Place, type World, worldOf } from './turn-places.ts'
import { REQUESTS, type Request, type Turn } from './turn-requests.ts'

const REMEMBERED = 3
/** Milliseconds after which a slow target has seen enough: many times what the walk takes alone, for a whole run has it wait for others. */
const WITHIN = 150_000
const DEADLINE = 240_000

const CLAUSES = [...new Set(REQUESTS.flatMap(({ clauses }) => clauses))].sort()

/** What is stored at a place in truth. */
const storedAt = async (bench: Bench, { directory }: World, { mount }: Place): Promise<Map<string, string>> => {
  const stored = new Map<string, string>()
  for (const name of NAMES) {
    const value = await storedUnder(bench, `${directory}/${name}`, { mount })
    if (typeof value === 'string') stored.set(name, value)
  }
  return stored
}

/** Half of the time where the last one went, else anywhere. */
const nextTurn = ({ random }: Bench, { places, values }: World, last: Turn | undefined): Turn => {
  const stays = random.integer(0, 2)
  const place = last === undefined || stays === 0 ? random.pick(places) : last.place
  const name = last === undefined || stays < 2 ? random.pick(NAMES) : last.name
  const taken = new Set(places.flatMap(({ stored }) => [...stored.values()]))
  const depth = place.namespace.split('/').filter((segment) => segment !== '').length
  return {
    place,
    name,
    value: random.pick(values.filter((value) => !taken.has(value))),
    namespaceInPath: random.integer(0, depth),
    carrier: random.pick(['token', 'bearer'] as const),
    headers: random.integer(0, 3) === 0 ? { 'X-Service-Request': 'true' } : {},
  }
}

const inTurn = async (context: Pick<CheckContext, 'bench' | 'expect'>, namespaces: readonly string[]): Promise<void> => {
  const { bench } = context
  const world = await worldOf(bench, namespaces)
  const requests = REQUESTS.filter((request) => request.needs === undefined || world.has[request.needs])
  const before: string[] = []
  const decided = new Set<string>()
  const failed = new Set<Request>()
  let turn: Turn | undefined
  const end = Date.now() + WITHIN
  // Each of them once, that no clause is left undecided.
  const walk = [...bench.random.shuffle(requests), ...everyPair(bench.random, requests)]
  for (const [index, request] of walk.entries()) {
    if (index >= requests.length && Date.now() > end) break
    turn = nextTurn(bench, world, turn)
    const { place, name, namespaceInPath, carrier } = turn
    const what = `${request.title} (${place.namespace || place.mount} ${name}, ${namespaceInPath} in the path, ${carrier})`
    const answer = await request.send(context, world, turn)
    const clause = request.clauseOf?.(turn) ?? request.clauses[0]!
    if (!failed.has(request))
      await bench.decide(clause, () => {
        decided.add(clause)
        failed.add(request)
        request.judge(context, world, turn!, answer, before.length === 0 ? what : `${what}, after ${before.join(', then ')}`)
        failed.delete(request)
      })
    // What failed once is known: the others go on from what is there in truth.
    if (failed.has(request)) for (const one of world.places) one.stored = await storedAt(bench, world, one)
    before.push(what)
    if (before.length > REMEMBERED) before.shift()
  }
  for (const clause of CLAUSES) if (!decided.has(clause)) bench.observe(clause, 'nothing was there to ask it of, or no time was left')
}

const needs = (...features: NonNullable<Needs['features']>) => ({ kind: 'model' as const, needs: { features }, deadline: DEADLINE })

check(
  'core/in-turn',
  CLAUSES,
  'whatever request follows whatever other, in two mounts: served where it is granted, refused where not, and what is stored is what was written',
  needs('identities', 'mounts'),
  ({ bench, expect }) => inTurn({ bench, expect }, ['', '']),
)

check(
  'core/in-turn-in-namespaces',
  CLAUSES,
  'whatever request follows whatever other, at one path of the root and of three namespaces',
  needs('identities', 'mounts', 'namespaces'),
  async ({ bench, expect }) => {
    const outer = await bench.namespace()
    await inTurn({ bench, expect }, ['', outer, await bench.namespace(outer), await bench.namespace()])
  },
)
