/**
 * Independent readers judge every certificate, path and CRL: all must read it, and read the same. @peculiar/x509 and node:crypto are there
 * always, the `openssl` command is a third one where it is installed.
 */

import { isDeepStrictEqual } from 'node:util'
import { AssertionFailure } from '../base/errors.ts'
import { opensslCrl, opensslFacts, opensslProblem } from './openssl.ts'
import { hasOpenssl } from './openssl-process.ts'
import { crlFactsOf, factsOf, signedByIssuer } from './x509.ts'
import type { CertificateFacts, SharedFacts } from './x509-facts.ts'
import { nodeFacts } from './x509-node.ts'
import { nodeCrl, nodePathProblem } from './x509-node-trust.ts'

interface Counter {
  count(what: string, by?: number): void
}

const FIRST = '@peculiar/x509'

/** The other judges on this machine: what they say is compared with what the first one does. */
interface Judge {
  name: string
  facts(pem: string): SharedFacts | Promise<SharedFacts>
  /** Undefined where the path holds. */
  pathProblem(leaf: string, chain: string[]): string | undefined | Promise<string | undefined>
  /** `verified` is undefined for an algorithm that the judge does not know. */
  crl(pem: string, ca: string): Crl | Promise<Crl>
}

interface Crl {
  serials: string[]
  verified: boolean | undefined
}

const NODE: Judge = { name: 'node:crypto', facts: nodeFacts, pathProblem: nodePathProblem, crl: nodeCrl }

const OPENSSL: Judge = {
  name: 'openssl',
  facts: opensslFacts,
  pathProblem: (leaf, chain) => opensslProblem(leaf, chain.slice(0, -1), chain.at(-1)!),
  crl: opensslCrl,
}

const others = (): Judge[] => (hasOpenssl() ? [NODE, OPENSSL] : [NODE])

const names = (): string => {
  const all = [FIRST, ...others().map(({ name }) => name)]
  return `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const readOrFail = async <T>(reader: string, what: string, read: () => T | Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (cause) {
    throw new AssertionFailure(
      `${reader} cannot read the ${what}: ${messageOf(cause)}`,
      `a ${what} that every reader reads`,
      messageOf(cause),
    )
  }
}

const sorted = (values: string[]): string[] => [...values].sort()

const inOrder = <T extends Pick<SharedFacts, 'dns' | 'email' | 'ip' | 'uri'>>(facts: T): T => ({
  ...facts,
  dns: sorted(facts.dns),
  email: sorted(facts.email),
  ip: sorted(facts.ip),
  uri: sorted(facts.uri),
})

const sharedOf = (facts: CertificateFacts): SharedFacts => ({
  serial: facts.serial,
  notBefore: facts.notBefore,
  notAfter: facts.notAfter,
  dns: facts.dns,
  email: facts.email,
  ip: facts.ip,
  uri: facts.uri,
  otherNames: facts.other.length,
  basicConstraints: facts.basicConstraints,
  keyUsage: facts.keyUsage,
  extendedKeyUsages: facts.extendedKeyUsage.length,
})

/**
 * Reads a PEM certificate with every reader.
 * @returns what it says
 * @throws AssertionFailure where one of them cannot read it, or they disagree
 */
export const judgeCertificate = async (bench: Counter, pem: string): Promise<CertificateFacts> => {
  const facts = await readOrFail(FIRST, 'certificate', () => factsOf(pem))
  const mine = inOrder(sharedOf(facts))
  for (const judge of others()) {
    const theirs = inOrder(await readOrFail(judge.name, 'certificate', () => judge.facts(pem)))
    for (const field of Object.keys(mine) as (keyof SharedFacts)[]) {
      if (!isDeepStrictEqual(mine[field], theirs[field]))
        throw new AssertionFailure(`${FIRST} and ${judge.name} disagree on ${field} of the certificate`, mine[field], theirs[field])
    }
  }
  bench.count(`certificates read alike by ${names()}`)
  return facts
}

/**
 * Verifies a path with every judge: signatures and issuers link by link, and the path building of those who have it.
 * @param chain PEM certificates from the leaf's issuer up to the root, which is trusted; an intermediate CA will do for a root
 * @returns undefined where the path holds, else why it does not
 * @throws AssertionFailure where a judge accepts what the first one does not
 */
export const pathProblem = async (bench: Counter, leaf: string, chain: string[]): Promise<string | undefined> => {
  const links = [leaf, ...chain]
  const signed = await Promise.all(chain.map((issuer, at) => readOrFail(FIRST, 'chain', () => signedByIssuer(links[at]!, issuer))))
  for (const judge of others()) {
    const problem = await readOrFail(judge.name, 'chain', () => judge.pathProblem(leaf, chain))
    if (problem !== undefined) return problem
    if (!signed.every(Boolean)) throw new AssertionFailure(`${judge.name} verifies the chain, ${FIRST} does not`, 'agreement', signed)
  }
  bench.count(`chains verified by ${names()}`)
  return undefined
}

/**
 * Reads a PEM CRL with every reader and verifies its signature under the CA.
 * @returns serial numbers (lower-case hexadecimal) and time of issue in seconds since the epoch
 */
export const judgeCrl = async (
  bench: Counter,
  pem: string,
  ca: string,
): Promise<{ serials: string[]; thisUpdate: number; verified: boolean }> => {
  const mine = await readOrFail(FIRST, 'CRL', () => crlFactsOf(pem, ca))
  let verified = mine.verified ?? true
  for (const judge of others()) {
    const theirs = await readOrFail(judge.name, 'CRL', () => judge.crl(pem, ca))
    if (!isDeepStrictEqual(sorted(mine.serials), sorted(theirs.serials)))
      throw new AssertionFailure(`${FIRST} and ${judge.name} disagree on the entries of the CRL`, mine.serials, theirs.serials)
    verified &&= theirs.verified ?? true
  }
  bench.count(`CRLs read alike by ${names()}`)
  return { serials: mine.serials, thisUpdate: mine.thisUpdate, verified }
}
