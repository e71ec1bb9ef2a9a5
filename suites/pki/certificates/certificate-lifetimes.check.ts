/** How long certificates live, and from when. */
import { type CheckContext, check, judgeCertificate, targetNow } from '../../../harness/checks/index.ts'
import {
  ask,
  type Made,
  newRole,
  newRoot,
  obtain,
  openRole,
  ownAuthority,
  ownMount,
  quickKey,
  WAYS,
  withLongCa,
  withRoot,
} from '../fixtures.ts'

/** Seconds for clocks, rounding and a slow machine. */
const SLACK = 60

/** The same where the clause is about seconds. */
const FINE = 15

/** Asserts that a certificate lives for so many seconds, from a moment between the request for it and now. */
const expectLifetime = ({ bench, expect }: CheckContext, asked: number, { facts }: Made, seconds: number): void => {
  // A minute more or less would hide what becomes of one that lives less than that.
  const slack = seconds < SLACK ? FINE : SLACK
  expect(facts.notAfter - asked, 'seconds of validity since the request').toBeGreaterThan(seconds - slack)
  expect(facts.notAfter - targetNow(bench), 'seconds of validity since the answer').toBeLessThan(seconds + slack)
}

check('pki/ttl-of-role', 'PKI-TTL-02', "a request without ttl gets the role's", { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  for (const [fields, seconds] of [
    [{ ttl: '45m', max_ttl: '3h' }, 2700],
    [{ ttl: '3h', max_ttl: '3h' }, 10_800],
    [{ ttl: '150s' }, 150],
    [{ ttl: '20s', max_ttl: '20s' }, 20],
    [{ ttl: '5s', max_ttl: '3h' }, 5],
    [{ ttl: '26h', max_ttl: '50h' }, 93_600],
    [{ ttl: '1h30m', max_ttl: '2h15m' }, 5400],
    [{ ttl: '2h15m30s', max_ttl: '2h15m30s' }, 8130],
    [{ ttl: '0h0m45s', max_ttl: '1h0m0s' }, 45],
  ] as const) {
    const name = bench.mixedName('role')
    const written = await bench.call('pki.writeRole', { path: { name }, body: { allow_any_name: true, ...quickKey, ...fields } })
    // The documents do not say that a duration may have several units.
    if (!written.ok && /\d[hm]\d/.test(fields.ttl)) {
      expect(written, `a role of ${JSON.stringify(fields)}`).toBeRefused()
      continue
    }
    // A role like any other: its refusal does not belong to the set-up.
    expect(written, `a role of ${JSON.stringify(fields)}`).toSucceed()
    for (const way of WAYS) {
      const now = targetNow(bench)
      expectLifetime(context, now, await obtain(context, way, name), seconds)
    }
  }
})

const short = { mounts: { pki: { type: 'pki', exclusive: true, config: { defaultLeaseTtl: 7200, maxLeaseTtl: 14_400 } } } }

check('pki/ttl-default', 'PKI-TTL-03', 'without any ttl the shorter of default and max_ttl counts', { needs: short }, async (context) => {
  const { bench } = context
  await newRoot(bench, { ttl: '4h' })
  const bounded = await openRole(bench, { ttl: '', max_ttl: '30m' })
  const plain = await openRole(bench, { ttl: '' })
  const brief = await openRole(bench, { ttl: '', max_ttl: '25s' })
  for (const way of WAYS) {
    const now = targetNow(bench)
    expectLifetime(context, now, await obtain(context, way, brief), 25)
    expectLifetime(context, now, await obtain(context, way, bounded), 1800)
    expectLifetime(context, now, await obtain(context, way, plain), 7200)
  }
})

check('pki/ttl-above-max', 'PKI-TTL-05', 'a role whose ttl exceeds its max_ttl', { needs: ownMount }, async ({ bench }) => {
  const name = bench.mixedName('role')
  const written = await bench.call('pki.writeRole', { path: { name }, body: { ttl: '3h', max_ttl: '1h' }, observing: true })
  bench.observe('PKI-TTL-05', { status: written.status })
})

