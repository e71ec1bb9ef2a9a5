import { type Bench, check, sweep } from '../../harness/checks/index.ts'
import { methodsOf } from './access/methods.ts'
import { storedUnder, storeEntry } from './fixtures.ts'

/** The key that unseals the target; blocks where nobody said it. */
const unsealKey = (bench: Bench): string => {
  const key = bench.setting<string>('core.unsealKey')
  if (key === undefined)
    return bench.blocked(
      'the key that unseals the target is not known',
      'set ASSAY_CORE_UNSEAL_KEY, or settings.core.unsealKey in the configuration',
    )
  bench.secret(key)
  return key
}

check(
  'core/seal',
  ['CORE-SEAL-01', 'CORE-SEAL-02', 'CORE-SEAL-03'],
  'a sealed service answers 503 and nothing else, and works again once unsealed',
  { needs: { allow: 'seal' } },
  async ({ bench, expect }) => {
    const key = unsealKey(bench)
    const { path, value } = await storeEntry(bench)
    const unseal = () => bench.call('core.unseal', { body: { key }, as: 'none' })
    bench.defer(unseal)
    await bench.given('core.seal')
    const [read, write] = [
      await bench.call('kv1.read', { path: { path } }),
      await bench.call('kv1.write', { path: { path }, body: { a: 1 } }),
    ]
    await bench.decide('CORE-SEAL-01', () => {
      expect(read, 'a read while sealed').toHaveStatus(503)
      expect(write, 'a write while sealed').toHaveStatus(503)
    })
    await bench.decide('CORE-SEAL-02', () => expect(read.text).not.toContain(value))
    const opened = await unseal()
    if (!opened.ok) bench.blocked(`unsealing was answered ${opened.status}`, 'check settings.core.unsealKey; one key must open the target')
    await bench.decide('CORE-SEAL-03', async () => {
      await bench.eventually(async () => expect(await storedUnder(bench, path)).toBe(value), { because: 'the entry is read again' })
    })
  },
)

check(
  'core/asked-while-sealed',
  'CORE-SEAL-03',
  'a token that was sent while the service was sealed is good once it is unsealed',
  { needs: { allow: 'seal', features: ['identities'] } },
  async ({ bench, expect }) => {
    const key = unsealKey(bench)
    const { path, value } = await storeEntry(bench)
    const reader = () => bench.identity([{ operation: 'kv1.read', path: { path }, capabilities: ['read'] }])
    const callers = [await reader(), await reader()]
    const unseal = () => bench.call('core.unseal', { body: { key }, as: 'none' })
    bench.defer(unseal)
    await bench.given('core.seal')
    for (const [index, carrier] of (['token', 'bearer'] as const).entries())
      await bench.call('kv1.read', { path: { path }, as: callers[index]!, carrier })
    const opened = await unseal()
    if (!opened.ok) bench.blocked(`unsealing was answered ${opened.status}`, 'check settings.core.unsealKey; one key must open the target')
    for (const as of callers)
      await bench.eventually(async () => expect(await storedUnder(bench, path, { as })).toBe(value), { because: 'the entry is read again' })
  },
)

sweep({
  id: 'core/sealed',
  clauses: ['CORE-SEAL-01'],
  title: 'nothing is read or listed while the service is sealed',
  kind: 'security',
  needs: { allow: 'seal' },
  applies: ({ engine, method }) => engine !== 'core' && method === 'GET',
  async body({ bench, expect, operation, input }) {
    const key = unsealKey(bench)
    // What is not there is not shown either: names that nothing has are prepared in no time.
    const path = Object.fromEntries(operation.parameters.map(({ name }) => [name, bench.fresh('sealed')]))
    const request = operation.mount === undefined ? await input() : { path, mount: await bench.mount(operation.mount) }
    const unseal = () => bench.call('core.unseal', { body: { key }, as: 'none' })
    bench.defer(unseal)
    await bench.given('core.seal')
    const answers = []
    for (const method of methodsOf(operation)) answers.push(await bench.call(operation.id, { ...request, method }))
    const opened = await unseal()
    if (!opened.ok) bench.blocked(`unsealing was answered ${opened.status}`, 'check settings.core.unsealKey; one key must open the target')
    await bench.eventually(async () => (await bench.call(operation.id, request)).status !== 503, { because: 'it is served again' })
    for (const answer of answers) expect(answer, 'while sealed').toHaveStatus(503)
  },
})
