/** How long certificates live, and from when. */
import { type CheckContext, check, judgeCertificate } from '../../harness/checks/index.ts'
import { issue, type Made, newRole, openRole, ownAuthority, ownMount, targetNow, withRoot } from './authority.ts'

/** Seconds for clocks, rounding and a slow machine. */
const SLACK = 60

/** Asserts that a certificate lives for so many seconds, from a moment between the request for it and now. */
const expectLifetime = ({ bench, expect }: CheckContext, asked: number, { facts }: Made, seconds: number): void => {
  expect(facts.notAfter, 'end of validity').toBeGreaterThan(asked + seconds - SLACK)
  expect(facts.notAfter, 'end of validity').toBeLessThan(targetNow(bench) + seconds + SLACK)
}

check('pki/ttl-of-role', 'PKI-TTL-02', "a request without ttl gets the role's", { needs: ownMount }, async (context) => {
  const { bench } = context
  await withRoot(bench)
  const role = await openRole(bench, { ttl: '45m', max_ttl: '3h' })
  const now = targetNow(bench)
  expectLifetime(context, now, await issue(context, role), 2700)
})

const short = { mounts: { pki: { type: 'pki', exclusive: true, config: { defaultLeaseTtl: 7200, maxLeaseTtl: 14_400 } } } }

check('pki/ttl-default', 'PKI-TTL-03', 'without any ttl the shorter of default and max_ttl counts', { needs: short }, async (context) => {
  const { bench } = context
  await withRoot(bench, { ttl: '4h' })
  const bounded = await openRole(bench, { ttl: '', max_ttl: '30m' })
  const plain = await openRole(bench, { ttl: '' })
  const now = targetNow(bench)
  expectLifetime(context, now, await issue(context, bounded), 1800)
  expectLifetime(context, now, await issue(context, plain), 7200)
})

check('pki/ttl-above-max', 'PKI-TTL-05', 'a role whose ttl exceeds its max_ttl', { needs: ownMount }, async ({ bench }) => {
  const name = bench.fresh('role')
  const written = await bench.call('pki.writeRole', { path: { name }, body: { ttl: '3h', max_ttl: '1h' } })
  bench.observe('PKI-TTL-05', { status: written.status })
})

check('pki/max-ttl', ['PKI-MAXTTL-02', 'PKI-REQTTL-02'], 'nothing outlives max_ttl', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const role = await openRole(bench, { ttl: '10m', max_ttl: '1h' })
  const asked = await bench.call('pki.issue', { path: { name: role }, body: { common_name: 'www.example.com', ttl: '5h' } })
  const answered = targetNow(bench)
  const end = asked.ok ? (await judgeCertificate(bench, String(asked.data.certificate))).notAfter : 0
  for (const clause of ['PKI-MAXTTL-02', 'PKI-REQTTL-02']) {
    await bench.decide(clause, () => {
      if (!asked.ok) expect(asked).toBeRefused()
      expect(end).toBeLessThan(answered + 3600 + SLACK)
    })
  }
})

check('pki/max-ttl-of-mount', 'PKI-MAXTTL-03', 'without max_ttl the maximum lease time bounds', { needs: short }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench, { ttl: '4h' })
  const role = await openRole(bench)
  const asked = await bench.call('pki.issue', { path: { name: role }, body: { common_name: 'www.example.com', ttl: '9h' } })
  const answered = targetNow(bench)
  if (asked.ok) expect((await judgeCertificate(bench, String(asked.data.certificate))).notAfter).toBeLessThan(answered + 14_400 + SLACK)
  else expect(asked).toBeRefused()
})

check(
  'pki/not-before',
  'PKI-NOTBEFORE-02',
  'validity begins not_before_duration before the issue',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    for (const [text, seconds] of [
      ['10m', 600],
      ['30s', 30],
    ] as const) {
      const role = await openRole(bench, { not_before_duration: text })
      const before = targetNow(bench)
      const { facts } = await issue(context, role)
      expect(facts.notBefore).toBeGreaterThan(before - seconds - 14)
      expect(facts.notBefore).toBeLessThan(targetNow(bench) - seconds + 14)
    }
  },
)

check('pki/within-ca', 'PKI-LIFE-01', 'a certificate does not outlive its CA', { needs: ownAuthority }, async (context) => {
  const { bench, expect } = context
  const ca = await judgeCertificate(bench, await withRoot(bench, { ttl: '2h' }))
  const role = await newRole(bench, { allow_any_name: true, max_ttl: '24h' })
  const asked = await bench.call('pki.issue', { path: { name: role }, body: { common_name: 'www.example.com', ttl: '12h' } })
  if (asked.ok) expect((await judgeCertificate(bench, String(asked.data.certificate))).notAfter).toBeLessThanOrEqual(ca.notAfter)
  else expect(asked).toBeRefused()
})

check('pki/requested-ttl', 'PKI-REQTTL-01', 'the requested ttl is the lifetime', { needs: ownMount }, async (context) => {
  const { bench } = context
  await withRoot(bench)
  const role = await openRole(bench, { max_ttl: '3h' })
  const now = targetNow(bench)
  expectLifetime(context, now, await issue(context, role, { ttl: '25m' }), 1500)
})
