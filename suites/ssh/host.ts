/** The real host behind a check: roles whose keys are installed on it, and certificates that open sessions on it. */
import { type Answer, type Bench, type JsonObject, type SshKeyPair, sshOracle, validHere } from '../../harness/checks/index.ts'
import { roleWith } from './fixtures.ts'

export const onHost = { needs: { backends: ['sshd'] } }
export const ownMountOnHost = { needs: { mounts: { ssh: { type: 'ssh', exclusive: true } }, backends: ['sshd'] } }

/** Registers a private key under a fresh name; without one, that of the host's administrator. */
export const registeredKey = async (bench: Bench, privateKey = bench.backend('sshd').extra.adminKey ?? ''): Promise<string> => {
  const name = bench.mixedName('key')
  await bench.given('ssh.writeKey', { path: { name }, body: { key: privateKey } })
  return name
}

/** A line of the administrator's key: from behind the middle, where neither RSA keys nor others have anything public. */
export const administratorsLine = (bench: Bench): string => {
  const lines = (bench.backend('sshd').extra.adminKey ?? '').trim().split('\n').slice(1, -1)
  return lines[Math.floor(lines.length * 0.6)] ?? bench.blocked('the key of the administrator is not known', 'give extra.adminKey')
}

/** Parameters of a role that installs keys for the host's administrator, with a key that the host knows. */
export const dynamicFields = async (bench: Bench, fields: JsonObject = {}): Promise<JsonObject> => {
  const { username, targetHost, targetPort } = bench.backend('sshd')
  return {
    key_type: 'dynamic',
    key: typeof fields.key === 'string' ? fields.key : await registeredKey(bench),
    admin_user: username,
    default_user: username,
    cidr_list: `${targetHost}/32`,
    port: targetPort,
    key_bits: 2048,
    ...fields,
  }
}

export const dynamicRole = async (bench: Bench, fields: JsonObject = {}): Promise<string> =>
  roleWith(bench, await dynamicFields(bench, fields))

// Install scripts need not allow for one another: two that rewrite the same file at once may lose a line. By host and for the whole
// process: checks of several runs share it.
const installing = new Map<string, Promise<unknown>>()
const alone = <T>(bench: Bench, work: () => Promise<T>): Promise<T> => {
  const { host, port } = bench.backend('sshd')
  const turn = (installing.get(`${host}:${port}`) ?? Promise.resolve()).then(work)
  installing.set(
    `${host}:${port}`,
    turn.catch(() => undefined),
  )
  return turn
}

const leaseOf = (answer: Answer): string => String((answer.body as JsonObject | undefined)?.lease_id ?? '')

/** Ends a credential, which takes its key off the host. */
export const endCredential = (bench: Bench, answer: Answer): Promise<void> => alone(bench, () => bench.leases.revoke(leaseOf(answer)))

/** Asks for a credential for the host; what is issued ends with the check. */
export const askForKey = async (bench: Bench, name: string, body: JsonObject = {}): Promise<Answer> => {
  const ip = bench.backend('sshd').targetHost
  const answer = await alone(bench, () => bench.call('ssh.createCredential', { path: { name }, body: { ip, ...body } }))
  if (typeof answer.data.key === 'string') bench.secret(answer.data.key)
  if (answer.ok && leaseOf(answer) !== '') bench.defer(() => endCredential(bench, answer).catch(() => undefined))
  return answer
}

/** The key of a credential, with its public half. */
export const issuedPair = (answer: Answer): SshKeyPair => sshOracle.keyPairOf(String(answer.data.key))

/** Tries a session on the host, and counts it. */
export const login = (bench: Bench, key: { privateKey: string; certificate?: string; command?: string }) => {
  bench.count('sshd logins')
  return sshOracle.login(bench.backend('sshd'), key)
}

/** Gives the mount a CA that no other check has, made by the target; returns its public key. */
export const withNewCa = async (bench: Bench): Promise<string> => {
  await bench.given('ssh.writeCa', { body: { generate_signing_key: true } })
  return String((await bench.given('ssh.readCa')).data.public_key).trim()
}

/** Makes the host trust a CA for principals until the check ends. */
export const trusted = async (bench: Bench, ca: string, principals: string[]): Promise<void> => {
  bench.defer(await sshOracle.trustCa(bench.backend('sshd'), ca, principals))
}

/** Asks for a certificate of a key that is valid by the host's clock; returns its line. */
export const certificateLine = async (bench: Bench, role: string, pair: SshKeyPair, body: JsonObject): Promise<string> => {
  const { data } = await bench.given('ssh.signKey', { path: { name: role }, body: { public_key: pair.publicKey, ...body } })
  const line = String(data.signed_key)
  // One that cannot be read is for the host to refuse.
  const certificate = await sshOracle.readCertificate(line).catch(() => undefined)
  if (certificate !== undefined) await validHere(bench, certificate.validAfter, certificate.validBefore)
  return line
}
