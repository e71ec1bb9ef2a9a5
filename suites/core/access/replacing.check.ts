import { type CallInput, isObject, type SweepContext, sweep } from '../../../harness/checks/index.ts'
import { placeOf } from './granted-callers.ts'
import { methodsOf } from './methods.ts'
import { writesObject } from './writes.ts'

/** A caller who may make or replace what a request names, wherever its mount is. */
const callerWith = ({ bench, operation }: SweepContext, request: CallInput, capability: 'create' | 'update') => {
  const capabilities = [capability, ...(operation.sudo ? (['sudo'] as const) : [])]
  return bench.identity([{ operation: operation.id, ...placeOf(request), capabilities, namespace: (own) => own }])
}

/** Holds what exists against a caller who may create alone, and one who may update alone. */
const isReplacedByUpdaters = async (context: SweepContext): Promise<void> => {
  const { bench, expect, operation, input, state } = context
  const request = await input()
  await bench.given(operation.id, request)
  const before = await state(request)
  const creator = await callerWith(context, request, 'create')
  await bench.decide('CORE-CAP-07', async () => {
    for (const method of methodsOf(operation)) {
      const answer = await bench.call(operation.id, { ...request, as: creator, method })
      expect(answer, `${method} on what exists, with create alone`).toHaveStatus(403, 404)
    }
    expect(await state(request), 'what stood there, afterwards').toEqual(before)
  })
  // Its maker has no more right to it than others.
  const own = await input()
  const maker = await callerWith(context, own, 'create')
  if ((await bench.call(operation.id, { ...own, as: maker })).ok) {
    const made = await state(own)
    await bench.decide('CORE-CAP-07', async () => {
      expect(await bench.call(operation.id, { ...own, as: maker }), 'once more by its maker').toHaveStatus(403, 404)
      expect(await state(own), 'what was made, afterwards').toEqual(made)
    })
  }
  const updater = await callerWith(context, request, 'update')
  const updated = await bench.call(operation.id, { ...request, as: updater })
  // What not even root may write twice says nothing of capabilities.
  if (!updated.ok) await bench.given(operation.id, request)
  await bench.decide('CORE-CAP-10', () => expect(updated, 'a write on what exists, with update alone').toSucceed())
}

sweep({
  id: 'core/creator-replaces-nothing',
  clauses: ['CORE-CAP-07', 'CORE-CAP-10'],
  title: 'what exists is replaced by a caller who may update, and not by one who may create alone',
  kind: 'security',
  needs: { features: ['identities'] },
  applies: writesObject,
  body: isReplacedByUpdaters,
})

sweep({
  id: 'core/creator-within-namespaces',
  clauses: ['CORE-CAP-07', 'CORE-CAP-10'],
  title: 'within a namespace, what exists is replaced by a caller who may update, and not by one who may create alone',
  kind: 'security',
  needs: { features: ['identities'] },
  nested: 1,
  applies: (operation, sample) => writesObject(operation, sample) && operation.mount !== undefined,
  body: isReplacedByUpdaters,
})

/** The request with a value of no field's type in each member. */
const ofWrongTypes = (request: CallInput): CallInput => ({
  ...request,
  body: Object.fromEntries(Object.keys(isObject(request.body) ? request.body : {}).map((name) => [name, { none: [[{}]] }])),
  invalid: true,
})

/** Asserts that a write that was refused for its data, by any caller, leaves the next one a creation; nothing where no data is refused. */
const isMadeAfterRefusal = async (context: SweepContext): Promise<void> => {
  const { bench, expect, operation, input } = context
  for (const who of ['the same caller', 'root'] as const) {
    const request = await input()
    const maker = await callerWith(context, request, 'create')
    // What a mount has one of, such as its configuration, may be there already.
    await bench.call(operation.id, { ...request, body: undefined, method: 'DELETE', invalid: true })
    const refused = await bench.call(operation.id, { ...ofWrongTypes(request), as: who === 'root' ? who : maker })
    if (refused.status !== 400) continue
    const corrected = await bench.call(operation.id, { ...request, as: maker })
    // What not even root may make now says nothing of capabilities.
    if (!corrected.ok && !(await bench.call(operation.id, request)).ok) continue
    expect(corrected, `with create alone, after ${who} was refused for the data`).toSucceed()
  }
}

sweep({
  id: 'core/anew-is-create',
  clauses: ['CORE-CAP-19'],
  title: 'what was deleted, and what was refused for its data, may be created by a caller who may create what never existed',
  kind: 'security',
  needs: { features: ['identities'] },
  // What is deleted of versions may still be there; entries have a check of their own.
  applies: (operation, sample) =>
    writesObject(operation, sample) &&
    operation.pathMethods.includes('DELETE') &&
    operation.parameters.every(({ multiSegment }) => !multiSegment),
  async body(context) {
    const { bench, expect, operation, input } = context
    const never = await input()
    const made = await bench.call(operation.id, { ...never, as: await callerWith(context, never, 'create') })
    // An engine that makes no existence check takes every write for an update: then there is nothing to tell apart.
    if (!made.ok) return bench.observe('CORE-CAP-19', 'create alone makes nothing')
    await isMadeAfterRefusal(context)
    const request = await input()
    const { body: _, ...there } = request
    const creator = await callerWith(context, there, 'create')
    for (const method of methodsOf(operation)) {
      // Made by the caller who will make it again.
      if (!(await bench.call(operation.id, { ...request, as: creator, method })).ok) await bench.given(operation.id, request)
      await bench.given(operation.id, { ...there, method: 'DELETE', invalid: true })
      const again = await bench.call(operation.id, { ...request, as: creator, method })
      // What not even root may make again says nothing of capabilities: a deletion may take with it what it needs.
      if (!again.ok && !(await bench.call(operation.id, request)).ok) return bench.observe('CORE-CAP-19', 'nobody makes it again')
      expect(again, `${method} with create alone, after a deletion`).toSucceed()
    }
  },
})

sweep({
  id: 'core/updater-makes-nothing',
  clauses: ['CORE-CAP-09'],
  title: 'what never was there is not made by a caller who may update alone, where one who may create alone makes it',
  kind: 'security',
  needs: { features: ['identities'] },
  applies: writesObject,
  async body(context) {
    const { bench, expect, operation, input, state } = context
    const never = await input()
    const made = await bench.call(operation.id, { ...never, as: await callerWith(context, never, 'create') })
    if (!made.ok) return bench.observe('CORE-CAP-09', 'create alone makes nothing')
    const request = await input()
    // What a mount has one of, such as its configuration, is there by now.
    const whereOf = ({ path, mount }: CallInput) => JSON.stringify([path, mount])
    if (whereOf(request) === whereOf(never)) return bench.observe('CORE-CAP-09', 'it is made once only')
    const before = await state(request)
    const updater = await callerWith(context, request, 'update')
    for (const method of methodsOf(operation)) {
      const answer = await bench.call(operation.id, { ...request, as: updater, method })
      expect(answer, `${method} of what is not there, with update alone`).toHaveStatus(403, 404)
    }
    expect(await state(request), 'what stands there, afterwards').toEqual(before)
    const creator = await callerWith(context, request, 'create')
    expect(await bench.call(operation.id, { ...request, as: creator }), 'the same request with create alone').toSucceed()
  },
})
