import { type Answer, asObject, type Bench, type Caller, check, type JsonObject, namedIfAny } from '../../harness/checks/index.ts'
import { aCheck, aRun, asArray, documented, idsOf, includedOf, itemsOf, list, relatedId, show } from './fixtures.ts'
import { page } from './readings.ts'

const keyOf = ({ type, id }: JsonObject): string => `${String(type)} ${String(id)}`

/** The resources that a document's relationships lead to, from its primary data on. */
const reachable = (answer: Answer): Set<string> => {
  const primary = asObject(answer.body).data
  const byKey = new Map(includedOf(answer).map((resource) => [keyOf(resource), resource]))
  const found = new Set<string>()
  const queue = Array.isArray(primary) ? asArray(primary) : [asObject(primary)]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const relationship of Object.values(asObject(next.relationships))) {
      const { data } = asObject(relationship)
      for (const related of Array.isArray(data) ? asArray(data) : [asObject(data)]) {
        const key = keyOf(related)
        if (found.has(key)) continue
        found.add(key)
        const resource = byKey.get(key)
        if (resource !== undefined) queue.push(resource)
      }
    }
  }
  return found
}

/** Both kinds of callers that may read: one may override, the other may not. */
const readers = (bench: Bench): Caller[] => ['root', ...[namedIfAny(bench, 'reader') ?? []].flat()]

const ofType = (answer: Answer, type: string): JsonObject[] => includedOf(answer).filter((resource) => resource.type === type)

check(
  'policy-checks/include-run',
  ['POLICY-CHECKS-INCLUDE-01', 'POLICY-CHECKS-INCLUDE-02', 'POLICY-CHECKS-INCLUDE-11'],
  'the run can be included',
  async ({ bench, expect }) => {
    const run = await aRun(bench, 'run')
    const id = run.checks[0] ?? ''
    for (const as of readers(bench)) {
      const [plain, shown, listed] = [
        await show(bench, id, { as }),
        await show(bench, id, { as, include: 'run' }),
        await list(bench, run.id, { include: 'run' }, as),
      ]
      await bench.decide('POLICY-CHECKS-INCLUDE-01', () =>
        expect(ofType(shown, 'runs').map((resource) => resource.id)).toContain(relatedId(shown.data, 'run')),
      )
      await bench.decide('POLICY-CHECKS-INCLUDE-02', () => {
        expect(listed).toSucceed()
        const included = ofType(listed, 'runs').map((resource) => resource.id)
        const wanted = new Set(itemsOf(listed).map((item) => relatedId(item, 'run')))
        for (const run of wanted) expect(included).toContain(run)
        expect(wanted.size).toBe(1)
      })
      await bench.decide('POLICY-CHECKS-INCLUDE-11', () => {
        expect(documented(shown.data)).toEqual(documented(plain.data))
        expect(idsOf(listed).sort()).toEqual([...run.checks].sort())
      })
    }
    for (const other of run.checks.slice(1)) {
      const answer = await show(bench, other, { include: 'run' })
      await bench.decide('POLICY-CHECKS-INCLUDE-01', () =>
        expect(
          ofType(answer, 'runs').map((resource) => resource.id),
          'the run included for each of its checks',
        ).toContain(run.id),
      )
      await bench.decide('POLICY-CHECKS-INCLUDE-11', () => expect(answer.data.id).toBe(other))
    }
  },
)

