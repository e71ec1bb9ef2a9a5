/** The room for servers on trial follows the load of the thread. */
import { describe, expect, it } from 'vitest'
import { nextRoom } from './room.ts'

describe('the room for servers that are tried at once', () => {
  it('grows by one while the thread is idle and all of it is taken', () => {
    expect(nextRoom(8, 0.1, 8)).toBe(9)
    expect(nextRoom(8, 0.1, 7)).toBe(8)
  })
  it('shrinks by one while the thread is busy, and stays between the two', () => {
    expect(nextRoom(10, 0.95, 10)).toBe(9)
    expect(nextRoom(10, 0.8, 10)).toBe(10)
  })
  it('is never below eight nor above thirty-two', () => {
    expect(nextRoom(8, 1, 8)).toBe(8)
    expect(nextRoom(32, 0, 32)).toBe(32)
  })
})
