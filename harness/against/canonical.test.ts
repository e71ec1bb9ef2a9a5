/** Numbers that stand for names and canaries, in texts of any length. */
import { describe, expect, test } from 'vitest'
import type { Json } from '../base/json.ts'
import { bothNames, differencesBetween } from './canonical.ts'
import { Names } from './drawn-names.ts'

const canary = (purpose: string, digit: string) => `${purpose}-${digit.repeat(40)}`

test('names and canaries are numbered as they come up', () => {
  const names = new Names('r1')
  const text = `assay-r1-key-1 ${canary('value', 'a')} assay-r1-key-2 ${canary('value', 'b')} ${canary('value', 'a')} assay-r2-key-1`
  expect(names.general(text)).toBe('name-1 name-2 name-3 name-4 name-2 assay-r2-key-1')
})

// Searches that begin again at every character would take hours here.
test('names and canaries are known by a piece of them, and backwards', () => {
  const [here, there] = [new Names('r1'), new Names('r2')]
  const [one, two] = [canary('value', '4'), canary('value', 'b')]
  const spelled = (run: string, drawn: string) => [`*say-${run}-key-1`, drawn.slice(1), drawn.slice(0, -1), [...drawn].reverse().join('')]
  for (const [at, text] of spelled('r1', one).entries()) expect(here.general(text)).toBe(there.general(spelled('r2', two)[at]!))
})

test.each(['a', 'a/', 'a-', '0', 'assay-', 'a.'])('a megabyte of %s are read in one pass', (piece) => {
  const text = piece.repeat(1_000_000 / piece.length)
  expect(new Names('r1').general(text).length).toBeLessThanOrEqual(text.length)
})

describe('values that servers choose', () => {
  const between = (left: Json, right: Json, names = bothNames('r1', 'r2')) => differencesBetween(left, right, names)

  test('do not count as a difference, as long as they come again together', () => {
    const names = bothNames('r1', 'r2')
    expect(between({ serial: '9c596645fcc479b' }, { serial: '924a06f270413a6d' }, names)).toEqual([])
    expect(between({ serial: '9c596645fcc479b' }, { serial: '924a06f270413a6d' }, names)).toEqual([])
    expect(between({ serial: '9c596645fcc479b' }, { serial: '11111111111111111' }, names)).toHaveLength(1)
    expect(names.here.general('/cert/9c596645fcc479b')).toBe(names.there.general('/cert/924a06f270413a6d'))
  })

  test('of very many a bounded number is compared and remembered, and so is how many there are', () => {
    const many = (side: string, count: number): Json =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`member-${at}`, `${side}${(at * 104_729).toString(36)}x7f9k2qm${at}`]))
    const names = bothNames('r1', 'r2')
    for (let time = 0; time < 4; time += 1) expect(between(many(`l${time}`, 10_000), many(`r${time}`, 10_000), names)).toEqual([])
    expect(names.chosen).toBeLessThanOrEqual(8_000)
    expect(names.here.numberOf(`l3${(1999 * 104_729).toString(36)}x7f9k2qm1999`)).toBeUndefined()
    expect(between(many('l', 10_000), many('r', 10_001), names)).toHaveLength(1)
    expect(between(many('l', 3), many('r', 10_001), names)).toHaveLength(1)
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

  describe('by the word of the contract', () => {
    const said = (left: string, right: string, names = bothNames('r1', 'r2')) =>
      differencesBetween({ a: left }, { a: right }, names, () => true)

    test('do not count as a difference, whatever they look like, and are known again in requests', () => {
      const names = bothNames('r1', 'r2')
      expect(said('xfcynuvyfuscjxpm', 'zyxe7qsw4z55eo4u', names)).toEqual([])
      expect(said('743d1a1f8f11ee75', 'df6dd1234567890b', names)).toEqual([])
      expect(said('gaac', 'tcga', names)).toEqual([])
      expect(said('gaac', 'gaga', names), 'a short one that came again by chance').toEqual([])
      expect(names.here.general('gaac')).toBe(names.there.general('tcga'))
      expect(names.here.general('/creds/xfcynuvyfuscjxpm')).toBe(names.there.general('/creds/zyxe7qsw4z55eo4u'))
      expect(names.here.general('xfcyfusc'), 'one that was cut short').toBe(names.there.general('zyxeyfzz'))
      expect(names.here.general('xfcyfusc')).not.toBe(names.there.general('zyxeyf'))
      expect(said('xfcynuvyfuscjxpm', 'another-lease-of-the-other', names), 'a long one that did not come again').toHaveLength(1)
    })

    test('do not count as names of members, though one may begin as they do', () => {
      const names = bothNames('r1', 'r2')
      expect(said('leasxhvkpqrzuwyb', 'qgtrxhvkpqrzuwyb', names)).toEqual([])
      expect(differencesBetween({ lease_id: '' }, { lease_id: '' }, names)).toEqual([])
    })

    test('do not count as a difference where both say the same, though one chose it before by chance', () => {
      const names = bothNames('r1', 'r2')
      expect(said('acgt', 'tgca', names)).toEqual([])
      expect(said('acgt', 'acgt', names)).toEqual([])
      expect(names.here.plain('acgt')).toBe(names.there.plain('acgt'))
    })

    test('are a difference where one server alone says what was sent', () => {
      const names = bothNames('r1', 'r2')
      const [sent, other] = ['plo9qcczr68pzvcklx9wpyl1r120k8mo', 'ue40rd02e2u48nyf5mop51l2w775anez']
      for (const side of [names.here, names.there]) side.note(sent, [sent])
      expect(differencesBetween({ a: sent }, { a: other }, names)).toEqual([
        { pointer: ['a'], here: 'what was sent', there: 'another value than was sent' },
      ])
    })

    test('are a difference where one was sent, is missing or is masked', () => {
      const names = bothNames('r1', 'r2')
      names.there.note('{"value":"plain"}', ['plain'])
      expect(said('drawn', 'plain', names)).toHaveLength(1)
      expect(said('drawn', '')).toHaveLength(1)
      expect(said('***-**-1234', 'XXX-XX-1234')).toHaveLength(1)
    })
  })
})
