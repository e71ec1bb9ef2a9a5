/** The CA that a check works with: its mount, its root, its roles, and the certificates it makes. */
import {
  type Answer,
  type Bench,
  type CallInput,
  type CertificateFacts,
  type CheckContext,
  certificateRequest,
  type Expect,
  isBackendFailure,
  isObject,
  type JsonObject,
  judgeCertificate,
  type Needs,
  ownCertificate,
  type RequestInput,
} from '../../harness/checks/index.ts'

/** A mount of the check's own, or the fixed one of a target that has no others: its CA is used, never changed. */
export const ownMount: Needs = { mounts: { pki: { type: 'pki' } } }

/** A mount whose CA the check makes, replaces or deletes. */
export const ownAuthority: Needs = { mounts: { pki: { type: 'pki', exclusive: true } } }

/** Such a mount and more of them, all empty: a fixed one does not do. */
export const emptyMounts: Needs = { ...ownAuthority, features: ['mounts'] }

/** Two mounts for chains: the CA and one below it. */
export const twoMounts: Needs = {
  mounts: { pki: { type: 'pki', exclusive: true }, below: { type: 'pki', exclusive: true } },
}

/** EC keys are made in a moment: checks use them wherever the clause is not about keys. */
export const quickKey = { key_type: 'ec', key_bits: 256 }

/** A request for a root. Thirty days are within the maximum that servers of this family have unless they are told otherwise. */
export const rootWanted = (bench: Bench, fields: JsonObject = {}) => ({
  path: { type: 'internal' },
  body: { common_name: bench.fresh('root'), ttl: '720h', ...quickKey, ...fields },
})

const makeRoot = async (bench: Bench, fields: JsonObject = {}): Promise<string> =>
  String((await bench.given('pki.generateRoot', rootWanted(bench, fields))).data.certificate)

/** The CA certificate that the mount shows, in PEM; empty where it shows none. */
const shownCa = async (bench: Bench): Promise<string> => {
  const { ok, text } = await bench.call('pki.readCaPem')
  return ok && text.includes('BEGIN CERTIFICATE') ? text : ''
}

/** The mount's CA certificate in PEM; makes a root where there is none. */
export const withRoot = async (bench: Bench): Promise<string> => {
  const shown = await shownCa(bench)
  if (shown !== '') return shown
  const { data } = await bench.call('pki.generateRoot', rootWanted(bench))
  if (typeof data.certificate === 'string') return data.certificate
  // Of checks that find a fixed mount empty at the same time one makes its root: the others see it now.
  return (await shownCa(bench)) || makeRoot(bench)
}

/** The mount's CA certificate likewise, of a CA that any CA may stand below; blocks where that of a fixed mount is limited. */
export const withUnlimited = async (bench: Bench): Promise<string> => {
  const ca = await withRoot(bench)
  const limit = (await judgeCertificate(bench, ca)).basicConstraints?.pathLength
  if (limit === undefined) return ca
  return bench.blocked(`the CA of the mount has the path length ${limit}`, 'give the mount a CA without a limit')
}

/** Leaves a plain root behind, whatever the check makes of the mount's CA: a fixed mount serves the checks that follow. */
export const leaveRoot = (bench: Bench): void =>
  bench.defer(async () => {
    await bench.call('pki.deleteRoot')
    await bench.call('pki.generateRoot', rootWanted(bench))
  })

/** Makes sure that the check's own mount can have a root made: a fixed mount comes with one. */
export const withoutRoot = async (bench: Bench): Promise<void> => {
  leaveRoot(bench)
  if ((await shownCa(bench)) !== '') await bench.given('pki.deleteRoot')
}

/** The certificate of a root with these properties, made for the check. */
export const newRoot = async (bench: Bench, fields: JsonObject): Promise<string> => {
  await withoutRoot(bench)
  return makeRoot(bench, fields)
}

/** Gives the mount an intermediate CA, with the root above it; PEM. */
export const withIntermediate = async (
  bench: Bench,
  commonName: string = bench.fresh('ca'),
  pathLength?: number,
): Promise<{ certificate: string; root: string }> => {
  // Not every target lets the bundle take the place of a CA that is there.
  await withoutRoot(bench)
  const root = await ownCertificate({ commonName: bench.fresh('root'), ca: true, hours: 24 * 30 })
  const { privateKey, certificate } = await ownCertificate({
    ...{ commonName, ca: true, issuer: root, hours: 24 * 30 },
    ...(pathLength === undefined ? {} : { pathLength }),
  })
  await bench.given('pki.writeCa', { body: { pem_bundle: [privateKey, certificate, root.certificate].join('\n') } })
  return { certificate, root: root.certificate }
}

/**
 * A CA from outside outlives the longest lease of the mount, as a root made there may not; where none is taken, such a root.
 *
 * @returns whether it does.
 */
