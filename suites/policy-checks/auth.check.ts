import { type Caller, check, comparable, nearTokens } from '../../harness/checks/index.ts'
import { aCheck, itemsOf, list, otherId, override, show, softFailed, stateOf } from './fixtures.ts'
import { INCLUDES, page } from './readings.ts'

for (const { name, as, clauses } of [
  { name: 'no-bearer', as: 'none', clauses: ['POLICY-CHECKS-AUTH-01', 'POLICY-CHECKS-AUTH-05', 'POLICY-CHECKS-AUTH-02'] },
  { name: 'unknown-bearer', as: 'wrong', clauses: ['POLICY-CHECKS-AUTH-03', 'POLICY-CHECKS-AUTH-05'] },
] satisfies { name: string; as: Caller; clauses: string[] }[]) {
  const title =
    as === 'none' ? 'without a bearer token nothing is shown or done' : 'with a bearer nobody was given nothing is shown or done'
  check(`policy-checks/${name}`, clauses, title, { kind: 'security' }, async ({ bench, expect }) => {
    const { id, run } = await aCheck(bench, 'soft-failed-check')
    const before = await stateOf(bench, id)
    const reads = [await show(bench, id, { as }), await list(bench, run, {}, as)]
    const overridden = await override(bench, id, as)
    const after = await stateOf(bench, id)
    await bench.decide(clauses[0]!, () => {
      for (const answer of reads) {
        expect(answer).toBeRefused()
        expect([...itemsOf(answer), ...Object.keys(answer.data)], `${answer.operation} shows nothing`).toEqual([])
      }
    })
    await bench.decide('POLICY-CHECKS-AUTH-05', () => {
      expect(overridden).toBeRefused()
      expect(after).toEqual(before)
    })
    if (as === 'none') {
      await bench.decide('POLICY-CHECKS-AUTH-02', () => {
        for (const answer of [...reads, overridden]) expect(answer).toHaveStatus(401, 404)
      })
    }
  })
}

check(
  'policy-checks/other-carriers',
  'POLICY-CHECKS-AUTH-07',
  'a token that is not sent as a bearer opens nothing',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { id, run } = await aCheck(bench, 'readable-check')
    const reader = bench.named('reader')
    await bench.given('policyChecks.show', { path: { id }, as: reader })
    const basic = Buffer.from(`assay:${reader.token}`).toString('base64')
    for (const [how, Authorization] of [
      ['bare', reader.token],
      ['as Basic', `Basic ${basic}`],
      ['as Basic, not encoded', `Basic ${reader.token}`],
    ] as const) {
      const input = { as: 'none', headers: { Authorization } } as const
      const answers = [
        await bench.call('policyChecks.show', { path: { id }, ...input }),
        await bench.call('policyChecks.list', { path: { run_id: run }, ...input }),
      ]
      for (const answer of answers) {
        expect(answer, `a token sent ${how}`).toBeRefused()
        expect([...itemsOf(answer), ...Object.keys(answer.data)], `${answer.operation} shows nothing`).toEqual([])
      }
    }
  },
)

check(
  'policy-checks/near-bearers',
  ['POLICY-CHECKS-AUTH-01', 'POLICY-CHECKS-AUTH-03', 'POLICY-CHECKS-AUTH-05'],
  'neither an empty bearer nor one that is near to a good one shows or does anything',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { id, run } = await softFailed(bench, 'soft-failed-check')
    const good = { name: 'root', token: bench.named('root').token }
    const before = await stateOf(bench, id)
    const callers = [
      ...['Bearer', 'Bearer ', 'bearer'].map((header) => ({ clause: 'POLICY-CHECKS-AUTH-01', name: `the header ${header}`, header })),
      ...nearTokens(bench, good).map((as) => ({ clause: 'POLICY-CHECKS-AUTH-03', name: as.name, as })),
    ]
    for (const caller of callers) {
      // The good one is known to the server when its likeness comes.
      await bench.given('policyChecks.show', { path: { id }, as: good })
      const input = 'as' in caller ? { as: caller.as } : ({ as: 'none', headers: { Authorization: caller.header } } as const)
      const overridden = await bench.call('policyChecks.override', { path: { id }, ...input })
      const answers = [
        await bench.call('policyChecks.show', { path: { id }, ...input }),
        await bench.call('policyChecks.list', { path: { run_id: run }, ...input }),
      ]
      const after = await stateOf(bench, id)
      await bench.decide(caller.clause, () => {
        for (const answer of answers) {
          expect(answer, `${answer.operation} by ${caller.name}`).toBeRefused()
          expect([...itemsOf(answer), ...Object.keys(answer.data)], `${answer.operation} shows nothing`).toEqual([])
        }
      })
      await bench.decide('POLICY-CHECKS-AUTH-05', () => {
        expect(overridden, `an override by ${caller.name}`).toBeRefused()
        expect(after, `the check after an override by ${caller.name}`).toEqual(before)
      })
    }
  },
)

check(
  'policy-checks/hidden',
  ['POLICY-CHECKS-HIDE-01', 'POLICY-CHECKS-HIDE-02', 'POLICY-CHECKS-HIDE-03'],
  'a stranger cannot tell a policy check from one that does not exist',
  { kind: 'security' },
  async ({ bench, expect }) => {
    const { id, run } = await aCheck(bench, 'readable-check')
    const as = bench.named('stranger')
    const missing = otherId(bench, id)
    const [hidden, unknown, listed] = [await show(bench, id, { as }), await show(bench, missing, { as }), await list(bench, run, {}, as)]
    await bench.decide('POLICY-CHECKS-HIDE-01', () => expect(hidden).toHaveStatus(404))
    await bench.decide('POLICY-CHECKS-HIDE-02', () => expect(listed).toHaveStatus(404))
    // A check that was just shown to others, and with whatever parameters.
    for (const include of INCLUDES) {
      await show(bench, id, include)
      const shown = await show(bench, id, { as, ...include })
      await bench.decide('POLICY-CHECKS-HIDE-01', () => expect(shown, `shown with ${JSON.stringify(include)}`).toHaveStatus(404))
      for (const query of [include, { ...page(1, 20), ...include }]) {
        await list(bench, run, query)
        const answer = await list(bench, run, query, as)
        await bench.decide('POLICY-CHECKS-HIDE-02', () => expect(answer, `listed with ${JSON.stringify(query)}`).toHaveStatus(404))
      }
    }
    await bench.decide('POLICY-CHECKS-HIDE-03', () => expect(comparable(hidden, id)).toEqual(comparable(unknown, missing)))
  },
)