for (const [name, clause, read] of [
  ['include-workspace', 'POLICY-CHECKS-INCLUDE-03', (bench, { checks }, query, as) => show(bench, checks[0] ?? '', { ...query, as })],
  ['include-workspace-in-list', 'POLICY-CHECKS-INCLUDE-04', (bench, { id }, query, as) => list(bench, id, query, as)],
] satisfies [
  string,
  string,
  (bench: Bench, run: Awaited<ReturnType<typeof aRun>>, query: { include: string }, as: Caller) => Promise<Answer>,
][]) {
  check(
    `policy-checks/${name}`,
    [clause, 'POLICY-CHECKS-INCLUDE-05', 'POLICY-CHECKS-INCLUDE-06', 'POLICY-CHECKS-INCLUDE-07', 'POLICY-CHECKS-INCLUDE-08'],
    'the workspace of the run can be included',
    async ({ bench, expect }) => {
      // Other runs, made before and after where fixtures are made on demand: there are other workspaces to take for the run's own.
      await aCheck(bench, 'readable-check')
      const run = await aRun(bench, 'run')
      await aCheck(bench, 'readable-check')
      for (const as of readers(bench)) {
        const answer = await read(bench, run, { include: 'run.workspace' }, as)
        // The document does not name the type: the id decides, which the fixture or the included run names.
        const named = run.workspace ?? relatedId(ofType(answer, 'runs').find(({ id }) => id === run.id) ?? {}, 'workspace')
        const workspace = includedOf(answer).find(({ id, type }) => (named === undefined ? type !== 'runs' : id === named))
        await bench.decide(clause, () => {
          expect(workspace, 'the included workspace').toEqual(expect.objectContaining({ id: expect.any(String) }))
          for (const included of ofType(answer, 'runs').filter(({ id }) => id === run.id)) {
            const pointsTo = relatedId(included, 'workspace')
            if (pointsTo !== undefined) expect(pointsTo).toBe(workspace?.id)
          }
        })
        await bench.decide('POLICY-CHECKS-INCLUDE-05', () =>
          expect(ofType(answer, 'workspaces').length, 'included resources of type workspaces').toBe(1),
        )
        await bench.decide('POLICY-CHECKS-INCLUDE-06', () =>
          expect(ofType(answer, 'runs').map((resource) => resource.id)).toEqual([run.id]),
        )
        const keys = includedOf(answer).map(keyOf)
        await bench.decide('POLICY-CHECKS-INCLUDE-07', () => {
          const reached = reachable(answer)
          expect(
            keys.filter((key) => !reached.has(key)),
            'included resources that no relationship leads to',
          ).toEqual([])
        })
        await bench.decide('POLICY-CHECKS-INCLUDE-08', () => expect(keys.length, 'included resources').toBe(new Set(keys).size))
      }
    },
  )
}

check(
  'policy-checks/include-more',
  ['POLICY-CHECKS-INCLUDE-09', 'POLICY-CHECKS-INCLUDE-10'],
  'include takes a list, and refuses what it does not know',
  async ({ bench, expect }) => {
    const run = await aRun(bench, 'run')
    const id = run.checks[0] ?? ''
    const both = await show(bench, id, { include: 'run,run.workspace' })
    await bench.decide('POLICY-CHECKS-INCLUDE-09', () => {
      expect(both).toSucceed()
      expect(
        includedOf(both)
          .map(({ type }) => type)
          .sort(),
      ).toEqual(['runs', 'workspaces'])
    })
    const unknown = [await show(bench, id, { include: 'assay-nothing' }), await list(bench, run.id, { include: 'run.assay-nothing' })]
    await bench.decide('POLICY-CHECKS-INCLUDE-10', () => {
      for (const answer of unknown) expect(answer).toHaveStatus(400)
    })
  },
)

check(
  'policy-checks/include-in-pages',
  ['POLICY-CHECKS-INCLUDE-11', 'POLICY-CHECKS-INCLUDE-12'],
  'what is included leaves a page the same, whichever parameters ask for it',
  async ({ bench, expect }) => {
    const run = await aRun(bench, 'run')
    const plain = itemsOf(await list(bench, run.id)).map(documented)
    const ids = run.checks.toSorted()
    for (const query of [{}, page(1), { 'page[size]': '20' }, { 'page[size]': '1' }, page(1, 1), page(2, 1)] as Record<string, string>[]) {
      for (const include of ['run', 'run.workspace']) {
        const answer = await list(bench, run.id, { ...query, include })
        const how = `with ${JSON.stringify(query)} and ${include}`
        const isOfOne = query['page[size]'] === '1'
        // Which check is on which page goes by an order that may change.
        await bench.decide('POLICY-CHECKS-INCLUDE-11', () => {
          if (isOfOne) expect(idsOf(answer).length, `checks listed ${how}`).toBeGreaterThan(0)
          else expect(idsOf(answer).sort(), `checks listed ${how}`).toEqual(ids)
          for (const item of itemsOf(answer).map(documented)) expect(plain, `checks listed ${how}`).toContainEqual(item)
        })
        const wanted = include === 'run' ? run.id : run.workspace
        if (Object.keys(query).length === 0) continue
        const included = includedOf(answer).map(({ id }) => id)
        await bench.decide('POLICY-CHECKS-INCLUDE-12', () => {
          if (isOfOne) expect(idsOf(answer).length, `checks listed ${how}`).toBe(1)
          expect(included, `ids included ${how}`).toEqual(wanted === undefined ? expect.any(Array) : expect.arrayContaining([wanted]))
        })
      }
    }
  },
)