export const withLongCa = async (bench: Bench): Promise<boolean> => {
  const own = await ownCertificate({ commonName: bench.fresh('ca'), ca: true, hours: 24 * 30 })
  bench.secret(own.privateKey)
  const written = await bench.call('pki.writeCa', { body: { pem_bundle: `${own.privateKey}\n${own.certificate}` } })
  if (!written.ok) await newRoot(bench, { ttl: '4h' })
  return written.ok
}

/** A new role with EC keys and an hour to live, and these fields; answers its name. */
export const newRole = async (bench: Bench, fields: JsonObject, mount?: string): Promise<string> => {
  const name = bench.mixedName('role')
  const at = mount === undefined ? {} : { mount }
  await bench.given('pki.writeRole', { path: { name }, body: { ttl: '1h', ...quickKey, ...fields }, ...at })
  return name
}

/** A role that lets any host name through. */
/** Settings by which a role allows email addresses of these domains, however a server judges them. */
export const ALLOWS_EMAIL: JsonObject = {
  ...{ enforce_hostnames: false, email_protection_flag: true, allowed_domains: ['one.example', 'example.com'] },
  ...{ allow_bare_domains: true, allow_subdomains: true },
}

export const openRole = (bench: Bench, fields: JsonObject = {}): Promise<string> => newRole(bench, { allow_any_name: true, ...fields })

export interface Made {
  answer: Answer
  facts: CertificateFacts
  /** PEM. */
  certificate: string
}

const judged = async ({ bench, expect }: CheckContext, answer: Answer): Promise<Made> => {
  expect(answer).toSucceed()
  const certificate = String(answer.data.certificate)
  return { answer, certificate, facts: await judgeCertificate(bench, certificate) }
}

/** Issues by a role; asserts that it succeeds and that both readers read the certificate alike. */
export const issue = async (context: CheckContext, role: string, body: JsonObject = {}): Promise<Made> =>
  judged(context, await context.bench.call('pki.issue', { path: { name: role }, body: { common_name: 'www.example.com', ...body } }))

/** A certificate that a new role of a new root issued, and its serial number as answered. */
export const issued = async (context: CheckContext): Promise<Made & { serial: string }> => {
  await withRoot(context.bench)
  const made = await issue(context, await openRole(context.bench))
  return { ...made, serial: String(made.answer.data.serial_number) }
}

/** Signs a certificate request by a role; asserts as `issue` does. */
export const sign = async (context: CheckContext, role: string, request: RequestInput, body: JsonObject = {}): Promise<Made> =>
  judged(context, await context.bench.call('pki.sign', { path: { name: role }, body: { csr: await certificateRequest(request), ...body } }))

/** A way to a certificate by a role. */
export type Way = 'issue' | 'sign'

/** Both ways to a certificate by a role. */
export const WAYS: Way[] = ['issue', 'sign']

/** A request for a certificate by a role, on one of the ways: signing takes a certificate request for the same common name. */
export const asked = async (way: Way, role: string, body: JsonObject = {}): Promise<{ path: { name: string }; body: JsonObject }> => {
  const named = { common_name: 'www.example.com', ...body }
  if (way === 'issue') return { path: { name: role }, body: named }
  return { path: { name: role }, body: { ...named, csr: await certificateRequest({ commonName: String(named.common_name) }) } }
}

/** Asks for a certificate by a role, on one of the ways. */
export const ask = async (bench: Bench, way: Way, role: string, body: JsonObject = {}): Promise<Answer> =>
  bench.call(`pki.${way}`, await asked(way, role, body))

/** Asks likewise; asserts as `issue` does. */
export const obtain = async (context: CheckContext, way: Way, role: string, body: JsonObject = {}): Promise<Made> =>
  judged(context, await ask(context.bench, way, role, body))

/** Generates a root; asserts likewise. */
export const generateRoot = async (context: CheckContext, body: JsonObject = {}, type = 'internal'): Promise<Made> => {
  await withoutRoot(context.bench)
  const fields = { common_name: context.bench.fresh('root'), ...quickKey, ...body }
  return judged(context, await context.bench.call('pki.generateRoot', { path: { type }, body: fields }))
}

/** Signs an intermediate CA for a certificate request of our own; asserts likewise. */
export const signIntermediate = async (context: CheckContext, body: JsonObject = {}, request: RequestInput = {}): Promise<Made> => {
  const csr = await certificateRequest({ commonName: 'Name of the request', ...request })
  const fields = { csr, common_name: context.bench.fresh('intermediate'), ttl: '24h', ...body }
  return judged(context, await context.bench.call('pki.signIntermediate', { body: fields }))
}

/** Asserts that issuing is denied, and that a request differing in one point is not; the role stays as it is. */
export const denied = async (bench: Bench, role: string, bad: JsonObject, good: JsonObject, way: Way = 'issue'): Promise<Answer> =>
  bench.refuses(`pki.${way}`, {
    bad: await asked(way, role, bad),
    control: await asked(way, role, good),
    unchanged: { operation: 'pki.readRole', input: { path: { name: role } } },
  })

