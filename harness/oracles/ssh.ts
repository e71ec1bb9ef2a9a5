/** Everything that judges SSH keys, certificates and logins. */
import { isSignedBy, readSshCertificate } from './ssh-certificate.ts'
import { sshKeyFacts, sshKeyPair, sshKeyPairOf, sshRsaKeyPair } from './ssh-keys.ts'
import { hostCertificateAccepted, onSshHost, sshLogin, trustCa } from './ssh-login.ts'

export type { SshCertificate } from './ssh-certificate-reader.ts'
export type { SshKeyPair } from './ssh-keys.ts'

export const sshOracle = {
  readCertificate: readSshCertificate,
  isSignedBy,
  keyPair: sshKeyPair,
  keyPairOf: sshKeyPairOf,
  rsaKeyPair: sshRsaKeyPair,
  keyFacts: sshKeyFacts,
  login: sshLogin,
  onHost: onSshHost,
  trustCa,
  hostCertificateAccepted,
}
