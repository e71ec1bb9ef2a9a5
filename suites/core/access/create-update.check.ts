import { check } from '../../../harness/checks/index.ts'
import { namesIn, storedUnder, storeEntry } from '../fixtures.ts'

const identities = { needs: { features: ['identities' as const] } }

check(
  'core/create-does-not-update',
  'CORE-CAP-07',
  'a caller with create alone does not replace an entry',
  identities,
  async ({ bench, expect }) => {
    const { path, value } = await storeEntry(bench)
    const creator = await bench.identity([{ operation: 'kv1.write', path: { path }, capabilities: ['create'] }])
    const both = await bench.identity([{ operation: 'kv1.write', path: { path }, capabilities: ['create', 'update'] }])
    const body = { value: bench.canary('other') }
    await bench.refuses('kv1.write', {
      bad: { path: { path }, body, as: creator },
      control: { path: { path }, body, as: both },
      unchanged: async () => expect(await storedUnder(bench, path)).toBe(value),
      status: [403, 404],
    })
  },
)

check('core/create-creates', 'CORE-CAP-08', 'a caller with create alone writes a new entry', identities, async ({ bench, expect }) => {
  const path = bench.fresh('key')
  const value = bench.canary('value')
  const creator = await bench.identity([{ operation: 'kv1.write', path: { path }, capabilities: ['create'] }])
  expect(await bench.call('kv1.write', { path: { path }, body: { value }, as: creator })).toSucceed()
  expect(await storedUnder(bench, path)).toBe(value)
})

check(
  'core/update-does-not-create',
  'CORE-CAP-09',
  'a caller with update alone does not write a new entry',
  identities,
  async ({ bench, expect }) => {
    const path = bench.fresh('key')
    const updater = await bench.identity([{ operation: 'kv1.write', path: { path }, capabilities: ['update'] }])
    expect(await bench.call('kv1.write', { path: { path }, body: { value: 'new' }, as: updater })).toBeRefused()
    expect(await storedUnder(bench, path)).toEqual({ status: 404 })
  },
)

check('core/update-updates', 'CORE-CAP-10', 'a caller with update alone replaces an entry', identities, async ({ bench, expect }) => {
  const { path } = await storeEntry(bench)
  const value = bench.canary('other')
  const updater = await bench.identity([{ operation: 'kv1.write', path: { path }, capabilities: ['update'] }])
  expect(await bench.call('kv1.write', { path: { path }, body: { value }, as: updater })).toSucceed()
  expect(await storedUnder(bench, path)).toBe(value)
})

check(
  'core/writer-does-not-read',
  'CORE-CAP-05',
  'a caller that may only write is refused a read',
  identities,
  async ({ bench, expect }) => {
    const { path, value } = await storeEntry(bench)
    const writer = await bench.identity([{ operation: 'kv1.write', path: { path }, capabilities: ['create', 'update'] }])
    const reader = await bench.identity([{ operation: 'kv1.read', path: { path }, capabilities: ['read'] }])
    const answer = await bench.refuses('kv1.read', {
      bad: { path: { path }, as: writer },
      control: { path: { path }, as: reader },
      unchanged: null,
      because: 'a read changes nothing',
      status: [403, 404],
    })
    expect(answer.text).not.toContain(value)
  },
)

check(
  'core/granted-by-several-policies',
  ['CORE-CAP-03', 'CORE-CAP-06', 'CORE-CAP-11'],
  'what any of several policies grants on one path is granted, whichever of them was written first',
  identities,
  async ({ bench, expect }) => {
    const [directory, name] = [bench.fresh('dir'), bench.fresh('key')]
    const path = `${directory}/${name}`
    await storeEntry(bench, { path: { path } })
    const everything = { operation: 'kv1.write', path: { path: `${directory}/*` } }
    const elsewhere = { operation: 'core.readAny', path: { anyPath: bench.fresh('elsewhere') }, capabilities: ['read' as const] }
    const [looking, writing] = [['read', 'list'] as const, ['create', 'update'] as const]
    for (const [first, second] of [
      [looking, writing],
      [writing, looking],
    ] as const) {
      const of = (capabilities: typeof first, at: number) => ({ ...everything, capabilities: [...capabilities], apart: at })
      for (const grants of [
        [of(first, 0), of(second, 1)],
        [{ ...elsewhere, apart: 0 }, of(first, 1), of(second, 2)],
        [of(first, 0), { ...elsewhere, apart: 1 }, of(second, 2)],
      ]) {
        const as = await bench.identity(grants)
        const what = `${first.join(' and ')} in one, ${second.join(' and ')} in a later one of ${grants.length}`
        const value = bench.canary('value')
        const written = await bench.call('kv1.write', { path: { path }, body: { value }, as })
        await bench.decide('CORE-CAP-06', () => expect(written, `a write, with ${what}`).toSucceed())
        await bench.decide('CORE-CAP-03', async () =>
          expect(await storedUnder(bench, path, { as }), `what is read with ${what}`).toBe(value),
        )
        const listed = await bench.call('kv1.list', { path: { directory: `${directory}/` }, as })
        await bench.decide('CORE-CAP-11', () => expect(namesIn(listed), `names listed with ${what}`).toEqual([name]))
      }
    }
  },
)
