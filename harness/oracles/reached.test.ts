import { expect, test } from 'vitest'
import { Blocked } from '../base/errors.ts'
import { answered, reached } from './reached.ts'

const failing = (times: number, code: string) => {
  let tried = 0
  return async () => {
    tried += 1
    if (tried <= times) throw Object.assign(new Error(`failed with ${code}`), { code })
    return tried
  }
}

test('a connection that is reset is made again, and blocks where it always is', async () => {
  expect(await reached('the database', failing(2, 'ECONNRESET'))).toBe(3)
  const blocked = await reached('the database', failing(9, 'UND_ERR_SOCKET')).catch((error: unknown) => error)
  expect(blocked).toBeInstanceOf(Blocked)
  expect((blocked as Blocked).message).toBe('the database is not reached: failed with UND_ERR_SOCKET')
})

test('any other failure is what it is, at once', async () => {
  await expect(reached('the database', failing(1, 'ER_ACCESS_DENIED_ERROR'))).rejects.toThrow('failed with ER_ACCESS_DENIED_ERROR')
})

test.each([
  ['of MariaDB', Object.assign(new Error('Query inactivity timeout'), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' })],
  ['of PostgreSQL', new Error('Query read timeout')],
  ['of PostgreSQL, connecting', new Error('Connection terminated due to connection timeout')],
])('an answer that does not come in time blocks, as clients %s say it', async (_, silence) => {
  await expect(answered('the database', () => Promise.reject(silence))).rejects.toThrow(Blocked)
  await expect(reached('the database', () => Promise.reject(silence))).rejects.toThrow(Blocked)
  await expect(answered('the database', failing(1, 'ER_NO_SUCH_TABLE'))).rejects.toThrow('failed with ER_NO_SUCH_TABLE')
})
