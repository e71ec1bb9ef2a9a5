/** Two independent readers judge every certificate: both must read it, and read the same. */

import { isDeepStrictEqual } from 'node:util'
import { AssertionFailure } from '../base/errors.ts'
import { opensslCrl, opensslFacts, opensslProblem } from './openssl.ts'
import { crlFactsOf, factsOf, signedByIssuer } from './x509.ts'
import type { CertificateFacts } from './x509-facts.ts'

interface Counter {
  count(what: string, by?: number): void
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const readOrFail = async <T>(reader: string, what: string, read: () => T | Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'Blocked') throw cause
    throw new AssertionFailure(
      `${reader} cannot read the ${what}: ${messageOf(cause)}`,
      `a ${what} that both readers read`,
      messageOf(cause),
    )
  }
}

const sorted = (values: string[]): string[] => [...values].sort()

/**
 * Reads a PEM certificate with both readers.
 * @returns what it says
 * @throws AssertionFailure where one of them cannot read it, or they disagree
 */
export const judgeCertificate = async (bench: Counter, pem: string): Promise<CertificateFacts> => {
  const facts = await readOrFail('@peculiar/x509', 'certificate', () => factsOf(pem))
  const printed = await readOrFail('openssl', 'certificate', () => opensslFacts(pem))
  const mine = {
    serial: facts.serial,
    notBefore: facts.notBefore,
    notAfter: facts.notAfter,
    dns: sorted(facts.dns),
    email: sorted(facts.email),
    ip: sorted(facts.ip),
    uri: sorted(facts.uri),
    otherNames: facts.other.length,
    basicConstraints: facts.basicConstraints,
    keyUsage: facts.keyUsage,
    extendedKeyUsages: facts.extendedKeyUsage.length,
  }
  const rest = printed
  const theirs = { ...rest, dns: sorted(rest.dns), email: sorted(rest.email), ip: sorted(rest.ip), uri: sorted(rest.uri) }
  for (const field of Object.keys(mine) as (keyof typeof mine)[]) {
    if (!isDeepStrictEqual(mine[field], theirs[field])) {
      throw new AssertionFailure(`the two readers of the certificate disagree on ${field}`, mine[field], theirs[field])
    }
  }
  bench.count('certificates read alike by @peculiar/x509 and openssl')
  return facts
}

/**
 * Verifies a path with both implementations: signatures and issuers link by link, and openssl's own path building.
 * @param chain PEM certificates from the leaf's issuer up to the root, which is trusted; an intermediate CA will do for a root
 * @returns undefined where the path holds, else why it does not
 * @throws AssertionFailure where the two disagree
 */
export const pathProblem = async (bench: Counter, leaf: string, chain: string[]): Promise<string | undefined> => {
  const links = [leaf, ...chain]
  const signed = await Promise.all(
    chain.map((issuer, at) => readOrFail('@peculiar/x509', 'chain', () => signedByIssuer(links[at]!, issuer))),
  )
  const problem = await opensslProblem(leaf, chain.slice(0, -1), chain.at(-1)!)
  const holds = signed.every(Boolean)
  if (holds && problem === undefined) bench.count('chains verified by @peculiar/x509 and openssl')
  if (!holds && problem === undefined) {
    throw new AssertionFailure('openssl verifies the chain, @peculiar/x509 does not', 'agreement', signed)
  }
  return problem ?? undefined
}

/**
 * Reads a PEM CRL with both readers and verifies its signature under the CA.
 * @returns serial numbers (lower-case hexadecimal) and time of issue in seconds since the epoch
 */
export const judgeCrl = async (
  bench: Counter,
  pem: string,
  ca: string,
): Promise<{ serials: string[]; thisUpdate: number; verified: boolean }> => {
  const mine = await readOrFail('@peculiar/x509', 'CRL', () => crlFactsOf(pem, ca))
  const theirs = await readOrFail('openssl', 'CRL', () => opensslCrl(pem, ca))
  if (!isDeepStrictEqual(sorted(mine.serials), sorted(theirs.serials))) {
    throw new AssertionFailure('the two readers of the CRL disagree on its entries', mine.serials, theirs.serials)
  }
  bench.count('CRLs read alike by @peculiar/x509 and openssl')
  return { serials: mine.serials, thisUpdate: mine.thisUpdate, verified: mine.verified && theirs.verified }
}
