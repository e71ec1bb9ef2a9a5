import { check } from '../../../harness/checks/index.ts'
import { storedUnder, storeEntry } from '../fixtures.ts'
import { attemptAll, CARRIERS, expectNothingShown, expectUntouched, placeIn } from './attempts.ts'

check(
  'core/denied-within-granted',
  ['CORE-CAP-01', 'CORE-CAP-04', 'CORE-CAP-17', 'CORE-CAP-18'],
  'what is denied to a caller below what is granted stays closed, for every verb and carrier',
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
    const clauses = { read: 'CORE-CAP-01', list: 'CORE-CAP-17', write: 'CORE-CAP-04', delete: 'CORE-CAP-18' }
    for (const carrier of CARRIERS) {
      const attempts = await attemptAll(bench, place, caller, carrier)
      for (const [kind, clause] of Object.entries(clauses)) {
        const own = attempts.filter((attempt) => attempt.kind === kind)
        if (own.length === 0) bench.observe(clause, 'nobody may do that here')
        if (own.length === 0) continue
        await bench.decide(clause, async () => {
          for (const { answer, label } of own) expect(answer, `${label} where it is denied`).toHaveStatus(403, 404)
          expectNothingShown(expect, own, place)
          await expectUntouched(bench, expect, place)
        })
      }
    }
  },
)

check(
  'core/create-then-replace',
  'CORE-CAP-07',
  'the first write of a caller who may only create is no licence for the second',
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
