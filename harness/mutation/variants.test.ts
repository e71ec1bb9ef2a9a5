import { describe, expect, it } from 'vitest'
import { allVariants } from '../../reference/faults/index.ts'
import type { LegalVariant } from './server-under-test.ts'
import { clash, packs } from './variants.ts'

describe('packs of variants', () => {
  it('hold every variant once, of one engine', () => {
    const packed = packs(allVariants)
    expect(
      packed
        .flat()
        .map(({ id }) => id)
        .sort(),
    ).toEqual(allVariants.map(({ id }) => id).sort())
    for (const pack of packed) expect(new Set(pack.map(({ engine }) => engine)).size).toBe(1)
    expect(packed.length).toBeLessThan(allVariants.length / 2)
  })

  it('never hold two that clash', () => {
    for (const pack of packs(allVariants))
      for (const [index, variant] of pack.entries()) expect(pack.slice(index + 1).filter((other) => clash(variant, other))).toEqual([])
  })

  it('clash where they touch the same thing, or change the same part of a rule', () => {
    const variant = (mutation: LegalVariant['mutation'], type = 'pki') => ({ id: '', engine: 'pki', title: '', type, mutation })
    const rules = { subject: () => undefined }
    expect(clash(variant({ rules }), variant({ rules }))).toBe(true)
    expect(clash(variant({ rules }), variant({ rules }, 'core'))).toBe(false)
    expect(clash(variant({ rules }), variant({ rules: { names: () => undefined } }))).toBe(false)
    expect(clash(variant({ touches: 'time' }), variant({ touches: 'time' }))).toBe(true)
    expect(clash(variant({ rules, part: 'names' }), variant({ rules }))).toBe(true)
    expect(clash(variant({ rules, part: 'names' }), variant({ rules, part: 'names' }))).toBe(true)
    expect(clash(variant({ rules, part: 'names' }), variant({ rules, part: 'order' }))).toBe(false)
  })

  it('hold one each on demand', () => {
    expect(packs(allVariants, 1)).toEqual(allVariants.map((variant) => [variant]))
  })
})
