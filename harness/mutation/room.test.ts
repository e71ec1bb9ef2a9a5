/** The room for servers on trial follows the load of the thread. */
import { describe, expect, it } from 'vitest'
import { nextRoom } from './room.ts'

describe('the room for servers that are tried at once', () => {
  it('grows by one while the thread is idle and all of it is taken', () => {
    expect(nextRoom(4, 0.1, 4)).toBe(5)
    expect(nextRoom(4, 0.1, 3)).toBe(4)
  })
  it('shrinks by one while the thread is busy, and stays between the two', () => {
    expect(nextRoom(9, 0.95, 9)).toBe(8)
    expect(nextRoom(9, 0.8, 9)).toBe(9)
  })
  it('is never below four nor above thirty-two', () => {
    expect(nextRoom(4, 1, 4)).toBe(4)
    expect(nextRoom(32, 0, 32)).toBe(32)
  })
})
