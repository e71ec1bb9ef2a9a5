import { type Bench, check, comesToHold, commandsOf, fc, type Identity, type JsonObject, race } from '../../harness/checks/index.ts'
import { aCheck, otherId, override, overrideFirst, show, softFailed, stateOf, statusOf, timestampsOf } from './fixtures.ts'

/** Milliseconds after which a clock that counts seconds has gone on. */
const NEXT_SECOND = 1_100

const control = (bench: Bench) => async () => ({ path: { id: (await softFailed(bench, 'soft-failed-check')).id } })

for (const { purpose, clause, what } of [
  { purpose: 'passed-check', clause: 'POLICY-CHECKS-OVERRIDE-13', what: 'passed' },
  { purpose: 'hard-failed-check', clause: 'POLICY-CHECKS-OVERRIDE-15', what: 'hard-failed' },
]) {
  check(
    `policy-checks/override-${purpose}`,
    [clause, 'POLICY-CHECKS-OVERRIDE-19'],
    `a check that ${what} is not overridden`,
    async ({ bench, expect }) => {
      const { id } = await aCheck(bench, purpose)
      await bench.decide(clause, async () => {
        const refused = await bench.refuses('policyChecks.override', {
          bad: { path: { id } },
          control: control(bench),
          unchanged: () => stateOf(bench, id),
        })
        expect(refused).toBeRefused()
        bench.observe('POLICY-CHECKS-OVERRIDE-19', refused.status)
      })
    },
  )
}

const hasSoftFailed = (data: JsonObject): boolean =>
  timestampsOf(data)['soft-failed-at'] !== undefined || ['soft_failed', 'overridden'].includes(String(statusOf(data)))

const evaluated = (bench: Bench): never =>
  bench.blocked('the fixture queued-check was evaluated meanwhile', 'give one that waits for longer')

check(
  'policy-checks/override-queued-check',
  ['POLICY-CHECKS-OVERRIDE-14', 'POLICY-CHECKS-OVERRIDE-19'],
  'a check that is queued is not overridden',
  async ({ bench, expect }) => {
    const { id } = await aCheck(bench, 'queued-check')
    const { data: before } = await bench.given('policyChecks.show', { path: { id } })
    if (hasSoftFailed(before)) evaluated(bench)
    const answer = await override(bench, id)
    const { data: after } = await show(bench, id)
    // It goes on by itself: what soft-failed in between may be overridden.
    if (answer.ok && timestampsOf(after)['soft-failed-at'] !== undefined) evaluated(bench)
    await bench.given('policyChecks.override', await control(bench)())
    await bench.decide('POLICY-CHECKS-OVERRIDE-14', () => {
      expect(answer).toBeRefused()
      expect(statusOf(after), 'status after the refusal').not.toBe('overridden')
      expect(timestampsOf(after)['overridden-at'] ?? null, 'overridden-at after the refusal').toBeNull()
    })
    bench.observe('POLICY-CHECKS-OVERRIDE-19', answer.status)
  },
)

check(
  'policy-checks/override-twice',
  'POLICY-CHECKS-OVERRIDE-16',
  'an overridden check is not overridden again',
  async ({ bench, expect }) => {
    const { id } = await softFailed(bench, 'soft-failed-check')
    await overrideFirst(bench, id)
    // Times may be told in whole seconds: a second override within the first one's second could move its time unseen.
    const begun = performance.now()
    await comesToHold(bench, async () => performance.now() - begun > NEXT_SECOND, { within: 2 * NEXT_SECOND })
    const refused = await bench.refuses('policyChecks.override', {
      bad: { path: { id } },
      control: control(bench),
      unchanged: () => stateOf(bench, id),
    })
    expect(refused).toBeRefused()
  },
)

const refusedCaller = async (bench: Bench, as: Identity, purpose = 'soft-failed-check') => {
  const { id } = await softFailed(bench, purpose)
  return bench.refuses('policyChecks.override', {
    bad: { path: { id }, as },
    control: { path: { id } },
    unchanged: () => stateOf(bench, id),
  })
}

