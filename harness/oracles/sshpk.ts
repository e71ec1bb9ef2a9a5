/** sshpk, typed: its formats include one that its published types do not know. It is loaded when a key or certificate is first read. */
import { createRequire } from 'node:module'

type Library = typeof import('sshpk')
type Formats = 'openssh' | 'ssh' | 'pem' | 'pkcs1' | 'pkcs8' | 'auto' | 'ssh-private' | 'x509'
type Known = Parameters<Library['parseKey']>[1]

let loaded: Library | undefined
const library = (): Library => {
  loaded ??= createRequire(import.meta.url)('sshpk') as Library
  return loaded
}

export const sshpk = {
  parseCertificate: (text: string, format: Formats) =>
    library().parseCertificate(text, format as Parameters<Library['parseCertificate']>[1]),
  parseKey: (text: string, format: Formats) => library().parseKey(text, format as Known),
  parsePrivateKey: (text: string, format: Formats) => library().parsePrivateKey(text, format as Parameters<Library['parsePrivateKey']>[1]),
}
