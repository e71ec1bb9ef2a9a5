/** An exception in a handler is answered with 500; the operator of the server hears of it, unless it was ordered. */
import { request } from 'undici'
import { expect, test, vi } from 'vitest'
import type { Api } from './core/api.ts'
import { allFaults } from './faults/index.ts'
import { createReference, type ReferenceOptions } from './index.ts'

const breaking: Api = { basePath: '/broken', handle: () => Promise.reject(new Error('no room')) }

const warningsOf = async (options: ReferenceOptions): Promise<unknown[][]> => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
  const reference = await createReference({ tls: false, apis: () => [breaking], ...options }).listen()
  try {
    const answer = await request(`${reference.url}/broken/x`)
    await answer.body.dump()
    expect(answer.statusCode).toBe(500)
    return [...warn.mock.calls]
  } finally {
    await reference.close()
    warn.mockRestore()
  }
}

test('the plain server warns', async () => {
  expect(await warningsOf({})).toEqual([[new Error('no room')]])
})

test('with a seeded fault, which may throw, nothing is printed', async () => {
  expect(await warningsOf({ faults: allFaults.slice(0, 1) })).toEqual([])
})

test('the owner of a server may listen himself', async () => {
  const heard: unknown[] = []
  expect(await warningsOf({ onInternalError: (cause) => void heard.push(cause) })).toEqual([])
  expect(heard).toEqual([new Error('no room')])
})
