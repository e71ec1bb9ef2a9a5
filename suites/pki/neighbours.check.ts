/** Roles, certificates and the CA of a mount: what happens to one never shows at another, nor at another mount. */
import {
  apart,
  type Bench,
  type CheckContext,
  type JsonObject,
  judgeCertificate,
  ownCertificate,
  pathProblem,
  type View,
} from '../../harness/checks/index.ts'
import {
  asked,
  leaveRoot,
  newRole,
  ownAuthority,
  plainSerial,
  quickKey,
  readBySerial,
  rootWanted,
  sameText,
  WAYS,
  withoutRoot,
} from './fixtures.ts'
import { roleFields } from './roles/role-fields.ts'

const NAME = 'www.example.com'

const roleRead =
  (bench: Bench, name: string): View =>
  async () => {
    const { ok, status, data } = await bench.call('pki.readRole', { path: { name } })
    return ok ? data : status
  }

const certificateRead =
  (bench: Bench, serial: string): View =>
  async () => {
    const { ok, status, data } = await readBySerial(bench, serial)
    return ok ? [sameText(data.certificate), Number(data.revocation_time ?? 0) === 0 ? 'good' : 'revoked'] : status
  }

/** What a new certificate of a role holds, and whether it verifies under the CA that is served; or that it is absent. */
const issues =
  (bench: Bench, role: string): View =>
  async () => {
    const { ok, data } = await bench.call('pki.issue', { path: { name: role }, body: { common_name: NAME } })
    if (!ok) return 'refused'
    const facts = await judgeCertificate(bench, String(data.certificate))
    const ca = (await bench.call('pki.readCaPem')).text
    const { dns, ip, email, uri, other, keyUsage, extendedKeyUsage, policies, basicConstraints, key } = facts
    // A server may give each subject a number of its own.
    const { serialNumber: _, ...subject } = facts.subject
    return {
      ...{ subject, dns, ip, email, uri, other, keyUsage, extendedKeyUsage, policies, basicConstraints, key },
      // Far from where a second more or less would change it.
      tensOfMinutes: Math.round((facts.notAfter - facts.notBefore) / 600),
      verifies: (await pathProblem(bench, String(data.certificate), [ca])) ?? true,
    }
  }

const certificateOf = async (bench: Bench, role: string): Promise<string> =>
  String((await bench.given('pki.issue', { path: { name: role }, body: { common_name: NAME } })).data.serial_number)

/** Which of these serial numbers a listing has. */
const listed =
  (bench: Bench, serials: readonly string[]): View =>
  async () => {
    const { data } = await bench.call('pki.listCertificates')
    const keys = (Array.isArray(data.keys) ? data.keys : []).map(plainSerial)
    return serials.filter((serial) => keys.includes(plainSerial(serial)))
  }

const EVERYTHING: JsonObject = {
  ...{ ou: 'Unit', organization: 'Own', country: 'CH', locality: 'There', province: 'Here', serial_number: 'SN-1' },
  ...{ server_flag: false, code_signing_flag: true, key_usage: ['KeyAgreement'], policy_identifiers: ['1.3.6.1.4.1.99999.7'] },
  ...{ basic_constraints_valid_for_non_ca: true, generate_lease: true, not_before_duration: '40m' },
}

const CA = ['CA', 'chain', 'issued by the first role', 'issued by the second role']

const stepsOf = (bench: Bench, first: string, second: string, serials: readonly string[]) => [
  {
    what: 'after a certificate of the first role with names and a time of its own',
    run: () =>
      bench.given('pki.issue', {
        path: { name: first },
        body: { common_name: 'own.example.com', ip_sans: '192.0.2.7', alt_names: 'more.example.com', ttl: '600s' },
      }),
  },
  {
    what: 'after a role with fields of its own was made',
    run: () =>
      newRole(bench, { allowed_domains: ['own.example.com'], organization: 'Own', locality: 'There', max_ttl: '5h', no_store: true }),
  },
  {
    what: 'after a role that has everything issued and signed',
    async run() {
      const name = await newRole(bench, { ...EVERYTHING, allow_any_name: true })
      for (const way of WAYS) await bench.given(`pki.${way}`, await asked(way, name, { alt_names: 'more.example.com', ttl: '600s' }))
    },
  },
  { what: 'after the second role issued', run: () => certificateOf(bench, second) },
  {
    what: 'after a second root was asked for',
    // Refused, or answered without a certificate: the CA stays.
    run: () => bench.call('pki.generateRoot', rootWanted(bench)),
  },
  {
    what: 'after one certificate was revoked',
    run: () => bench.given('pki.revoke', { body: { serial_number: serials[1]! } }),
    // Whether a revoked certificate stays in the listing is not said.
    changes: ['certificate 1', 'listed'],
  },
  {
    what: 'after an update of the first role',
    run: () => bench.given('pki.writeRole', { path: { name: first }, body: { allow_any_name: true, ttl: '2h', ...quickKey } }),
    changes: ['read of the first role', 'issued by the first role'],
  },
  {
    what: 'after the second role was deleted',
    run: () => bench.given('pki.deleteRole', { path: { name: second } }),
    changes: ['read of the second role', 'issued by the second role'],
  },
  { what: 'after the root was deleted', run: () => bench.given('pki.deleteRoot'), changes: CA },
  { what: 'after another root was generated', run: () => bench.given('pki.generateRoot', rootWanted(bench)), changes: CA },
  {
    what: 'after a CA was supplied',
    async run() {
      await bench.call('pki.deleteRoot')
      const own = await ownCertificate({ commonName: bench.fresh('ca'), ca: true, hours: 24 * 30 })
      await bench.given('pki.writeCa', { body: { pem_bundle: `${own.privateKey}\n${own.certificate}` } })
    },
    changes: CA,
  },
]

const world = async ({ bench }: CheckContext) => {
  leaveRoot(bench)
  await withoutRoot(bench)
  await bench.given('pki.generateRoot', rootWanted(bench))
  const role = (fields: JsonObject) => newRole(bench, { allow_any_name: true, ...fields })
  const [first, second] = [await role({}), await role({ ttl: '90m', ou: 'second' })]
  const serials: string[] = []
  for (const name of [first, first, second, second]) serials.push(await certificateOf(bench, name))
  return {
    views: {
      CA: async () => sameText((await bench.call('pki.readCaPem')).text),
      chain: async () => sameText((await bench.call('pki.readCaChain', { as: 'none' })).text),
      'read of the first role': roleRead(bench, first),
      'read of the second role': roleRead(bench, second),
      // What it is given must not depend on what others were given before.
      'read of a new role': async () => {
        const { data } = await bench.call('pki.readRole', { path: { name: await role({}) } })
        return Object.fromEntries(roleFields.map(({ name }) => [name, data[name] ?? null]))
      },
      'issued by the first role': issues(bench, first),
      'issued by the second role': issues(bench, second),
      ...Object.fromEntries(serials.map((serial, index) => [`certificate ${index}`, certificateRead(bench, serial)])),
      listed: listed(bench, serials),
    },
    atFirst: { listed: serials },
    steps: stepsOf(bench, first, second, serials),
  }
}

apart('pki/neighbours', 'PKI-APART-01', 'an operation changes what it names and nothing beside it', { needs: ownAuthority }, world)