check(
  'policy-checks/override-by-reader',
  ['POLICY-CHECKS-OVERRIDE-17', 'POLICY-CHECKS-OVERRIDE-20'],
  'a caller who may not override does not',
  { kind: 'security' },
  async ({ bench, expect }) => {
    await bench.decide('POLICY-CHECKS-OVERRIDE-17', async () => {
      const refused = await refusedCaller(bench, bench.named('reader'))
      expect(refused).toBeRefused()
      bench.observe('POLICY-CHECKS-OVERRIDE-20', refused.status)
    })
  },
)

check(
  'policy-checks/override-by-stranger',
  'POLICY-CHECKS-OVERRIDE-18',
  'a stranger does not override',
  { kind: 'security' },
  async ({ bench, expect }) => {
    expect(await refusedCaller(bench, bench.named('stranger'))).toBeRefused()
  },
)

for (const { caller, clause } of [
  { caller: 'reader', clause: 'POLICY-CHECKS-OVERRIDE-17' },
  { caller: 'stranger', clause: 'POLICY-CHECKS-OVERRIDE-18' },
]) {
  check(
    `policy-checks/override-warning-by-${caller}`,
    clause,
    `a ${caller} does not override a warning either`,
    { kind: 'security' },
    async ({ bench, expect }) => {
      expect(await refusedCaller(bench, bench.named(caller), 'soft-failed-warning-check')).toBeRefused()
    },
  )
}

check(
  'policy-checks/override-unknown',
  'POLICY-CHECKS-OVERRIDE-21',
  'an id that no policy check has is not overridden',
  async ({ bench, expect }) => {
    const { id } = await softFailed(bench, 'soft-failed-check')
    const refused = await bench.refuses('policyChecks.override', {
      bad: { path: { id: otherId(bench, id) } },
      control: { path: { id } },
      unchanged: () => stateOf(bench, id),
    })
    expect(refused).toBeRefused()
  },
)

check(
  'policy-checks/override-at-once',
  ['POLICY-CHECKS-OVERRIDE-26', 'POLICY-CHECKS-OVERRIDE-27'],
  'after overrides at once the check is overridden and stays as it is',
  { kind: 'race' },
  async ({ bench, expect }) => {
    const { id } = await softFailed(bench, 'soft-failed-check')
    const answers = await Promise.all([1, 2, 3].map(() => override(bench, id)))
    const shown = () =>
      bench.eventually(
        async () => {
          const { data } = await show(bench, id)
          expect(statusOf(data)).toBe('overridden')
          return data
        },
        { because: 'the override is shown' },
      )
    if (answers.some(({ ok }) => ok)) await bench.decide('POLICY-CHECKS-OVERRIDE-26', async () => void (await shown()))
    await bench.decide('POLICY-CHECKS-OVERRIDE-27', async () => {
      const data = await shown()
      expect(timestampsOf((await show(bench, id)).data)).toEqual(timestampsOf(data))
    })
  },
)

interface State {
  overridden: boolean
}
interface World {
  id: string
}
const on = commandsOf<State, World>()

race<State, World>(
  'policy-checks/race-override',
  'POLICY-CHECKS-OVERRIDE-25',
  'of overrides sent at once for one check, one succeeds',
  { runs: [2, 5] },
  {
    world: async (bench) => ({ id: (await softFailed(bench, 'soft-failed-check')).id }),
    initial: () => ({ overridden: false }),
    prefix: 0,
    branch: 1,
    probes: [{ command: 'show', drawn: null }],
    commands: {
      override: on({
        arguments: fc.constant(null),
        weight: 4,
        run: (bench, _, { id }) => override(bench, id),
        expects: (state, _, seen, expect) => (state.overridden ? expect(seen).toBeRefused() : expect(seen).toSucceed()),
        next: () => ({ overridden: true }),
      }),
      show: on({
        arguments: fc.constant(null),
        run: (bench, _, { id }) => show(bench, id),
        expects: (state, _, seen, expect) => expect(statusOf(seen.data)).toBe(state.overridden ? 'overridden' : 'soft_failed'),
        next: (state) => state,
      }),
    },
  },
)
