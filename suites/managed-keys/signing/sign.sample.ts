import { sample } from '../../../harness/checks/index.ts'
import { module, ownToken, signingKey } from './module.ts'

sample({
  operation: 'managedKeys.testSign',
  ...module,
  input: async (bench) => ({ path: (await signingKey(bench, await ownToken(bench))).path, body: {} }),
})
