/** Operations that refuse all that the contract allows. */
import { expect, test } from 'vitest'
import type { Operation } from '../contract/contract.ts'
import type { NumberedExchange } from './history.ts'
import { RefusedOperations } from './refused.ts'

const operation = (id: string, clause?: string): Operation => ({ id, engine: 'toy', clause, responses: {} }) as unknown as Operation
const write = operation('toy.write', 'TOY-01')
const read = operation('toy.read', 'TOY-02')
const exchange = { number: 1 } as NumberedExchange
const plain = { id: 'toy/check', needs: {} }
const withBackend = { id: 'toy/backend', needs: { backends: ['postgres'] } }

test('an operation that was only refused violates its clause while another of its engine does something', () => {
  const operations = new RefusedOperations()
  operations.refused(write, 400, exchange, plain)
  operations.refused(write, 500, exchange, plain)
  expect(operations.all(), 'an engine that does nothing at all').toEqual([])
  operations.answered(read, 200)
  expect(operations.all()).toMatchObject([{ clause: 'TOY-01', count: 2, check: 'toy/check' }])
})

test('one success shows that an operation is served, whenever it comes', () => {
  const operations = new RefusedOperations()
  operations.answered(read, 204)
  operations.refused(write, 405, exchange, plain)
  operations.answered(write, 201)
  operations.refused(write, 405, exchange, plain)
  expect(operations.all()).toEqual([])
})

test.each([401, 403, 429, 502, 503])('a refusal with %d may be the doing of something else', (status) => {
  const operations = new RefusedOperations()
  operations.answered(read, 200)
  operations.refused(write, status, exchange, plain)
  expect(operations.all()).toEqual([])
})

test('where a check has a backend only an absent operation tells', () => {
  const operations = new RefusedOperations()
  operations.answered(read, 200)
  operations.refused(write, 400, exchange, withBackend)
  operations.refused(write, 500, exchange, withBackend)
  expect(operations.all()).toEqual([])
  operations.refused(write, 405, exchange, withBackend)
  expect(operations.all()).toMatchObject([{ clause: 'TOY-01', count: 1, check: 'toy/backend' }])
})
