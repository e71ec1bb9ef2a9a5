import { expect, it } from 'vitest'
import type { Provisioner } from './provisioner.ts'
import { undoOrForce } from './undo.ts'

/** A provisioner that removes nothing unless it is forced to, or not even then. */
const stubborn = (yields: boolean) => {
  const asked: (boolean | undefined)[] = []
  const provisioner: Pick<Provisioner, 'undo'> = {
    async undo(_entry, force) {
      asked.push(force)
      if (force !== true || !yields) throw new Error('leases could not be revoked')
    },
  }
  return { asked, target: { provisioner: provisioner as Provisioner } }
}

it('lets a mount go at once whose leases cannot be ended', async () => {
  const { asked, target } = stubborn(true)
  expect(await undoOrForce(target, { kind: 'mount', name: 'assay-m', namespace: '' })).toBe(true)
  expect(asked).toEqual([undefined, true])
})

it('says so where a mount does not go even then, and forces nothing else', async () => {
  const { asked, target } = stubborn(false)
  await expect(undoOrForce(target, { kind: 'mount', name: 'assay-m', namespace: '' })).rejects.toThrow('leases')
  await expect(undoOrForce(target, { kind: 'identity', name: 'assay-i', namespace: '' })).rejects.toThrow('leases')
  expect(asked).toEqual([undefined, true, undefined])
})