check('pki/max-ttl', ['PKI-MAXTTL-02', 'PKI-REQTTL-02'], 'nothing outlives max_ttl', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const role = await openRole(bench, { ttl: '10m', max_ttl: '1h' })
  for (const way of WAYS) {
    const answer = await ask(bench, way, role, { ttl: '5h' })
    const answered = targetNow(bench)
    const end = answer.ok ? (await judgeCertificate(bench, String(answer.data.certificate))).notAfter : 0
    for (const clause of ['PKI-MAXTTL-02', 'PKI-REQTTL-02']) {
      await bench.decide(clause, () => {
        if (!answer.ok) expect(answer, way).toBeRefused()
        expect(end, way).toBeLessThan(answered + 3600 + SLACK)
      })
    }
  }
})

check('pki/max-ttl-of-mount', 'PKI-MAXTTL-03', 'without max_ttl the maximum lease time bounds', { needs: short }, async (context) => {
  const { bench, expect } = context
  await withLongCa(bench)
  const role = await openRole(bench)
  for (const way of WAYS) {
    const answer = await ask(bench, way, role, { ttl: '9h' })
    const answered = targetNow(bench)
    if (!answer.ok) expect(answer, way).toBeRefused()
    else {
      const { notAfter } = await judgeCertificate(bench, String(answer.data.certificate))
      expect(notAfter - answered, `${way}: seconds of validity since the answer`).toBeLessThan(14_400 + SLACK)
    }
  }
})

check(
  'pki/not-before',
  ['PKI-NOTBEFORE-02', 'PKI-NOTBEFORE-04'],
  'validity begins not_before_duration before the issue',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    for (const [text, seconds] of [
      [undefined, 30],
      ['10m', 600],
      ['30s', 30],
      // Zero may mean the default, and a certificate may begin with its CA at the earliest.
      ['0s', 0],
      ['3601s', 3601],
      ['90m', 5400],
      ['26h', 93_600],
    ] as const) {
      const clause = seconds === 0 || seconds > 600 ? 'PKI-NOTBEFORE-04' : 'PKI-NOTBEFORE-02'
      const role = await openRole(bench)
      if (text !== undefined) {
        const body = { allow_any_name: true, ...quickKey, ttl: '1h', not_before_duration: text }
        const written = await bench.call('pki.writeRole', { path: { name: role }, body })
        await bench.decide(clause, () => expect(written, `a role with ${text}`).toSucceed())
        if (!written.ok) continue
      }
      for (const way of WAYS) {
        const before = targetNow(bench)
        const { facts } = await obtain(context, way, role)
        const after = targetNow(bench)
        await bench.decide(clause, () => {
          expect(before - facts.notBefore, `${way}: seconds of validity before the request`).toBeLessThan(seconds + FINE)
          expect(after - facts.notBefore, `${way}: seconds of validity before the answer`).toBeGreaterThan(seconds - FINE)
        })
      }
    }
  },
)

check('pki/within-ca', 'PKI-LIFE-01', 'a certificate does not outlive its CA', { needs: ownAuthority }, async (context) => {
  const { bench, expect } = context
  const ca = await judgeCertificate(bench, await newRoot(bench, { ttl: '2h' }))
  const role = await newRole(bench, { allow_any_name: true, max_ttl: '24h' })
  for (const way of WAYS) {
    const answer = await ask(bench, way, role, { ttl: '12h' })
    if (!answer.ok) expect(answer, way).toBeRefused()
    else {
      const { notAfter } = await judgeCertificate(bench, String(answer.data.certificate))
      expect(notAfter - ca.notAfter, `${way}: seconds of validity beyond the CA's`).toBeLessThanOrEqual(0)
    }
  }
})

check('pki/requested-ttl', 'PKI-REQTTL-01', 'the requested ttl is the lifetime', { needs: ownMount }, async (context) => {
  const { bench } = context
  await withRoot(bench)
  const role = await openRole(bench, { max_ttl: '3h' })
  for (const way of WAYS) {
    const now = targetNow(bench)
    for (const [ttl, seconds] of [
      ['25m', 1500],
      ['90s', 90],
      ['10800s', 10_800],
      ['3h', 10_800],
    ] as const)
      expectLifetime(context, now, await obtain(context, way, role, { ttl }), seconds)
    // Whether several units may be given is not said: what is taken is taken whole.
    const compound = await ask(bench, way, role, { ttl: '1h30m' })
    if (!compound.ok) context.expect(compound, 'ttl 1h30m').toBeRefused()
    else expectLifetime(context, now, await obtain(context, way, role, { ttl: '1h30m' }), 5400)
  }
})
