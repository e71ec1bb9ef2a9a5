/** Two mounts with what has the same names in both: neither shows, uses nor changes anything of the other. */
import {
  type Answer,
  apart,
  type Bench,
  type CheckOptions,
  certificateRequest,
  judgeCertificate,
  judgeCrl,
  ownCertificate,
  pathProblem,
  textsIn,
  type View,
} from '../../harness/checks/index.ts'
import { emptyMounts, plainSerial, quickKey, readBySerial, rootWanted, sameText, within } from './fixtures.ts'

const NAME = 'www.example.com'

const sorted = (keys: unknown): string[] => textsIn(keys).sort()

/** Whether a certificate that a mount gave is of the CA that the mount shows, as the answer says; or that it is absent. */
const signed = async (bench: Bench, mount: string, { ok, data }: Answer): Promise<string> => {
  if (!ok) return 'refused'
  const ca = (await bench.call('pki.readCaPem', { mount })).text
  if (sameText(data.issuing_ca) !== sameText(ca)) return 'it names another CA'
  return (await pathProblem(bench, String(data.certificate), [ca])) ?? 'by its CA'
}

/** What a role of a mount puts into its certificates, how long they live, and whose they are; or that it is absent. */
const issues =
  (bench: Bench, mount: string, name: string): View =>
  async () => {
    const answer = await bench.call('pki.issue', { path: { name }, body: { common_name: NAME }, mount })
    if (!answer.ok) return 'refused'
    const { subject, key, notAfter, notBefore } = await judgeCertificate(bench, String(answer.data.certificate))
    // A role may ask that the key of a request is one of its own.
    const csr = await certificateRequest({ commonName: NAME, key: key.bits === 384 ? 'ec384' : 'ec256' })
    const request = await bench.call('pki.sign', { path: { name }, body: { common_name: NAME, csr }, mount })
    const by = [await signed(bench, mount, answer), await signed(bench, mount, request)]
    return { subject: { CN: subject.CN, OU: subject.OU }, bits: key.bits, tensOfMinutes: Math.round((notAfter - notBefore) / 600), by }
  }

/** Serial numbers on the CRL of a mount, where it shows one and the CA whose it is. */
const crl =
  (bench: Bench, mount: string): View =>
  async () => {
    const { ok, text } = await bench.call('pki.readCrlPem', { mount })
    const ca = (await bench.call('pki.readCaPem', { mount })).text
    if (!ok || !text.includes('BEGIN X509 CRL') || !ca.includes('BEGIN CERTIFICATE')) return 'none'
    return (await judgeCrl(bench, text, ca)).serials
  }

/** A certificate of this serial number in a mount: whether it is there, and how it is. */
const certificate =
  (bench: Bench, mount: string, serial: string): View =>
  async () => {
    const { ok, data } = await readBySerial(bench, serial, { mount })
    if (!ok) return 'not there'
    return [sameText(data.certificate), Number(data.revocation_time ?? 0) === 0 ? 'good' : 'revoked']
  }

const viewsOf = (bench: Bench, what: string, mount: string, role: { stored: string; passing: string }): Record<string, View> => ({
  [`certificates ${what}`]: async () => sorted((await bench.call('pki.listCertificates', { mount })).data.keys).map(plainSerial),
  [`roles ${what}`]: async () => sorted((await bench.call('pki.listRoles', { mount })).data.keys),
  [`roles by GET ${what}`]: async () => sorted((await bench.call('pki.listRoles', { mount, method: 'GET' })).data.keys),
  [`role ${what}`]: async () => {
    const { ok, status, data } = await bench.call('pki.readRole', { path: { name: role.passing }, mount })
    return ok ? data : status
  },
  [`CA ${what}`]: async () => within(await bench.call('pki.readCaPem', { mount })),
  [`chain ${what}`]: async () => within(await bench.call('pki.readCaChain', { mount })),
  [`CRL ${what}`]: crl(bench, mount),
  [`issued ${what}`]: issues(bench, mount, role.passing),
})

