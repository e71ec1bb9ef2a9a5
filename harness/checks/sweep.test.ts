import { expect, test } from 'vitest'
import { NotServed, Refused } from '../base/errors.ts'
import { expandSweep, type OperationFacts, type SweepDefinition } from './sweep.ts'
import type { CheckContext } from './vocabulary.ts'

const definition: SweepDefinition = {
  id: 'core/toy',
  clauses: ['TOY-01'],
  title: 'a toy',
  kind: 'scenario',
  applies: () => true,
  body: async () => undefined,
}

const failureWhere = async (error: Error): Promise<unknown> => {
  const throwing = { ...definition, body: () => Promise.reject(error) }
  const sample = { operation: 'toy.read', input: async () => ({}) }
  const [check] = expandSweep(throwing, [sample], (id) => ({ id }) as OperationFacts)
  return check!.body({} as CheckContext).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
}

test('an operation that is not served, or cannot be prepared, leaves the clauses to the other operations', async () => {
  for (const status of [404, 405, 501]) expect(await failureWhere(new Refused('toy.read', status, ''))).toBeInstanceOf(NotServed)
})

test('any other failure is what it is', async () => {
  for (const error of [new Refused('toy.read', 403, ''), new Error('anything else')]) expect(await failureWhere(error)).toBe(error)
})

test('the mounts of a nested sweep are in a namespace, that of the operation too where the sample names none', () => {
  const nested = { ...definition, nested: 2 as const }
  const facts = (id: string) => ({ id, mount: 'toy' }) as OperationFacts
  const sample = { operation: 'toy.read', input: async () => ({}) }
  const needs = { mounts: { own: { type: 'toy', exclusive: true } } }
  const [plain, named] = expandSweep(nested, [sample, { ...sample, needs }], facts)
  expect(plain!.needs).toMatchObject({ mounts: { toy: { type: 'toy', nested: 2 } }, features: ['mounts', 'namespaces'] })
  expect(named!.needs.mounts).toEqual({ own: { type: 'toy', exclusive: true, nested: 2 } })
})
