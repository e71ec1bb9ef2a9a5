import { expect, it, vi } from 'vitest'
import { fakeClock } from './clock.ts'
import { Leases } from './leases.ts'
import { systemRandom } from './random.ts'
import { Tokens } from './tokens.ts'

const mount = { path: 'db/', namespace: '', defaultLeaseTtl: 3600, maxLeaseTtl: 100 }

const setUp = () => {
  const clock = fakeClock()
  const leases = new Leases(clock, systemRandom)
  const revoke = vi.fn(async () => {})
  const issue = (ttl: number, more: { maxTtl?: number; renewable?: boolean } = {}) =>
    leases.issue({ path: 'db/creds/r', mount, token: undefined }, { ttl, renewable: true, revoke, ...more })
  return { clock, leases, revoke, issue }
}

it('revokes when the time is over, once', async () => {
  const { clock, leases, revoke, issue } = setUp()
  const { id } = issue(10)
  expect(id).toMatch(/^db\/creds\/r\/\w+$/)
  await clock.advance(9)
  expect(revoke).not.toHaveBeenCalled()
  await clock.advance(2)
  expect(revoke).toHaveBeenCalledTimes(1)
  expect(leases.find(id)).toBeUndefined()
  await clock.advance(100)
  expect(revoke).toHaveBeenCalledTimes(1)
})

it('lasts no longer than its maximum and the one of the mount', () => {
  const { issue } = setUp()
  expect(issue(1000).ttl).toBe(100)
  expect(issue(1000, { maxTtl: 20 }).ttl).toBe(20)
})

it('is renewed within its maximum', async () => {
  const { clock, leases, revoke, issue } = setUp()
  const lease = issue(30)
  await clock.advance(20)
  expect((await leases.renew(lease.id, 60)).ttl).toBe(60)
  await clock.advance(40)
  expect((await leases.renew(lease.id, 1000)).ttl).toBe(40)
  await clock.advance(39)
  expect(revoke).not.toHaveBeenCalled()
  await clock.advance(2)
  expect(revoke).toHaveBeenCalled()
})

it('refuses to renew what cannot be renewed or is unknown', async () => {
  const { leases, issue } = setUp()
  await expect(leases.renew(issue(10, { renewable: false }).id, 5)).rejects.toMatchObject({ status: 400 })
  await expect(leases.renew('nothing', 5)).rejects.toMatchObject({ status: 400 })
})

it('keeps a lease whose revocation failed, and tries again', async () => {
  const { clock, leases, revoke, issue } = setUp()
  revoke.mockRejectedValueOnce(new Error('backend is down'))
  const { id } = issue(10)
  await expect(leases.revoke(id)).rejects.toThrow('backend is down')
  expect(leases.find(id)).toBeDefined()
  await clock.advance(3)
  expect(revoke).toHaveBeenCalledTimes(2)
  expect(leases.find(id)).toBeUndefined()
})

it('ends with its token, and with the children of that token', async () => {
  const { clock, leases, revoke } = setUp()
  const tokens = new Tokens(clock, systemRandom, ({ id }) => leases.revokeOfToken(id))
  const base = { namespace: '', policies: [], displayName: 'token', meta: {}, renewable: true }
  const parent = tokens.create({ ...base, parent: undefined, ttl: 50 })
  const child = tokens.create({ ...base, parent: parent.id, ttl: 0 })
  leases.issue({ path: 'db/creds/r', mount, token: child }, { ttl: 90, renewable: true, revoke })
  await clock.advance(51)
  expect(tokens.find(parent.id)).toBeUndefined()
  expect(tokens.find(child.id)).toBeUndefined()
  expect(revoke).toHaveBeenCalledTimes(1)
})
