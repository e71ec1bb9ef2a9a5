/** In which order checks begin. */
import { expect, test } from 'vitest'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import { inOrder } from './schedule.ts'

const one = (id: string, deadline: number, waits?: boolean) =>
  ({ id, deadline, ...(waits === undefined ? {} : { waits }) }) as RunnableCheck

test('what waits begins first, then what may take long, and others keep their order', () => {
  const checks = [one('kv/a', 10), one('kv/b', 20), one('kv/c', 10), one('kv/ends', 10, true), one('kv/goes-on', 20, true)]
  expect(inOrder(checks).map(({ id }) => id)).toEqual(['kv/goes-on', 'kv/ends', 'kv/b', 'kv/a', 'kv/c'])
})
