/** `--sign`: a statement about a run, beside its reports. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { Results } from '../../specs/meta/results.ts'
import { writeWhole } from '../base/whole-file.ts'
import { packageRoot } from '../contract/package-root.ts'
import type { Signer } from '../results/signing-key.ts'
import { digestOf, makeStatement, signStatement } from '../results/statement.ts'

export const STATEMENT_FILE = 'statement.dsse.json'
const HANDSHAKE = 5_000

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

/** Digest of what judges: our code as it runs, the contract and the dialects. */
const packageDigest = () => {
  const isBuilt = fileURLToPath(import.meta.url).includes(`${sep}dist${sep}`)
  const folders = isBuilt
    ? ['dist', 'specs', 'dialects', 'profiles']
    : ['harness', 'suites', 'reports', 'reference', 'specs', 'dialects', 'profiles']
  const files = [join(packageRoot, 'package.json'), ...folders.flatMap((folder) => filesBelow(join(packageRoot, folder)))]
  return digestOf(JSON.stringify(files.map((file) => [file.slice(packageRoot.length + 1), digestOf(readFileSync(file)).sha256])))
}

/** SHA-256 fingerprint of the certificate that a server shows; undefined where none can be had. */
const fingerprintOf = ({ hostname, port }: URL): Promise<string | undefined> =>
  new Promise((done) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    // Which certificate it is is noted, not whether it is to be trusted: the run has seen to that.
    const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, timeout: HANDSHAKE })
    const end = (fingerprint?: string) => {
      socket.destroy()
      done(fingerprint)
    }
    socket.once('secureConnect', () => end(socket.getPeerCertificate().fingerprint256))
    socket.once('error', () => end())
    socket.once('timeout', () => end())
  })

const certificatesOf = async ({ target }: Results): Promise<Record<string, string>> => {
  const origins = [...new Set(target.apis.map(({ url }) => new URL(url).origin))].filter((origin) => origin.startsWith('https:'))
  const found = await Promise.all(origins.map(async (origin) => [origin, await fingerprintOf(new URL(origin))] as const))
  return Object.fromEntries(found.filter((one): one is [string, string] => one[1] !== undefined))
}

/** Writes the signed statement about results and the files that were written of them. */
export const writeStatement = async (results: Results, files: readonly string[], signer: Signer): Promise<void> => {
  const folder = dirname(files[0]!)
  const artefacts = Object.fromEntries(files.map((file) => [relative(folder, file).replaceAll(sep, '/'), readFileSync(file)]))
  const statement = makeStatement(results, artefacts, { package: packageDigest(), certificates: await certificatesOf(results) })
  writeWhole(join(folder, STATEMENT_FILE), await signStatement(statement, signer))
}
