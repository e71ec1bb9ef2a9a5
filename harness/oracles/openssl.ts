/** Reads and verifies certificates and CRLs with the `openssl` command. Certificates that wait together are read by one process. */
import { materialFile, openssl } from './openssl-process.ts'
import { plainAddress } from './x509.ts'
import { KEY_USAGE_NAMES, type SharedFacts } from './x509-facts.ts'

const PRINTED_USAGES = [
  'Digital Signature',
  'Non Repudiation',
  'Key Encipherment',
  'Data Encipherment',
  'Key Agreement',
  'Certificate Sign',
  'CRL Sign',
  'Encipher Only',
  'Decipher Only',
]

/** The line after the title of an extension. */
const extensionLine = (text: string, title: string): string | undefined =>
  new RegExp(`X509v3 ${title}:.*\\n\\s*(.*)`).exec(text)?.[1]?.trim()

const timeAfter = (text: string, title: string): number => Date.parse(new RegExp(`${title}\\s*: (.*)`).exec(text)?.[1] ?? '') / 1000

const serialIn = (text: string): string => {
  const match = /Serial Number:\s*(?:(-?\d+) \(0x([0-9a-f]+)\)|([0-9a-f:]+))/.exec(text)
  return (match?.[2] ?? match?.[3]?.replaceAll(':', '') ?? '').toLowerCase().replace(/^0+(?=.)/, '')
}

/** Reads the text form of one certificate. */
const readPrinted = (text: string): SharedFacts => {
  const names = extensionLine(text, 'Subject Alternative Name')?.split(', ') ?? []
  const ofKind = (label: string): string[] =>
    names.filter((name) => name.startsWith(`${label}:`)).map((name) => name.slice(label.length + 1))
  const basic = extensionLine(text, 'Basic Constraints')
  const usage = extensionLine(text, 'Key Usage')?.split(', ')
  const limit = /pathlen:(\d+)/.exec(basic ?? '')?.[1]
  return {
    serial: serialIn(text),
    notBefore: timeAfter(text, 'Not Before'),
    notAfter: timeAfter(text, 'Not After '),
    dns: ofKind('DNS'),
    email: ofKind('email'),
    ip: ofKind('IP Address').map((address) => plainAddress(address)),
    uri: ofKind('URI'),
    otherNames: names.filter((name) => name.startsWith('othername:')).length,
    basicConstraints:
      basic === undefined ? undefined : { ca: basic.startsWith('CA:TRUE'), pathLength: limit === undefined ? undefined : Number(limit) },
    keyUsage: usage === undefined ? undefined : KEY_USAGE_NAMES.filter((_, bit) => usage.includes(PRINTED_USAGES[bit]!)),
    extendedKeyUsages: extensionLine(text, 'Extended Key Usage')?.split(', ').length ?? 0,
  }
}

interface Waiting {
  pem: string
  resolve(printed: SharedFacts): void
  reject(cause: unknown): void
}

let queue: Waiting[] = []
let running: Promise<void> | undefined

const readBatch = async (): Promise<void> => {
  const batch = queue
  queue = []
  try {
    const file = await materialFile(batch.map(({ pem }) => pem.trim()).join('\n'))
    const { stdout, stderr } = await openssl('storeutl', '-certs', '-noout', '-text', file)
    const texts = stdout.split(/^\d+: Certificate$/m).slice(1)
    if (texts.length === batch.length) for (const [at, waiting] of batch.entries()) waiting.resolve(readPrinted(texts[at]!))
    else if (batch.length > 1) for (const one of batch) await readAlone(one)
    else batch[0]!.reject(new Error(`openssl cannot read the certificate: ${stderr.trim().slice(0, 300)}`))
  } catch (cause) {
    for (const { reject } of batch) reject(cause)
  }
}

const readAlone = async ({ pem, resolve, reject }: Waiting): Promise<void> => {
  const { code, stdout, stderr } = await openssl('x509', '-noout', '-text', '-in', await materialFile(pem))
  if (code === 0) resolve(readPrinted(stdout))
  else reject(new Error(`openssl cannot read the certificate: ${stderr.trim().slice(0, 300)}`))
}

const drain = async (): Promise<void> => {
  // Certificates of checks that run side by side arrive within moments of each other.
  await new Promise((done) => setTimeout(done, 5))
  while (queue.length > 0) await readBatch()
  running = undefined
}

/** What openssl reads in a certificate. Rejects where it cannot read it. */
export const opensslFacts = (pem: string): Promise<SharedFacts> =>
  new Promise((resolve, reject) => {
    queue.push({ pem, resolve, reject })
    if (running === undefined) running = drain()
  })

/**
 * Whether openssl builds and verifies a path from the certificate to the root, at whatever time: the clock of the one who signed may differ
 * from ours. The root may be an intermediate CA whose own issuer is not at hand. Undefined on success, else its message.
 */
export const opensslProblem = async (leaf: string, between: string[], root: string): Promise<string | undefined> => {
  const untrusted = between.length === 0 ? [] : ['-untrusted', await materialFile(between.join('\n'))]
  const { code, stderr } = await openssl(
    'verify',
    '-no_check_time',
    '-partial_chain',
    '-CAfile',
    await materialFile(root),
    ...untrusted,
    await materialFile(leaf),
  )
  return code === 0 ? undefined : stderr.trim().slice(0, 400)
}

/** Serial numbers on a CRL as openssl reads them, and whether the CA signed it. */
export const opensslCrl = async (pem: string, issuer: string): Promise<{ serials: string[]; verified: boolean }> => {
  const { stdout, stderr } = await openssl('crl', '-noout', '-text', '-in', await materialFile(pem), '-CAfile', await materialFile(issuer))
  const serials = [...stdout.matchAll(/Serial Number: ([0-9A-F]+)/g)].map((match) => match[1]!.toLowerCase().replace(/^0+(?=.)/, ''))
  return { serials, verified: /verify OK/.test(`${stdout}${stderr}`) }
}
