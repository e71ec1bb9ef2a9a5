/** Revocation, and the CRL where the target shows one. */
import { check, judgeCrl, targetNow } from '../../../harness/checks/index.ts'
import { crlOf, issue, openRole, ownAuthority, ownMount, plainSerial, readBySerial, sameText, withRoot } from '../fixtures.ts'

check(
  'pki/revoke',
  ['PKI-REVOKE-01', 'PKI-REVOKE-02', 'PKI-REVOKE-03', 'PKI-REVOKE-04', 'PKI-REVOKE-11'],
  'a certificate is revoked by its serial number in both spellings',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const role = await openRole(bench)
    const [first, second] = [await issue(context, role), await issue(context, role)]
    const serial = (made: typeof first) => String(made.answer.data.serial_number)
    const started = targetNow(bench)
    const colons = await bench.call('pki.revoke', { body: { serial_number: serial(first) } })
    const hyphens = await bench.call('pki.revoke', { body: { serial_number: serial(second).replaceAll(':', '-') } })
    await bench.decide('PKI-REVOKE-01', () => expect(Number.isInteger(colons.data.revocation_time)).toBe(true))
    await bench.decide('PKI-REVOKE-02', () => expect(colons).toHaveStatus(200))
    await bench.decide('PKI-REVOKE-03', () => expect(hyphens).toHaveStatus(200))
    await bench.decide('PKI-REVOKE-04', () => {
      const time = Number(colons.data.revocation_time)
      expect(time).toBeGreaterThan(started - 60)
      expect(time).toBeLessThan(targetNow(bench) + 60)
    })
    await bench.decide('PKI-REVOKE-11', async () => {
      const read = await readBySerial(bench, serial(first))
      expect(read).toHaveStatus(200)
      expect(sameText(read.data.certificate)).toBe(sameText(first.certificate))
    })
  },
)

check('pki/revoke-missing', 'PKI-REVOKE-05', 'a serial number is required, as a string', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const made = await issue(context, await openRole(bench))
  const serial = String(made.answer.data.serial_number)
  expect(await bench.call('pki.revoke', { body: {}, invalid: true })).toBeRefused()
  await bench.refuses('pki.revoke', {
    bad: { body: { serial_number: { serial } } },
    control: { body: { serial_number: serial } },
    unchanged: async () => (await readBySerial(bench, serial)).data,
  })
})

check(
  'pki/revoke-unknown',
  'PKI-REVOKE-06',
  'a serial number that was never issued is not revoked',
  { needs: ownMount },
  async (context) => {
    const { bench } = context
    await withRoot(bench)
    const made = await issue(context, await openRole(bench))
    const serial = String(made.answer.data.serial_number)
    const unknown = (Buffer.from(bench.random.bytes(20)).toString('hex').match(/../g) ?? []).join(':')
    await bench.refuses('pki.revoke', {
      bad: { body: { serial_number: unknown } },
      control: { body: { serial_number: serial } },
      unchanged: async () => (await readBySerial(bench, serial)).data,
    })
  },
)

check('pki/revoke-twice', 'PKI-REVOKE-07', 'a second revocation', { needs: ownMount }, async (context) => {
  const { bench } = context
  await withRoot(bench)
  const made = await issue(context, await openRole(bench))
  const body = { serial_number: String(made.answer.data.serial_number) }
  const first = await bench.given('pki.revoke', { body })
  const second = await bench.call('pki.revoke', { body })
  bench.observe('PKI-REVOKE-07', { status: second.status, sameTime: first.data.revocation_time === second.data.revocation_time })
})

check(
  'pki/crl',
  ['PKI-REVOKE-08', 'PKI-REVOKE-09', 'PKI-REVOKE-10', 'PKI-REVOKE-13'],
  'the CRL has what was revoked, signed by the CA',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const ca = await withRoot(bench)
    const role = await openRole(bench)
    const [first, second, kept] = [await issue(context, role), await issue(context, role), await issue(context, role)]
    const revoke = (made: typeof first) => bench.given('pki.revoke', { body: { serial_number: String(made.answer.data.serial_number) } })
    await revoke(first)
    const before = await judgeCrl(bench, await crlOf(bench), ca)
    await bench.decide('PKI-REVOKE-08', () => expect(before.serials).toContain(first.facts.serial))
    await revoke(second)
    const after = await judgeCrl(bench, await crlOf(bench), ca)
    await bench.decide('PKI-REVOKE-09', () => expect(after.serials).toContain(first.facts.serial))
    await bench.decide('PKI-REVOKE-10', () => {
      expect(after.verified).toBe(true)
      expect(after.serials).toContain(second.facts.serial)
    })
    await bench.decide('PKI-REVOKE-13', () => expect(after.serials).not.toContain(kept.facts.serial))
  },
)

check(
  'pki/revoke-concurrently',
  'PKI-REVOKE-12',
  'concurrent revocations of one certificate agree',
  { kind: 'race', needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const made = await issue(context, await openRole(bench))
    const serial = String(made.answer.data.serial_number)
    const spellings = [serial, serial.replaceAll(':', '-')]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => bench.call('pki.revoke', { body: { serial_number: spellings[at % 2]! } })),
    )
    const times = new Set(answers.filter(({ ok }) => ok).map(({ data }) => data.revocation_time))
    expect(times.size, `revocation times of ${plainSerial(serial)}`).toBe(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  },
)
