/** Names that are nearly those of what is there: they name nothing. */
import { isDeepStrictEqual } from 'node:util'
import { type CallInput, isObject, type JsonObject, type OperationFacts, sweep } from '../../../harness/checks/index.ts'
import { methodsOf } from '../access/methods.ts'

const NOT_FOUND = [400, 404]
const DELETED = [200, 204, 404]

/** Names that a request does not mean: a letter less at either end, and longer ones. Whether letter case tells names apart is open. */
const nearly = (name: string): string[] => [name.slice(0, -1), name.slice(1), `${name}0`, `${name}-a`, `${name}.json`]

/** Whether the path alone says what an action is about: the object itself, which the documents answer with any refusal. */
const actsOnNamed = ({ method, hasBody }: OperationFacts): boolean => method === 'POST' && !hasBody

/** The name that a request has instead, the request, and where else it gives the right one. */
type Near = [name: string, request: CallInput, where?: string]

/** The requests of an operation whose one name is nearly that of what is there; names that the run did not give stand for something else. */
const nearRequests = ({ parameters }: OperationFacts, request: CallInput, run: string): Near[] =>
  parameters
    .filter(({ name, multiSegment }) => !multiSegment && request.path?.[name]?.includes(run) === true)
    .flatMap(({ name }) =>
      nearly(request.path![name]!).map((near): Near => [near, { ...request, path: { ...request.path, [name]: near } }]),
    )

/** Two of these requests once more, with the name of what is there in the query, and in a body that has no parameter of that name. */
const alsoNamed = ({ parameters, requestSchema }: OperationFacts, request: CallInput, near: readonly Near[]): Near[] =>
  parameters.flatMap(({ name: parameter }) =>
    near
      .filter(([name, { path }]) => path?.[parameter] === name)
      .slice(0, 2)
      .flatMap(([name, other]): Near[] => {
        const named = { [parameter]: request.path![parameter]! }
        const inQuery: Near = [name, { ...other, query: { ...other.query, ...named }, invalid: true }, ', and the right name in the query,']
        if (!isObject(other.body) || Object.hasOwn((requestSchema?.properties ?? {}) as JsonObject, parameter)) return [inQuery]
        return [inQuery, [name, { ...other, body: { ...other.body, ...named }, invalid: true }, ', and the right name in the body,']]
      }),
  )

/** Whether an operation makes what it names: a write to what is read or deleted at its path. */
const makes = ({ capability, method, pathMethods }: OperationFacts): boolean =>
  capability === 'create-update' || (method === 'POST' && (pathMethods.includes('GET') || pathMethods.includes('DELETE')))

sweep({
  id: 'core/near-name',
  clauses: ['CORE-NAME-01'],
  title: 'a name that is nearly that of something names nothing',
  kind: 'scenario',
  exclusion: 'near',
  applies: (operation) => !makes(operation) && !operation.isList && operation.parameters.some(({ multiSegment }) => !multiSegment),
  async body({ bench, expect, operation, input, state }) {
    const request = await input()
    const near = nearRequests(operation, request, bench.run)
    if (near.length === 0) return bench.observe('CORE-NAME-01', 'the path names nothing that a check has made')
    const before = await state(request)
    const wanted = operation.method === 'DELETE' ? DELETED : NOT_FOUND
    const anyRefusal = actsOnNamed(operation)
    for (const [name, other, where = ''] of [...near, ...alsoNamed(operation, request, near)])
      for (const method of methodsOf(operation)) {
        const answer = await bench.call(operation.id, { ...other, method })
        const what = `${JSON.stringify(name)}${where} by ${method}, where there is ${JSON.stringify(request.path)}`
        if (anyRefusal) expect(answer, what).toBeRefused()
        else expect(answer, what).toHaveStatus(...wanted)
      }
    expect(await state(request), 'what is there, after requests for what is not').toEqual(before)
    const there = await bench.call(operation.id, request)
    expect(there, 'what is there, by its name').toSucceed()
  },
})

sweep({
  id: 'core/name-case',
  clauses: ['CORE-NAME-03'],
  title: 'what a name in another letter case means',
  kind: 'scenario',
  exclusion: 'near',
  applies: ({ method, isList, parameters }) => method === 'GET' && !isList && parameters.some(({ multiSegment }) => !multiSegment),
  async body({ bench, operation, input }) {
    const request = await input()
    const path = Object.fromEntries(
      Object.entries(request.path ?? {}).map(([name, value]) => [name, value.includes(bench.run) ? value.toUpperCase() : value]),
    )
    bench.observe('CORE-NAME-03', (await bench.call(operation.id, { ...request, path, observing: true })).status)
  },
})

/** The parameter of the path that names what is written, where the body has none of that name. */
const ownName = ({ parameters, requestSchema }: OperationFacts): string | undefined => {
  const inBody = Object.keys((requestSchema?.properties ?? {}) as JsonObject)
  return parameters.find(({ name, multiSegment }) => !multiSegment && !inBody.includes(name))?.name
}

sweep({
  id: 'core/name-in-body',
  clauses: ['CORE-NAME-02'],
  title: 'the name of the path counts, not one of the body',
  kind: 'scenario',
  exclusion: 'put',
  // Without a look at what was made it could not fail.
  applies: (operation, { state }) => makes(operation) && operation.hasBody && ownName(operation) !== undefined && state !== undefined,
  async body({ bench, expect, operation, input, state }) {
    const request = await input()
    const parameter = ownName(operation)!
    const other = bench.fresh('other')
    const elsewhere = { ...request, path: { ...request.path, [parameter]: other } }
    const [before, beside] = [await state(request), await state(elsewhere)]
    const body = { ...(request.body as JsonObject), [parameter]: other }
    const answer = await bench.call(operation.id, { ...request, body, invalid: true })
    const after = await state(request)
    expect(await state(elsewhere), `what the body names as its ${parameter}`).toEqual(beside)
    if (!answer.ok) return expect(after, 'what the path names, after a refusal').toEqual(before)
    if (!isDeepStrictEqual(before, after)) return
    await bench.given(operation.id, request)
    expect(await state(request), 'what the path names, which a write without such a body does not change either').toEqual(after)
  },
})
