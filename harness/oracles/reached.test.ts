import { expect, test } from 'vitest'
import { Blocked } from '../base/errors.ts'
import { reached } from './reached.ts'

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
