/** The CA that a check works with: its mount, its root, its roles, and the certificates it makes. */
import {
  type Answer,
  type Bench,
  type CertificateFacts,
  type CheckContext,
  certificateRequest,
  type JsonObject,
  judgeCertificate,
  type Needs,
  type RequestInput,
} from '../../harness/checks/index.ts'

const YEAR = 365 * 24 * 3600

/** A mount of the check's own, or the fixed one of a target that has no others: its CA is used, never changed. */
export const ownMount: Needs = { mounts: { pki: { type: 'pki', config: { maxLeaseTtl: 10 * YEAR } } } }

/** A mount whose CA the check makes, replaces or deletes. */
export const ownAuthority: Needs = { mounts: { pki: { type: 'pki', exclusive: true, config: { maxLeaseTtl: 10 * YEAR } } } }

/** Two mounts for chains: the CA and one below it. */
export const twoMounts: Needs = {
  mounts: {
    pki: { type: 'pki', exclusive: true, config: { maxLeaseTtl: 10 * YEAR } },
    below: { type: 'pki', exclusive: true, config: { maxLeaseTtl: 10 * YEAR } },
  },
}

/** EC keys are made in a moment: checks use them wherever the clause is not about keys. */
export const quickKey = { key_type: 'ec', key_bits: 256 }

/** The mount's CA certificate in PEM; makes a root where there is none. */
export const withRoot = async (bench: Bench, fields: JsonObject = {}): Promise<string> => {
  const shown = await bench.call('pki.readCaPem')
  if (shown.ok && shown.text.includes('BEGIN CERTIFICATE')) return shown.text
  const body = { common_name: bench.fresh('root'), ttl: '43800h', ...quickKey, ...fields }
  const made = await bench.given('pki.generateRoot', { path: { type: 'internal' }, body })
  return String(made.data.certificate)
}

/** A new role with EC keys and an hour to live, and these fields; answers its name. */
export const newRole = async (bench: Bench, fields: JsonObject, mount?: string): Promise<string> => {
  const name = bench.fresh('role')
  const at = mount === undefined ? {} : { mount }
  await bench.given('pki.writeRole', { path: { name }, body: { ttl: '1h', ...quickKey, ...fields }, ...at })
  return name
}

/** A role that lets any host name through. */
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

/** Signs a certificate request by a role, likewise. */
export const sign = async (context: CheckContext, role: string, request: RequestInput, body: JsonObject = {}): Promise<Made> =>
  judged(context, await context.bench.call('pki.sign', { path: { name: role }, body: { csr: await certificateRequest(request), ...body } }))

/** Generates a root; asserts likewise. */
export const generateRoot = async (context: CheckContext, body: JsonObject = {}, type = 'internal'): Promise<Made> => {
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
export const denied = (bench: Bench, role: string, bad: JsonObject, good: JsonObject): Promise<Answer> =>
  bench.refuses('pki.issue', {
    bad: { path: { name: role }, body: bad },
    good: { path: { name: role }, body: good },
    unchanged: { operation: 'pki.readRole', input: { path: { name: role } } },
  })

/** What a refused CA operation must leave alone: the CA certificate as served. */
export const caAsServed = (bench: Bench) => async (): Promise<unknown> => {
  const { status, text } = await bench.call('pki.readCaPem')
  return { status, text }
}

/** Seconds since the epoch by the target's clock. */
export const targetNow = (bench: Bench): number => Date.now() / 1000 + bench.clockSkew

/** A serial number without separators, comparable to `CertificateFacts.serial`. */
export const plainSerial = (text: unknown): string =>
  String(text)
    .toLowerCase()
    .replace(/[^0-9a-f]/g, '')
    .replace(/^0+(?=.)/, '')

/** Whether the listing of certificates has a serial number. */
export const isListed = async (bench: Bench, serial: unknown): Promise<boolean> => {
  const listing = await bench.call('pki.listCertificates')
  const keys = Array.isArray(listing.data.keys) ? listing.data.keys : []
  return keys.some((key) => plainSerial(key) === plainSerial(serial))
}

/** Reads a certificate by serial number in the first spelling that answers; the last answer where none does. */
export const readBySerial = async (bench: Bench, serial: string): Promise<Answer> => {
  const colons = await bench.call('pki.readCertificate', { path: { serial } })
  return colons.ok ? colons : bench.call('pki.readCertificate', { path: { serial: serial.replaceAll(':', '-') } })
}

/** PEM blocks of a text. */
export const pemBlocks = (text: string): string[] => text.match(/-----BEGIN [^-]+-----[\s\S]*?-----END [^-]+-----/g) ?? []

/** PEM without white space, for comparison byte for byte. */
export const sameText = (pem: unknown): string => String(pem).replace(/\s+/g, '')

/** The CRL in PEM; blocks the check where the target shows none. */
export const crlOf = async (bench: Bench): Promise<string> => {
  const pem = await bench.call('pki.readCrlPem')
  if (pem.ok && pem.text.includes('BEGIN X509 CRL')) return pem.text
  return bench.blocked(
    'the target shows no CRL at the path of its family',
    'the path of the CRL is not part of the contract: map pki.readCrlPem in a dialect',
  )
}