/** Decides that nothing is issued for lack of a CA, and apart from it that the refusal is 4xx: nothing is wrong with the request. */
export const issuesNothing = async ({ bench, expect }: CheckContext, clause: string, what: string, answer: Answer): Promise<void> => {
  await bench.decide(clause, () => expect(isBackendFailure(answer.status), `${what} is refused; it was ${answer.status}`).toBe(true))
  await bench.decide('PKI-ISSUE-21', () => expect(answer, what).toBeRefused())
}

/** What an answer says: in an envelope, which has an id of its own each time and an order of members, its data. */
export const within = (answer: Answer, raw: string = answer.text): unknown => (isObject(answer.body) ? answer.data : raw)

/** What a refused CA operation must leave alone: the CA certificate as served, in each form, and its chain; at quick effort one of the three. */
export const caAsServed =
  (bench: Bench, where: CallInput = {}) =>
  async (): Promise<unknown> => {
    const forms = bench.memo('forms of the CA', () => bench.few(['pki.readCaPem', 'pki.readCa', 'pki.readCaChain'], 1))
    const seen: unknown[] = []
    for (const form of forms) {
      const answer = await bench.call(form, where)
      seen.push(answer.status, within(answer, form === 'pki.readCa' ? Buffer.from(answer.bytes).toString('base64') : answer.text))
    }
    return seen
  }

/** A serial number without separators, comparable to `CertificateFacts.serial`. */
export const plainSerial = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replace(/[^0-9a-f]/g, '')
    .replace(/^0+(?=.)/, '')

/** Whether the listing of certificates has a serial number. */
export const isListed = async (bench: Bench, serial: unknown): Promise<boolean> => {
  const listing = await bench.call('pki.listCertificates')
  // Where nothing is listed, the answer may be 404.
  if (!listing.ok && listing.status !== 404)
    bench.blocked(`the listing of certificates answered ${listing.status}`, 'see PKI-LIST-01 first')
  const keys = Array.isArray(listing.data.keys) ? listing.data.keys : []
  return keys.some((key) => plainSerial(key) === plainSerial(serial))
}

/** Reads a certificate by serial number in the first spelling that answers; the last answer where none does. */
export const readBySerial = async (bench: Bench, serial: string, where: CallInput = {}): Promise<Answer> => {
  const colons = await bench.call('pki.readCertificate', { ...where, path: { serial } })
  return colons.ok ? colons : bench.call('pki.readCertificate', { ...where, path: { serial: serial.replaceAll(':', '-') } })
}

/** PEM blocks of a text, each with white space about it: what follows another block on its last line is none for any reader. */
export const pemBlocks = (text: string): string[] => text.match(/(?<!\S)-----BEGIN [^-]+-----\s[^-]*\s-----END [^-]+-----(?!\S)/g) ?? []

/** Asserts that a `ca_chain` is an array of PEM strings, each with certificates that every reader reads; of how many is not stated. */
export const expectChain = async ({ bench, expect }: CheckContext, chain: unknown): Promise<void> => {
  expect(Array.isArray(chain)).toBe(true)
  for (const [at, entry] of (chain as unknown[]).entries()) {
    const blocks = pemBlocks(String(entry))
    expect(blocks.length, `PEM blocks in entry ${at} of the chain`).toBeGreaterThan(0)
    for (const block of blocks) await judgeCertificate(bench, block)
  }
}

/** PEM without white space, for comparison byte for byte. */
export const sameText = (pem: unknown): string => String(pem).replace(/\s+/g, '')

/** Asserts that both forms of the CA certificate hold this one alone. */
export const expectOwnCa = async (bench: Bench, expect: Expect, certificate: string, where: CallInput = {}): Promise<void> => {
  expect(sameText((await bench.call('pki.readCaPem', where)).text), 'the CA in PEM').toBe(sameText(certificate))
  const der = Buffer.from((await bench.call('pki.readCa', where)).bytes).toString('base64')
  expect(der, 'the CA in DER').toBe(sameText(certificate).replace(/-----[A-Z]+-----/g, ''))
}

/** A serial number of 160 bits that nobody issued, with colons. */
export const unissuedSerial = (bench: Bench): string => (Buffer.from(bench.random.bytes(20)).toString('hex').match(/../g) ?? []).join(':')

/** The CRL in PEM; blocks the check where the target shows none. */
export const crlOf = async (bench: Bench): Promise<string> => {
  const pem = await bench.call('pki.readCrlPem')
  if (pem.ok && pem.text.includes('BEGIN X509 CRL')) return pem.text
  return bench.blocked(
    'the target shows no CRL at the path of its family',
    'the path of the CRL is not part of the contract: map pki.readCrlPem in a dialect',
  )
}
