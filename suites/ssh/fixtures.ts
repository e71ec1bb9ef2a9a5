/** Roles, pairs and certificates that the checks of this engine start from. */
import {
  type Answer,
  type Bench,
  type CheckContext,
  type Json,
  type JsonObject,
  type SshCertificate,
  type SshKeyPair,
  sshOracle,
  targetNow,
} from '../../harness/checks/index.ts'
import { rsaPair } from './rsa-keys.ts'

/** Needs of a check that signs: a mount of its own, for the CA belongs to the mount. */
export const ownMount = { needs: { mounts: { ssh: { type: 'ssh', exclusive: true } } } } as const

const NETWORK = '10.0.0.0/8'

/** Parameters of a role that issues one-time passwords for 10.0.0.0/8. */
export const otpFields = (fields: JsonObject = {}): JsonObject => ({
  key_type: 'otp',
  default_user: 'ubuntu',
  cidr_list: NETWORK,
  ...fields,
})

/** Parameters of a role that signs user certificates for anyone. */
export const caFields = (fields: JsonObject = {}): JsonObject => ({
  key_type: 'ca',
  allow_user_certificates: true,
  allowed_users: '*',
  ttl: '10m',
  ...fields,
})

/** Parameters of a role that signs host certificates for any host. */
export const hostFields = (fields: JsonObject = {}): JsonObject => ({
  key_type: 'ca',
  allow_host_certificates: true,
  allowed_domains: '*',
  ttl: '10m',
  ...fields,
})

/** Writes a role under a fresh name and returns the name. */
export const roleWith = async (bench: Bench, body: JsonObject, mount?: string): Promise<string> => {
  const name = bench.fresh(String(body.key_type))
  await bench.given('ssh.writeRole', { path: { name }, body, ...(mount === undefined ? {} : { mount }) })
  return name
}

/** The read of a role: its data, or the status that says there is none. */
export const roleRead = (bench: Bench, name: string) => async (): Promise<JsonObject> => {
  const answer = await bench.call('ssh.readRole', { path: { name } })
  return answer.ok ? answer.data : { status: answer.status }
}

/** Gives the mount a pair that signs; returns it. */
export const withCa = async (bench: Bench, pair: SshKeyPair = rsaPair('ca'), mount?: string): Promise<SshKeyPair> => {
  const body = { private_key: pair.privateKey, public_key: pair.publicKey, generate_signing_key: false }
  const where = mount === undefined ? {} : { mount }
  // A target that does not replace a pair is found elsewhere: here the one before is deleted first.
  if (!(await bench.call('ssh.writeCa', { body, ...where })).ok) {
    await bench.call('ssh.deleteCa', where)
    await bench.given('ssh.writeCa', { body, ...where })
  }
  return pair
}

/** A pair to be signed, where its kind does not matter: RSA, the one kind that the document names. */
export const userPair = (): SshKeyPair => rsaPair('user2048')

/** A request for a certificate of a pair, for users. */
export const request = (valid_principals: string): JsonObject => ({ public_key: userPair().publicKey, valid_principals })

/** The same for hosts. */
export const hostRequest = (valid_principals: string): JsonObject => ({ ...request(valid_principals), cert_type: 'host' })

export interface Signed {
  answer: Answer
  /** The certificate as answered. */
  line: string
  certificate: SshCertificate
  /** Seconds since the epoch by the target's clock, just before and just after the request. */
  asked: number
  answered: number
}

/** Asks for a certificate, asserts that one is issued, and reads it. */
export const signed = async ({ bench, expect }: CheckContext, role: string, body: JsonObject): Promise<Signed> => {
  const asked = targetNow(bench)
  const answer = await bench.call('ssh.signKey', { path: { name: role }, body })
  const answered = targetNow(bench)
  expect(answer).toHaveStatus(200)
  const line = String(answer.data.signed_key)
  return { answer, line, certificate: await sshOracle.readCertificate(line), asked, answered }
}

/** How exactly a lifetime must be kept, in seconds. */
const TOLERANCE = 60

/** Asserts that a certificate lives for so many seconds from when it was issued. */
export const expectLifetime = ({ expect }: CheckContext, { certificate, asked, answered }: Signed, seconds: number): void => {
  expect(certificate.validBefore - asked, 'seconds of validity since the request').toBeGreaterThanOrEqual(seconds - TOLERANCE)
  expect(certificate.validBefore - answered, 'seconds of validity since the answer').toBeLessThanOrEqual(seconds + TOLERANCE)
}

