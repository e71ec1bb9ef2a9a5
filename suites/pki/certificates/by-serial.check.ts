/** Certificates read and listed by serial number. */
import { check, judgeCertificate, judgeCrl, targetNow, textsIn } from '../../../harness/checks/index.ts'
import {
  ask,
  asked,
  crlOf,
  emptyMounts,
  isListed,
  issue,
  issued,
  obtain,
  openRole,
  ownAuthority,
  ownMount,
  pemBlocks,
  plainSerial,
  readBySerial,
  sameText,
  sign,
  unissuedSerial,
  WAYS,
  type Way,
  withRoot,
} from '../fixtures.ts'

check(
  'pki/read-certificate',
  ['PKI-CERT-01', 'PKI-CERT-02', 'PKI-CERT-03'],
  'an issued certificate is read by its serial number',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const made = await issue(context, await openRole(bench))
    const serial = String(made.answer.data.serial_number)
    const read = await readBySerial(bench, serial)
    await bench.decide('PKI-CERT-01', () => {
      expect(read).toHaveStatus(200)
      expect(read.data.certificate).toContain('-----BEGIN CERTIFICATE-----')
    })
    await bench.decide('PKI-CERT-03', () => expect(sameText(read.data.certificate)).toBe(sameText(made.certificate)))
    // The form in which it was handed out is none in which it is kept.
    const role = await openRole(bench)
    for (const way of WAYS)
      for (const format of ['der', 'pem_bundle']) {
        const { ok, data } = await ask(bench, way, role, { format })
        if (!ok) continue
        const kept = String((await readBySerial(bench, String(data.serial_number))).data.certificate)
        await bench.decide('PKI-CERT-01', () => {
          expect(kept, `${way} as ${format}`).toMatch(/^-----BEGIN CERTIFICATE-----/)
          expect(pemBlocks(kept), `PEM blocks, ${way} as ${format}`).toHaveLength(1)
        })
      }
    await bench.decide('PKI-CERT-02', async () => {
      const answers = [
        await bench.call('pki.readCertificate', { path: { serial }, as: 'none' }),
        await bench.call('pki.readCertificate', { path: { serial: serial.replaceAll(':', '-') }, as: 'none' }),
      ]
      expect(answers.map(({ status }) => status)).toContain(200)
    })
  },
)

check('pki/read-expired', 'PKI-CERT-06', 'a certificate is read after its end', { needs: ownMount }, async (context) => {
  const { bench } = context
  await withRoot(bench)
  const { answer, certificate, facts } = await issue(context, await openRole(bench), { ttl: '2s' })
  const serial = String(answer.data.serial_number)
  const soon = { within: 5000 + bench.grace, because: 'the certificate has ended' }
  await bench.eventually(async () => targetNow(bench) > facts.notAfter + 1, soon)
  const read = await readBySerial(bench, serial)
  bench.observe('PKI-CERT-06', { status: read.status, same: sameText(read.data.certificate) === sameText(certificate) })
})

check(
  'pki/list-many',
  ['PKI-LIST-02', 'PKI-LIST-03', 'PKI-ISSUE-10'],
  'every certificate is listed, however many there are, and has a serial number of its own',
  { needs: emptyMounts },
  async (context) => {
    const { bench, expect } = context
    await withRoot(bench)
    const role = await openRole(bench)
    // One request for all of them: what takes time is to make keys.
    const input = await asked('sign', role)
    const own: string[] = []
    for (let count = 0; count < bench.effort(30, 110); count += 1)
      own.push(plainSerial((await bench.given('pki.sign', input)).data.serial_number))
    await bench.decide('PKI-ISSUE-10', () => expect(new Set(own).size, 'serial numbers of one request').toBe(own.length))
    const issuedOnes = [plainSerial((await issue(context, role)).answer.data.serial_number)]
    for (const method of ['LIST', 'GET']) {
      const { data } = await bench.call('pki.listCertificates', { method })
      const keys = (Array.isArray(data.keys) ? data.keys : []).map(plainSerial)
      const missing = (serials: string[]) => serials.filter((serial) => !keys.includes(serial))
      await bench.decide('PKI-LIST-02', () => expect(missing(issuedOnes), `issued and not listed by ${method}`).toEqual([]))
      await bench.decide('PKI-LIST-03', () => expect(missing(own), `signed and not listed by ${method}`).toEqual([]))
    }
  },
)

check(
  'pki/serial-spellings',
  'PKI-CERT-04',
  'spellings of serial numbers and names that the read knows',
  { needs: ownMount },
  async (context) => {
    const { bench } = context
    const { serial } = await issued(context)
    const spellings = {
      colons: serial,
      hyphens: serial.replaceAll(':', '-'),
      upperCase: serial.toUpperCase(),
      ca: 'ca',
      crl: 'crl',
      ca_chain: 'ca_chain',
    }
    const statuses: Record<string, number> = {}
    for (const [spelling, text] of Object.entries(spellings)) {
      statuses[spelling] = (await bench.call('pki.readCertificate', { path: { serial: text }, observing: true })).status
    }
    bench.observe('PKI-CERT-04', statuses)
  },
)

