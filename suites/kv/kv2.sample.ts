import { type Bench, type CallInput, sample } from '../../harness/checks/index.ts'
import { onVersions, pathWithin, shownBy, storeVersion } from './fixtures.ts'

const stored = async (bench: Bench) => {
  const path = pathWithin(bench)
  return { path, version: await storeVersion(bench, path, { value: bench.canary() }, 1) }
}

const pathOf = (input: CallInput): string => input.path?.path ?? ''
const shown = (bench: Bench, input: CallInput) => shownBy(bench, pathOf(input))

sample({ operation: 'kv2.read', input: async (bench) => ({ path: { path: (await stored(bench)).path } }) })

sample({
  operation: 'kv2.write',
  input: async (bench) => ({ path: { path: pathWithin(bench) }, body: { data: { value: bench.canary() } } }),
  state: shown,
})

sample({
  operation: 'kv2.list',
  async input(bench) {
    const directory = `${bench.fresh('dir')}/`
    await bench.given('kv2.write', { path: { path: `${directory}key` }, body: { data: { value: 'x' } } })
    return { path: { directory } }
  },
})

sample({ operation: 'kv2.deleteLatest', input: async (bench) => ({ path: { path: (await stored(bench)).path } }), state: shown })

for (const route of ['delete', 'destroy'] as const) {
  sample({
    operation: `kv2.${route}Versions`,
    async input(bench) {
      const { path, version } = await stored(bench)
      return { path: { path }, body: { versions: [version] } }
    },
    state: shown,
  })
}

sample({
  operation: 'kv2.undeleteVersions',
  async input(bench) {
    const { path, version } = await stored(bench)
    await onVersions(bench, 'delete', path, [version])
    return { path: { path }, body: { versions: [version] } }
  },
  state: shown,
})

const metadata = async (bench: Bench, input: CallInput) => {
  const { status, data } = await bench.call('kv2.readMetadata', { path: { path: pathOf(input) } })
  return { status, max_versions: data.max_versions ?? null }
}

sample({ operation: 'kv2.readMetadata', input: async (bench) => ({ path: { path: (await stored(bench)).path } }) })

sample({
  operation: 'kv2.writeMetadata',
  input: async (bench) => ({ path: { path: (await stored(bench)).path }, body: { max_versions: 7 } }),
  state: metadata,
})

sample({ operation: 'kv2.deleteMetadata', input: async (bench) => ({ path: { path: (await stored(bench)).path } }), state: metadata })

sample({ operation: 'kv2.readConfig', input: async () => ({}) })

sample({
  operation: 'kv2.writeConfig',
  needs: { mounts: { configured: { type: 'kv2', exclusive: true } } },
  input: async () => ({ body: { max_versions: 7 } }),
  state: async (bench) => (await bench.call('kv2.readConfig')).data.max_versions ?? null,
})
