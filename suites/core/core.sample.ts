import { sample } from '../../harness/checks/index.ts'

sample({
  operation: 'core.help',
  needs: { mounts: { helped: { type: 'kv1' } } },
  input: async (bench) => ({ path: { helpPath: bench.mountPath('helped') }, query: { help: '1' } }),
})

sample({ operation: 'core.health', input: async () => ({}) })
