import { check } from '../../../harness/checks/index.ts'
import { storedUnder, storeEntry } from '../fixtures.ts'
import { attemptAll, CARRIERS, expectNothingShown, expectUntouched, INCAPABLE, placeIn } from './attempts.ts'

const clause = 'CORE-CAP-23'

for (const [kind] of INCAPABLE)
  check(
    `core/denied-${kind}-within-granted`,
    clause,
    'what is denied to a caller below what is granted stays closed, with each carrier',
    { kind: 'security', needs: { features: ['identities'], mounts: { own: { type: 'kv1' } } } },
    async ({ bench, expect }) => {
      const place = await placeIn(bench, 'own')
      const grant = (path: string, capabilities: ('create' | 'read' | 'update' | 'delete' | 'list' | 'deny')[]) => ({
        operation: 'kv1.read',
        mount: 'own',
        path: { path },
        capabilities,
      })
      const caller = await bench.identity([
        grant('*', ['create', 'read', 'update', 'delete', 'list']),
        grant(`${place.directory}/*`, ['deny']),
      ])
      const beside = await storeEntry(bench, { mount: 'own' })
      expect(await storedUnder(bench, beside.path, { mount: 'own', as: caller }), 'what is granted').toBe(beside.value)
      for (const carrier of CARRIERS) {
        const attempts = await attemptAll(bench, place, caller, carrier, kind)
        if (attempts.length === 0) bench.observe(clause, 'nobody may do that here')
        for (const { answer, label } of attempts) expect(answer, `${label} where it is denied`).toHaveStatus(403, 404)
        expectNothingShown(expect, attempts, place)
        await expectUntouched(bench, expect, place)
      }
    },
  )

check(
  'core/create-then-replace',
  'CORE-CAP-07',
  'the first write of a caller who may only create does not allow the second',
  { needs: { features: ['identities'], mounts: { own: { type: 'kv1' } } } },
  async ({ bench, expect }) => {
    const path = bench.fresh('key')
    const [value, other] = [bench.canary('value'), bench.canary('other')]
    const creator = await bench.identity([{ operation: 'kv1.write', mount: 'own', path: { path }, capabilities: ['create'] }])
    const first = await bench.call('kv1.write', { mount: 'own', path: { path }, body: { value }, as: creator })
    // Where engines make no existence check every write is an update, and the first is refused as well.
    if (!first.ok) await bench.given('kv1.write', { mount: 'own', path: { path }, body: { value } })
    for (const method of ['POST', 'PUT']) {
      const second = await bench.call('kv1.write', { mount: 'own', path: { path }, body: { value: other }, as: creator, method })
      expect(second, `a second write by ${method}`).toHaveStatus(403, 404)
      expect(await storedUnder(bench, path, { mount: 'own' }), `after a second write by ${method}`).toBe(value)
    }
  },
)
