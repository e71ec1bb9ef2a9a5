import { sample } from '../../harness/checks/index.ts'
import { aCheck, aRun, stateOf } from './fixtures.ts'

sample({ operation: 'policyChecks.list', input: async (bench) => ({ path: { run_id: (await aRun(bench, 'run')).id } }) })

sample({ operation: 'policyChecks.show', input: async (bench) => ({ path: { id: (await aCheck(bench, 'readable-check')).id } }) })

sample({
  operation: 'policyChecks.override',
  input: async (bench) => ({ path: { id: (await aCheck(bench, 'soft-failed-check')).id } }),
  state: (bench, input) => stateOf(bench, input.path?.id ?? ''),
})

sample({ operation: 'policyChecks.showOutput', input: async (bench) => ({ path: { id: (await aCheck(bench, 'readable-check')).id } }) })
