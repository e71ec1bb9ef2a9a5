/** Names and canaries in the place of which numbers stand, in texts of any length. */
import { describe, expect, test } from 'vitest'
import type { Json } from '../../base/json.ts'
import { bothNames, differencesBetween, Names } from './canonical.ts'

const canary = (purpose: string, digit: string) => `${purpose}-${digit.repeat(40)}`

test('names and canaries are numbered as they come up', () => {
  const names = new Names('r1')
  const text = `assay-r1-key-1 ${canary('value', 'a')} assay-r1-key-2 ${canary('value', 'b')} ${canary('value', 'a')} assay-r2-key-1`
  expect(names.general(text)).toBe('name-1 name-2 name-3 name-4 name-2 assay-r2-key-1')
})

// Searches that begin again at every character would take hours here.
test.each(['a', 'a/', 'a-', '0', 'assay-', 'a.'])('a megabyte of %s are read in one pass', (piece) => {
  const text = piece.repeat(1_000_000 / piece.length)
  expect(new Names('r1').general(text).length).toBeLessThanOrEqual(text.length)
})

describe('values that servers choose', () => {
  const between = (left: Json, right: Json, names = bothNames('r1', 'r2')) => differencesBetween(left, right, names)

  test('are no difference, as long as they come again together', () => {
    const names = bothNames('r1', 'r2')
    expect(between({ serial: '9c596645fcc479b' }, { serial: '924a06f270413a6d' }, names)).toEqual([])
    expect(between({ serial: '9c596645fcc479b' }, { serial: '924a06f270413a6d' }, names)).toEqual([])
    expect(between({ serial: '9c596645fcc479b' }, { serial: '11111111111111111' }, names)).toHaveLength(1)
    expect(names.here.general('/cert/9c596645fcc479b')).toBe(names.there.general('/cert/924a06f270413a6d'))
  })

  test('are a difference where one of them was sent, or is short, or a word', () => {
    const names = bothNames('r1', 'r2')
    names.here.note('{"serial":"9c596645fcc479b"}')
    expect(between({ serial: '9c596645fcc479b' }, { serial: '924a06f270413a6d' }, names)).toHaveLength(1)
    expect(between({ ttl: '72h0m0s' }, { ttl: '24h0m0s' })).toHaveLength(1)
    expect(between({ kind: 'certificate' }, { kind: 'credentials' })).toHaveLength(1)
  })

  test('come in lists in the order of their own, and in requests in other spellings', () => {
    const names = bothNames('r1', 'r2')
    const [one, two] = ['17:67:16:b0:b9', '3a:67:16:b0:b9']
    const [uno, due] = ['7a:00:16:b0:b9', '1b:00:16:b0:b9']
    expect(between({ serial: one }, { serial: uno }, names)).toEqual([])
    expect(between({ serial: two }, { serial: due }, names)).toEqual([])
    expect(between([one, two], [due, uno], names)).toEqual([])
    expect(between([one, two], [due], names)).toHaveLength(1)
    expect(names.here.general(`cert/${one.replaceAll(':', '-')}`)).toBe(names.there.general(`cert/${uno.replaceAll(':', '-')}`))
    expect(between({ at: '2026-01-01T10:00:00.123Z' }, { at: '2026-01-01T10:00:00Z' }, names)).toEqual([])
  })
})
