/** Revocation, and the CRL where the target shows one. */
import { type Bench, check, judgeCrl, targetNow } from '../../../harness/checks/index.ts'
import {
  crlOf,
  issue,
  issued,
  type Made,
  openRole,
  ownAuthority,
  ownMount,
  plainSerial,
  readBySerial,
  sameText,
  unissuedSerial,
  withIntermediate,
  withRoot,
} from '../fixtures.ts'

check(
  'pki/revoke',
  ['PKI-REVOKE-01', 'PKI-REVOKE-02', 'PKI-REVOKE-04'],
  'a certificate is revoked by its serial number, and the answer says when',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    const { serial } = await issued(context)
    const started = targetNow(bench)
    const answer = await bench.call('pki.revoke', { body: { serial_number: serial } })
    await bench.decide('PKI-REVOKE-01', () => expect(Number.isInteger(answer.data.revocation_time)).toBe(true))
    await bench.decide('PKI-REVOKE-02', () => expect(answer).toSucceed())
    await bench.decide('PKI-REVOKE-04', () => {
      const time = Number(answer.data.revocation_time)
      expect(time).toBeGreaterThan(started - 60)
      expect(time).toBeLessThan(targetNow(bench) + 60)
    })
  },
)

const revoke = (bench: Bench, { answer }: Made) => bench.given('pki.revoke', { body: { serial_number: String(answer.data.serial_number) } })

/** What a target may show of a revocation: the time that the read of the certificate has, and the CRL. */
const shownRevoked = async (bench: Bench, ca: string, { answer, facts }: Made): Promise<Record<string, boolean>> => {
  const { data } = await readBySerial(bench, String(answer.data.serial_number))
  const crl = await bench.call('pki.readCrlPem')
  const listed = crl.ok && crl.text.includes('BEGIN X509 CRL') ? (await judgeCrl(bench, crl.text, ca)).serials : []
  return { 'the certificate as it is read': Number(data.revocation_time ?? 0) > 0, 'the CRL': listed.includes(facts.serial) }
}

check('pki/revoke-hyphens', 'PKI-REVOKE-03', 'serial numbers may be spelled with hyphens', { needs: ownAuthority }, async (context) => {
  const { bench, expect } = context
  const ca = await withRoot(bench)
  const role = await openRole(bench)
  const [first, second] = [await issue(context, role), await issue(context, role)]
  await revoke(bench, first)
  const shown = await shownRevoked(bench, ca, first)
  const serial_number = String(second.answer.data.serial_number).replaceAll(':', '-')
  expect(await bench.call('pki.revoke', { body: { serial_number } })).toSucceed()
  if (!Object.values(shown).includes(true))
    bench.blocked('the target shows no revocation', 'map pki.readCrlPem in a dialect: the path of the CRL is not part of the contract')
  const then = await shownRevoked(bench, ca, second)
  for (const [where, first] of Object.entries(shown)) if (first) expect(then[where], `revoked by hyphens: ${where}`).toBe(true)
})

check('pki/revoked-readable', 'PKI-REVOKE-11', 'a revoked certificate is still read', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  const { serial, certificate } = await issued(context)
  await bench.given('pki.revoke', { body: { serial_number: serial } })
  const read = await readBySerial(bench, serial)
  expect(read).toHaveStatus(200)
  expect(sameText(read.data.certificate)).toBe(sameText(certificate))
})

check('pki/revoke-missing', 'PKI-REVOKE-05', 'a serial number is required, as a string', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  const { serial } = await issued(context)
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
    const { serial } = await issued(context)
    await bench.refuses('pki.revoke', {
      bad: { body: { serial_number: unissuedSerial(bench) } },
      control: { body: { serial_number: serial } },
      unchanged: async () => (await readBySerial(bench, serial)).data,
    })
  },
)

check(
  'pki/revoke-part-of-serial',
  'PKI-REVOKE-14',
  'a part of a serial number revokes no certificate',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    const { serial } = await issued(context)
    const bytes = serial.split(/[:-]/)
    const isGood = async () => Number((await readBySerial(bench, serial)).data.revocation_time ?? 0) === 0
    // Serial numbers may be short: what is cut from one is less than all of it.
    const cuts = [bytes.slice(0, 4), bytes.slice(0, 8), bytes.slice(0, -1), bytes.slice(1), bytes.slice(-8)].filter(
      ({ length }) => length < bytes.length,
    )
    for (const part of [...cuts, [...bytes, '00'], ['00', '01', ...bytes]]) {
      const answer = await bench.call('pki.revoke', { body: { serial_number: part.join(':') } })
      expect(answer.status, `status for ${part.length} of ${bytes.length} bytes`).toBeLessThan(500)
      expect(await isGood(), `good after ${part.length} of ${bytes.length} bytes`).toBe(true)
    }
    expect(await bench.call('pki.revoke', { body: { serial_number: serial } }), 'the whole serial number').toSucceed()
  },
)

check(
  'pki/revoke-under-former-ca',
  'PKI-REVOKE-15',
  'a certificate is revoked after its CA was replaced',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const { serial } = await issued(context)
    await withIntermediate(bench)
    expect(await bench.call('pki.revoke', { body: { serial_number: serial } })).toSucceed()
  },
)

check('pki/revoke-twice', 'PKI-REVOKE-07', 'a second revocation', { needs: ownMount }, async (context) => {
  const { bench } = context
  await withRoot(bench)
  const made = await issue(context, await openRole(bench))
  const body = { serial_number: String(made.answer.data.serial_number) }
  const first = await bench.given('pki.revoke', { body })
  const second = await bench.call('pki.revoke', { body, observing: true })
  bench.observe('PKI-REVOKE-07', { status: second.status, sameTime: first.data.revocation_time === second.data.revocation_time })
})

check(
  'pki/crl',
  ['PKI-REVOKE-08', 'PKI-REVOKE-13'],
  'the CRL has what was revoked and nothing else',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const ca = await withRoot(bench)
    const role = await openRole(bench)
    const [revoked, kept] = [await issue(context, role), await issue(context, role)]
    await revoke(bench, revoked)
    const { serials } = await judgeCrl(bench, await crlOf(bench), ca)
    await bench.decide('PKI-REVOKE-08', () => expect(serials).toContain(revoked.facts.serial))
    await bench.decide('PKI-REVOKE-13', () => expect(serials).not.toContain(kept.facts.serial))
  },
)

check(
  'pki/crl-grows',
  ['PKI-REVOKE-09', 'PKI-REVOKE-10'],
  'another revocation adds to the CRL, which the CA signs',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const ca = await withRoot(bench)
    const role = await openRole(bench)
    const [first, second] = [await issue(context, role), await issue(context, role)]
    for (const made of [first, second]) await revoke(bench, made)
    const { serials, verified } = await judgeCrl(bench, await crlOf(bench), ca)
    await bench.decide('PKI-REVOKE-09', () => expect(serials).toContain(first.facts.serial))
    await bench.decide('PKI-REVOKE-10', () => {
      expect(verified).toBe(true)
      expect(serials).toContain(second.facts.serial)
    })
  },
)

check(
  'pki/revoke-concurrently',
  'PKI-REVOKE-12',
  'concurrent revocations of one certificate agree',
  { kind: 'race', needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    const { serial } = await issued(context)
    const spellings = [serial, serial.replaceAll(':', '-')]
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => bench.call('pki.revoke', { body: { serial_number: spellings[at % 2]! } })),
    )
    const times = new Set(answers.filter(({ ok }) => ok).map(({ data }) => data.revocation_time))
    expect(times.size, `revocation times of ${plainSerial(serial)}`).toBe(1)
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
  },
)
