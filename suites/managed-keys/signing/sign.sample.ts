import { sample } from '../../../harness/checks/index.ts'
import { onModule, ownToken, signingKey } from './module-tokens.ts'

sample({
  operation: 'managedKeys.testSign',
  ...onModule,
  input: async (bench) => ({ path: (await signingKey(bench, await ownToken(bench))).path, body: {} }),
})
