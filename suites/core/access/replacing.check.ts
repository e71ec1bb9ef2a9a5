import { sweep } from '../../../harness/checks/index.ts'
import { methodsOf } from './methods.ts'

sweep({
  id: 'core/creator-replaces-nothing',
  clauses: ['CORE-CAP-07', 'CORE-CAP-10'],
  title: 'what exists is replaced by a caller who may update, and not by one who may create alone',
  kind: 'security',
  needs: { features: ['identities'] },
  // What is read at the path where it is written, or counts as created there, is an object that a write replaces; other writes are actions.
  applies: (operation, sample) =>
    operation.engine !== 'core' &&
    operation.method === 'POST' &&
    (operation.capability === 'create-update' || (operation.capability === 'update' && operation.pathMethods.includes('GET'))) &&
    sample.state !== undefined,
  async body({ bench, expect, operation, input, state }) {
    const request = await input()
    await bench.given(operation.id, request)
    const callerWith = (capability: 'create' | 'update') => {
      const { path, mount } = request
      const place = { ...(path === undefined ? {} : { path }), ...(mount === undefined ? {} : { mount }) }
      const capabilities = [capability, ...(operation.sudo ? (['sudo'] as const) : [])]
      return bench.identity([{ operation: operation.id, ...place, capabilities }])
    }
    const before = await state(request)
    const creator = await callerWith('create')
    await bench.decide('CORE-CAP-07', async () => {
      for (const method of methodsOf(operation)) {
        const answer = await bench.call(operation.id, { ...request, as: creator, method })
        expect(answer, `${method} on what exists, with create alone`).toHaveStatus(403, 404)
      }
      expect(await state(request), 'what stood there, afterwards').toEqual(before)
    })
    const updater = await callerWith('update')
    const updated = await bench.call(operation.id, { ...request, as: updater })
    // What not even root may write twice says nothing of capabilities.
    if (!updated.ok) await bench.given(operation.id, request)
    await bench.decide('CORE-CAP-10', () => expect(updated, 'a write on what exists, with update alone').toSucceed())
  },
})
