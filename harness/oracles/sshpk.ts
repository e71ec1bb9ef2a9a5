/** sshpk, typed: its formats include one that its published types do not know. */
import library from 'sshpk'

type Formats = 'openssh' | 'ssh' | 'pem' | 'pkcs1' | 'pkcs8' | 'auto' | 'ssh-private' | 'x509'

export const sshpk = library as unknown as Omit<typeof library, 'parseCertificate' | 'parseKey' | 'parsePrivateKey'> & {
  parseCertificate(text: string, format: Formats): import('sshpk').Certificate
  parseKey(text: string, format: Formats): import('sshpk').Key
  parsePrivateKey(text: string, format: Formats): import('sshpk').PrivateKey
}
