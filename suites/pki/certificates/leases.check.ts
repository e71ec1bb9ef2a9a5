/** Leases of certificates. */
import { type Answer, type Bench, check, type Expect, type JsonObject, judgeCertificate } from '../../../harness/checks/index.ts'
import { ask, openRole, ownMount, readBySerial, WAYS, withRoot } from '../fixtures.ts'

const lease = (answer: Answer): { id: string; duration: number } => {
  const body = (answer.body ?? {}) as JsonObject
  return { id: String(body.lease_id ?? ''), duration: Number(body.lease_duration ?? 0) }
}

/** Lifetimes that are asked of a role of two hours: its own, and shorter ones. */
const LIFETIMES: JsonObject[] = [{}, { ttl: '1h' }, { ttl: '25m' }, {}]

const leased = async (bench: Bench, answer: Answer, expect: Expect): Promise<void> => {
  expect(answer).toSucceed()
  expect(lease(answer).id).not.toBe('')
  expect(lease(answer).duration).toBeGreaterThan(0)
  const { notBefore, notAfter } = await judgeCertificate(bench, String(answer.data.certificate))
  expect(lease(answer).duration, 'seconds of the lease, within the lifetime of the certificate').toBeLessThan(notAfter - notBefore + 60)
}

const issueBy = async (bench: Bench, fields: JsonObject): Promise<Answer> => {
  await withRoot(bench)
  return bench.call('pki.issue', { path: { name: await openRole(bench, fields) }, body: { common_name: 'www.example.com' } })
}

check(
  'pki/leased-issue',
  'PKI-LEASE-02',
  'with generate_lease an issued certificate is leased',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const name = await openRole(bench, { generate_lease: true, ttl: '2h' })
    const ids = new Set<string>()
    for (const body of LIFETIMES) {
      const answer = await ask(bench, 'issue', name, body)
      await leased(bench, answer, expect)
      ids.add(lease(answer).id)
    }
    expect(ids.size, 'leases of four certificates').toBe(4)
  },
)
check(
  'pki/leased-sign',
  'PKI-LEASE-03',
  'with generate_lease a signed request is leased',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const name = await openRole(bench, { generate_lease: true, ttl: '2h' })
    for (const body of LIFETIMES) await leased(bench, await ask(bench, 'sign', name, body), expect)
  },
)
check(
  'pki/unleased-after-lease',
  ['CORE-ENV-10', 'CORE-ENV-11'],
  'what is read right after a lease was given says of itself that nothing is leased',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const name = await openRole(bench, { generate_lease: true })
    for (const way of WAYS) {
      const given = await ask(bench, way, name)
      if (!given.ok) bench.blocked(`pki.${way} answered ${given.status}`, 'see pki/leased-issue and pki/leased-sign')
      const reads = {
        'a role': await bench.given('pki.readRole', { path: { name } }),
        'the roles': await bench.given('pki.listRoles'),
        'the certificates': await bench.given('pki.listCertificates'),
        'the certificate': await readBySerial(bench, String(given.data.serial_number)),
      }
      for (const [what, { body }] of Object.entries(reads)) {
        // Either may be absent.
        const { lease_id: id = '', lease_duration: duration = 0 } = (body ?? {}) as JsonObject
        await bench.decide('CORE-ENV-10', () => expect(id, `lease_id of ${what} read after ${way}`).toBe(''))
        await bench.decide('CORE-ENV-11', () => expect(duration, `lease_duration of ${what} read after ${way}`).toBe(0))
      }
    }
  },
)
check('pki/unleased', 'PKI-LEASE-04', 'lease fields without generate_lease', { needs: ownMount }, async ({ bench }) => {
  const { id, duration } = lease(await issueBy(bench, {}))
  bench.observe('PKI-LEASE-04', { leased: id !== '', duration })
})
check('pki/no-store-no-lease', 'PKI-NOSTORE-04', 'no_store gives no lease', { needs: ownMount }, async ({ bench, expect }) => {
  await withRoot(bench)
  const name = bench.mixedName('role')
  const body = { allow_any_name: true, key_type: 'ec', key_bits: 256, ttl: '1h', no_store: true, generate_lease: true }
  const written = await bench.call('pki.writeRole', { path: { name }, body })
  if (!written.ok) {
    expect(written).toBeRefused()
    return
  }
  for (const way of WAYS) {
    const answer = await ask(bench, way, name)
    if (answer.ok) expect(lease(answer).id, way).toBe('')
    else expect(answer, way).toBeRefused()
  }
})
