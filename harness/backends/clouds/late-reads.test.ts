import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { World } from './gateway-state.ts'
import { asSeen, lateness, readLate, seeAll } from './late-reads.ts'
import { addAccount } from './service-accounts.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

test('readers see changes once the copy is refreshed, and then all of them', () => {
  const project = new World().create()
  expect(asSeen(project)).toBe(project)
  readLate(project, 5000)
  const account = addAccount(project, 'someone', '', false)
  account.keys.set('key', { id: 'key', algorithm: '', publicKey: undefined as never })
  vi.advanceTimersByTime(4999)
  expect(asSeen(project).accounts.size).toBe(0)
  vi.advanceTimersByTime(1)
  expect(asSeen(project).accounts.get(account.email)?.keys.size).toBe(1)
  account.keys.delete('key')
  project.accounts.delete(account.email)
  expect(asSeen(project).accounts.get(account.email)?.keys.size).toBe(1)
  seeAll(project)
  expect(asSeen(project).accounts.size).toBe(0)
})

test('a client asks for late reads by the name that it has at the proxy', () => {
  expect(lateness(basic('late-reads:5000'))).toBe(5000)
  for (const other of [undefined, 'Bearer x', basic('somebody:5000'), basic('late-reads:soon')]) expect(lateness(other)).toBe(0)
  const project = new World().create()
  readLate(project, 0)
  expect(asSeen(project)).toBe(project)
})
