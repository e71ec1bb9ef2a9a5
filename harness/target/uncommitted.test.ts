import { expect, test } from 'vitest'
import { saysUncommitted, untilCommitted } from './uncommitted.ts'

const FAILED = '{"errors":["1 error occurred:\\n\\t* transaction commit failed due to a conflict\\n\\n"]}'

const after = (failures: number, status = 500) => {
  let sent = 0
  const send = async () => {
    sent += 1
    return sent > failures ? { status: 204, text: '' } : { status, text: FAILED }
  }
  return { send, count: () => sent }
}
const isUncommitted = ({ status, text }: { status: number; text: string }) => saysUncommitted(status, text)

test('a set-up whose write was not committed is sent again, a few times', async () => {
  const twice = after(2)
  expect((await untilCommitted(twice.send, isUncommitted)).status).toBe(204)
  expect(twice.count()).toBe(3)
  const always = after(100)
  expect((await untilCommitted(always.send, isUncommitted)).status).toBe(500)
  expect(always.count()).toBe(5)
})

test('any other answer is taken as it is', async () => {
  const other = after(1, 400)
  expect((await untilCommitted(other.send, isUncommitted)).status).toBe(400)
  expect(other.count()).toBe(1)
  expect(saysUncommitted(500, '{"errors":["internal error"]}')).toBe(false)
})