check('pki/unknown-serial', 'PKI-CERT-05', 'a serial number that was never issued gives 404', { needs: ownMount }, async (context) => {
  const { bench, expect } = context
  await withRoot(bench)
  const serial = unissuedSerial(bench)
  expect(await bench.call('pki.readCertificate', { path: { serial } })).toHaveStatus(404)
  const made = await issue(context, await openRole(bench))
  expect(await readBySerial(bench, String(made.answer.data.serial_number))).toHaveStatus(200)
})

check(
  'pki/list-certificates',
  ['PKI-LIST-01', 'PKI-LIST-02', 'PKI-LIST-03', 'PKI-LIST-04'],
  'issued and signed certificates are listed',
  { needs: ownMount },
  async (context) => {
    const { bench, expect } = context
    const { serial } = await judgeCertificate(bench, await withRoot(bench))
    const role = await openRole(bench)
    const issued = await issue(context, role)
    const signed = await sign(context, role, { commonName: 'www.example.com' })
    const listing = await bench.call('pki.listCertificates')
    const keys = textsIn(listing.data.keys)
    await bench.decide('PKI-LIST-01', () => {
      expect(listing).toHaveStatus(200)
      expect(keys.length).toBeGreaterThan(0)
    })
    await bench.decide('PKI-LIST-02', () => expect(keys.map(plainSerial)).toContain(issued.facts.serial))
    await bench.decide('PKI-LIST-03', () => expect(keys.map(plainSerial)).toContain(signed.facts.serial))
    bench.observe('PKI-LIST-04', {
      spelling: keys[0]?.includes('-') ? 'hyphens' : 'colons',
      listed: keys.length,
      ca: keys.map(plainSerial).includes(serial),
    })
  },
)

check(
  'pki/not-stored',
  ['PKI-NOSTORE-02', 'PKI-NOSTORE-03', 'PKI-NOSTORE-05'],
  'with no_store a certificate is neither listed nor revocable',
  { needs: ownAuthority },
  async (context) => {
    const { bench, expect } = context
    const ca = await withRoot(bench)
    const [keeping, not] = [await openRole(bench), await openRole(bench, { no_store: true })]
    const obtained = async (way: Way, role: string) => {
      const { answer, facts } = await obtain(context, way, role)
      return { serial: String(answer.data.serial_number), inCrl: facts.serial }
    }
    const refusesUnknown = !(await bench.call('pki.revoke', { body: { serial_number: unissuedSerial(bench) } })).ok
    for (const way of WAYS) {
      const [{ serial: kept }, { serial: unkept, inCrl }] = [await obtained(way, keeping), await obtained(way, not)]
      // Right after one that was not stored, whichever way either was made.
      for (const next of WAYS) {
        const { serial } = await obtained(next, keeping)
        await bench.decide('PKI-NOSTORE-05', async () => expect(await isListed(bench, serial), `${next} after ${way}`).toBe(true))
        const { serial: passing } = await obtained(way, not)
        await bench.decide('PKI-NOSTORE-02', async () => expect(await isListed(bench, passing), `${way} after ${next}`).toBe(false))
      }
      await bench.decide('PKI-NOSTORE-02', async () => expect(await isListed(bench, unkept), way).toBe(false))
      await bench.decide('PKI-NOSTORE-05', async () => expect(await isListed(bench, kept), way).toBe(true))
      await bench.decide('PKI-NOSTORE-03', async () => {
        if (!refusesUnknown) {
          await bench.call('pki.revoke', { body: { serial_number: unkept } })
          const { serials } = await judgeCrl(bench, await crlOf(bench), ca)
          expect(serials, `the CRL, where ${way} was revoked`).not.toContain(inCrl)
          return
        }
        await bench.refuses('pki.revoke', {
          bad: { body: { serial_number: unkept } },
          control: { body: { serial_number: kept } },
          unchanged: null,
          because: 'what is not stored has no state to compare',
        })
      })
    }
    // Beside a lease, where a role may have both.
    const path = { name: bench.mixedName('role') }
    const body = { allow_any_name: true, key_type: 'ec', key_bits: 256, ttl: '1h', no_store: true, generate_lease: true }
    if (!(await bench.call('pki.writeRole', { path, body })).ok) return
    for (const way of WAYS) {
      const { ok, data } = await bench.call(`pki.${way}`, await asked(way, path.name))
      if (ok) await bench.decide('PKI-NOSTORE-02', async () => expect(await isListed(bench, String(data.serial_number)), way).toBe(false))
    }
  },
)