/** Asserts that a signature is refused and that the same request with one thing mended is granted. */
export const refusesToSign = (bench: Bench, role: string, bad: JsonObject, good: JsonObject): Promise<Answer> =>
  bench.refuses('ssh.signKey', {
    bad: { path: { name: role }, body: bad },
    control: { path: { name: role }, body: good },
    unchanged: null,
    because: 'a refused signature leaves no state',
  })

/**
 * Asserts that no certificate carries what its role forbids: the request is refused, or that part of it left out. That it is refused as a
 * whole is a clause of its own.
 */
export const neverCarries = async (
  { bench, expect }: CheckContext,
  clauses: { carries: string; refuses: string },
  request: { role: string; bad: JsonObject; good: JsonObject },
  forbidden: (certificate: SshCertificate) => readonly unknown[],
): Promise<void> => {
  const { role, bad, good } = request
  const answer = await bench.call('ssh.signKey', { path: { name: role }, body: bad })
  await bench.decide(clauses.carries, async () => {
    if (!answer.ok) return void (await refusesToSign(bench, role, bad, good))
    const certificate = await sshOracle.readCertificate(String(answer.data.signed_key))
    expect(forbidden(certificate), 'what the role forbids, in a certificate').toEqual([])
  })
  await bench.decide(clauses.refuses, () => expect(answer, 'a request for what the role forbids').toBeRefused())
}

/** Asserts that a role as such refuses a request which another role grants. */
export const roleRefusesToSign = (bench: Bench, roles: { bad: string; good: string }, body: JsonObject): Promise<Answer> =>
  bench.refuses('ssh.signKey', {
    bad: { path: { name: roles.bad }, body },
    control: { path: { name: roles.good }, body },
    unchanged: null,
    because: 'a refused signature leaves no state',
  })

/** Asserts that a credential is refused and that the same request with one thing mended is granted. */
export const refusesCredential = (bench: Bench, role: string, bad: JsonObject, good: JsonObject): Promise<Answer> =>
  bench.refuses('ssh.createCredential', {
    bad: { path: { name: role }, body: bad },
    control: { path: { name: role }, body: good },
    unchanged: null,
    because: 'a credential that was not issued leaves nothing to read',
  })

/** Asserts that a role is not created, where the same role with one thing mended is. */
export const refusesAtCreation = async (bench: Bench, bad: JsonObject, good: JsonObject): Promise<void> => {
  const path = { name: bench.mixedName('role') }
  await bench.refuses('ssh.writeRole', {
    bad: { path, body: bad },
    control: { path, body: good },
    unchanged: roleRead(bench, path.name),
  })
}

const TRIES = 4

/** Whether a role is listed. A listing that fails says nothing of the role: it is asked again, for others write all the while. */
const isListed = async (bench: Bench, name: string): Promise<boolean> => {
  for (let left = TRIES; ; left -= 1) {
    const { ok, data } = left > 1 ? await bench.call('ssh.listRoles') : await bench.given('ssh.listRoles')
    if (ok) return Array.isArray(data.keys) && data.keys.includes(name)
  }
}

/**
 * Asserts that one value of a role's parameters is refused where the same role without it is accepted: at creation, and as an update, which then
 * leaves the role as it was, what it would have changed besides included. Quick effort tries one of the two.
 */
export const refusesRole = async (bench: Bench, bad: JsonObject, good: JsonObject): Promise<void> => {
  const ways = bench.few(['creation', 'update'], 1)
  if (ways.includes('creation')) await refusesAtCreation(bench, bad, good)
  if (!ways.includes('update')) return
  const path = { name: bench.mixedName('role') }
  await bench.given('ssh.writeRole', { path, body: good })
  const harmless: JsonObject = good.key_type === 'ca' ? { allow_subdomains: true } : { default_user: 'besides' }
  const besides = Object.fromEntries(Object.entries(harmless).filter(([field]) => bad[field] === good[field]))
  await bench.refuses('ssh.writeRole', {
    label: 'as an update',
    bad: { path, body: { ...bad, ...besides } },
    control: { path, body: { ...good, ...besides } },
    unchanged: async () => [await roleRead(bench, path.name)(), await isListed(bench, path.name)],
  })
}

/** The entries of a list as a read shows it, comma-separated text or an array, in an order of their own. */
export const entries = (list: Json | undefined): string[] =>
  (Array.isArray(list) ? list.map(String) : String(list).split(',')).map((entry) => entry.trim()).sort()
