/** The body of a write that was refused is gone: nothing of it is in what is written next. */
import { check } from '../../../harness/checks/index.ts'
import { objectIn } from '../fixtures.ts'
import { CARRIERS, placeIn } from './attempts.ts'
import { identities, strangerTo } from './granted-callers.ts'

check(
  'core/refused-body-is-gone',
  ['CORE-AUTH-04', 'CORE-AUTH-05', 'CORE-CAP-04'],
  'what a refused write holds is in no entry that is written after it',
  { kind: 'security', needs: { ...identities, mounts: { own: { type: 'kv1' } } } },
  async ({ bench, expect }) => {
    const { path } = await placeIn(bench, 'own')
    const entry = { mount: 'own', path: { path } }
    const reader = await bench.identity([{ operation: 'kv1.read', ...entry, capabilities: ['read', 'list'] }])
    const callers = [
      ['CORE-AUTH-04', 'none', 'without a token'],
      ['CORE-AUTH-05', 'wrong', 'with a token that was never issued'],
      ['CORE-CAP-04', reader, 'of a caller who may read'],
      ['CORE-CAP-04', await strangerTo(bench), 'of a caller who may do nothing there'],
    ] as const
    for (const [clause, as, who] of callers)
      for (const method of ['POST', 'PUT'])
        for (const carrier of as === 'none' ? CARRIERS.slice(0, 1) : CARRIERS) {
          const refused = { value: bench.canary('refused'), added: bench.canary('added') }
          await bench.call('kv1.write', { ...entry, as, carrier, method, body: refused })
          const next = { value: bench.canary('value') }
          await bench.given('kv1.write', { ...entry, method, body: next })
          const stored = objectIn(await bench.given('kv1.read', entry))
          await bench.decide(clause, () => {
            expect(stored, `what is written after a ${method} ${who}`).toMatchObject(next)
            expect(stored, `what is written after a ${method} ${who}`).not.toHaveProperty('added')
          })
        }
  },
)
