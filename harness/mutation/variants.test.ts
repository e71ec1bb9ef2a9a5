import { describe, expect, it } from 'vitest'
import { allVariants } from '../../reference/faults/index.ts'
import { packs } from './variants.ts'

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

  it('never hold two that change the same rule', () => {
    for (const pack of packs(allVariants)) {
      const changes = pack.flatMap(({ type, mutation }) => Object.keys(mutation.rules ?? {}).map((name) => `${type} ${name}`))
      expect(new Set(changes).size).toBe(changes.length)
    }
  })

  it('never hold two that touch the same thing', () => {
    for (const pack of packs(allVariants)) {
      const touched = pack.flatMap(({ type, mutation }) => (mutation.touches === undefined ? [] : [`${type} ${mutation.touches}`]))
      expect(new Set(touched).size).toBe(touched.length)
    }
    expect(allVariants.filter(({ mutation }) => mutation.touches !== undefined).length).toBeGreaterThan(3)
  })

  it('are as few as the rules that are changed most allow', () => {
    for (const engine of new Set(allVariants.map((variant) => variant.engine))) {
      const ours = allVariants.filter((variant) => variant.engine === engine)
      const changes = ours.flatMap(({ type, mutation: { rules = {}, touches } }) =>
        [...Object.keys(rules), ...(touches === undefined ? [] : [`touches ${touches}`])].map((one) => `${type} ${one}`),
      )
      const most = Math.max(...changes.map((change) => changes.filter((other) => other === change).length))
      expect(packs(ours).length, engine).toBe(most)
    }
  })

  it('hold one each on demand', () => {
    expect(packs(allVariants, 1)).toEqual(allVariants.map((variant) => [variant]))
  })
})