const world = async (bench: Bench, there: string) => {
  // Of one name in both mounts: what the passing one issues is not kept, so that to look changes no listing.
  const role = { stored: bench.mixedName('role'), passing: bench.mixedName('passing') }
  const places = { here: 'pki', there }
  const only = { here: bench.mixedName('here'), there: bench.mixedName('there') }
  const fields = { here: { ou: 'Here', key_bits: 256, ttl: '1h' }, there: { ou: 'There', key_bits: 384, ttl: '2h' } }
  const write = (what: 'here' | 'there', name: string, more = {}) => {
    const body = { allow_any_name: true, ...quickKey, ...fields[what], ...more }
    return bench.given('pki.writeRole', { path: { name }, body, mount: places[what] })
  }
  const issue = async (what: 'here' | 'there'): Promise<string> => {
    const made = await bench.given('pki.issue', { path: { name: role.stored }, body: { common_name: NAME }, mount: places[what] })
    return String(made.data.serial_number)
  }
  const serial = { here: '', there: '', revoked: '' }
  // All CAs have one name, and the one here is given to the other mount as well: neither makes them one.
  const commonName = bench.fresh('ca')
  const own = await ownCertificate({ commonName, ca: true, hours: 24 * 30 })
  const another = await ownCertificate({ commonName, ca: true, hours: 24 * 30 })
  const supply = ({ privateKey, certificate }: typeof own, mount: string) => {
    bench.secret(privateKey)
    return bench.given('pki.writeCa', { body: { pem_bundle: `${privateKey}\n${certificate}` }, mount })
  }
  await supply(own, 'pki')
  await bench.given('pki.generateRoot', { ...rootWanted(bench, { common_name: commonName }), mount: there })
  const caThere = ['CA there', 'chain there', 'CRL there', 'certificates there', 'issued there']
  for (const what of ['here', 'there'] as const) {
    await write(what, role.stored)
    await write(what, role.passing, { no_store: true })
    await write(what, only[what])
    serial[what] = await issue(what)
  }
  serial.revoked = await issue('there')
  const revoke = (mount: string, of: string) => bench.call('pki.revoke', { body: { serial_number: of }, mount })
  return {
    views: {
      ...viewsOf(bench, 'here', 'pki', role),
      ...viewsOf(bench, 'there', there, role),
      'certificate here': certificate(bench, 'pki', serial.here),
      'certificate there': certificate(bench, there, serial.there),
      'the one from there, here': certificate(bench, 'pki', serial.there),
      'the one from here, there': certificate(bench, there, serial.here),
    },
    atFirst: {
      'roles here': [role.stored, role.passing, only.here].sort(),
      'roles there': [role.stored, role.passing, only.there].sort(),
      'issued here': { subject: { CN: [NAME], OU: ['Here'] }, bits: 256, tensOfMinutes: 6, by: ['by its CA', 'by its CA'] },
      'issued there': { subject: { CN: [NAME], OU: ['There'] }, bits: 384, tensOfMinutes: 12, by: ['by its CA', 'by its CA'] },
      'the one from there, here': 'not there',
      'the one from here, there': 'not there',
    },
    steps: [
      { what: 'after the other issued', run: () => issue('there'), changes: ['certificates there'] },
      { what: 'after this one issued', run: () => issue('here'), changes: ['certificates here'] },
      // What a mount says of a serial number that is none of its own is another matter.
      {
        what: 'after the other was told to revoke a certificate of this one',
        run: () => revoke(there, serial.here),
        changes: ['CRL there'],
      },
      {
        what: 'after this one was told to revoke a certificate of the other',
        run: () => revoke('pki', serial.there),
        changes: ['CRL here'],
      },
      {
        what: 'after the other revoked one of its own',
        run: () => revoke(there, serial.revoked),
        changes: ['CRL there', 'certificates there'],
      },
      {
        what: 'after the role of the other was written again',
        run: () => write('there', role.passing, { ou: 'Elsewhere', no_store: true }),
        changes: ['role there', 'issued there'],
      },
      {
        what: 'after the role of this one was written again',
        run: () => write('here', role.passing, { ou: 'Nowhere', no_store: true }),
        changes: ['role here', 'issued here'],
      },
      {
        what: 'after the role of the other was deleted',
        run: () => bench.given('pki.deleteRole', { path: { name: role.passing }, mount: there }),
        changes: ['roles there', 'roles by GET there', 'role there', 'issued there'],
      },
      {
        what: 'after the other got another CA',
        async run() {
          await bench.given('pki.deleteRoot', { mount: there })
          await supply(another, there)
        },
        changes: caThere,
      },
      {
        what: 'after the other got the CA of this one',
        async run() {
          await bench.given('pki.deleteRoot', { mount: there })
          await supply(own, there)
        },
        changes: caThere,
      },
      { what: 'after the CA of the other was deleted', run: () => bench.given('pki.deleteRoot', { mount: there }), changes: caThere },
      {
        what: 'after the other generated another root',
        run: () => bench.given('pki.generateRoot', { ...rootWanted(bench, { common_name: commonName }), mount: there }),
        changes: caThere,
      },
    ],
  }
}

/** Where the other mount is. */
const ELSEWHERE: { id: string; about: string; needs: NonNullable<CheckOptions['needs']>; mount(bench: Bench): Promise<string> }[] = [
  { id: 'mounts', about: 'another', needs: emptyMounts, mount: (bench) => bench.mount('pki') },
  {
    id: 'mounts-alike',
    about: 'one whose path begins like its own',
    needs: emptyMounts,
    mount: (bench) => bench.mount('pki', { path: `${bench.mountPath('pki')}-2` }),
  },
  {
    id: 'namespaces',
    about: 'the one of its path in a namespace',
    needs: { ...emptyMounts, features: ['mounts', 'namespaces'] },
    mount: async (bench) => bench.mount('pki', { namespace: await bench.namespace(), path: bench.mountPath('pki') }),
  },
]

for (const { id, about, needs, mount } of ELSEWHERE)
  apart(`pki/neighbours-${id}`, 'PKI-APART-01', `what happens in one mount does not show in ${about}`, { needs }, async ({ bench }) =>
    world(bench, await mount(bench)),
  )
