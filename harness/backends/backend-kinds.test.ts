import { expect, test } from 'vitest'
import type { BackendHandle } from '../base/backend-handle.ts'
import { kindOf } from './backend-kinds.ts'
import { keepsObjects } from './objects.ts'
import { sqlPlace } from './sql-place.ts'

const called = (name: string): BackendHandle =>
  ({ name, host: '127.0.0.1', port: 1, username: 'u', password: 'p', extra: {} }) as unknown as BackendHandle

test('an unknown backend is an error that names the known ones, and is never taken for PostgreSQL', async () => {
  expect(() => kindOf('oracle')).toThrow('no backend is called oracle; there are postgres, mariadb, rabbitmq, sshd, softhsm, clouds')
  expect(() => keepsObjects(called('oracle'))).toThrow('oracle')
  await expect(sqlPlace(called('oracle'), 'a', 'b')).rejects.toThrow('no backend is called oracle')
})

test('a backend other than a database makes no databases', async () => {
  await expect(sqlPlace(called('sshd'), 'a', 'b')).rejects.toThrow('sshd is not an SQL database')
  expect(keepsObjects(called('sshd'))).toBe(false)
  expect(keepsObjects(called('rabbitmq'))).toBe(true)
})
