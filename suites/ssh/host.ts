/** The real host behind a check, and certificates that open sessions on it. */
import { type Bench, type JsonObject, type SshKeyPair, sshOracle, validHere } from '../../harness/checks/index.ts'

export const onHost = { needs: { backends: ['sshd'] } }
export const ownMountOnHost = { needs: { mounts: { ssh: { type: 'ssh', exclusive: true } }, backends: ['sshd'] } }

/** Tries a session on the host, and counts it. */
export const login = (bench: Bench, key: { privateKey: string; certificate?: string; user?: string; command?: string }) => {
  bench.count('sshd logins')
  return sshOracle.login(bench.backend('sshd'), key)
}

/** Makes the host trust a CA for principals until the check ends. */
export const trusted = async (bench: Bench, { publicKey }: SshKeyPair, principals: string[]): Promise<void> => {
  bench.defer(await sshOracle.trustCa(bench.backend('sshd'), publicKey, principals))
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
