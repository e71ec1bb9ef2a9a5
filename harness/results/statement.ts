/** A signed statement about a run: an in-toto statement in a DSSE envelope, which binds the results to the suite, the target and every artefact. */
import { createHash } from 'node:crypto'
import { dsse } from '@sigstore/core'
import type { ProfileRecord, Results } from '../../specs/meta/results.ts'
import type { Signer } from './signing-key.ts'

const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
const PREDICATE_TYPE = 'https://assay.example/certification/v1'

interface Digest {
  sha256: string
}

/** What a statement says beside the digests of the artefacts. */
interface Certification {
  suite: { version: string; package: Digest; clauses: Digest }
  target: { name: string; apis: Results['target']['apis']; server?: string; certificates: Record<string, string>; configuration: Digest }
  run: { name: string; seed: number; effort: string; startedAt: string; finishedAt: string }
  verdict: Results['verdict']
  gate: Results['gate']
  /** What the run certifies the target for, where it was made for a profile. */
  profile?: { name: string; digest: Digest; certified: boolean }
  deviations: Results['deviations']
}

export interface Statement {
  _type: string
  subject: { name: string; digest: Digest }[]
  predicateType: string
  predicate: Certification
}

interface Envelope {
  payloadType: string
  payload: string
  signatures: { keyid: string; sig: string }[]
}

export const digestOf = (bytes: string | Uint8Array): Digest => ({ sha256: createHash('sha256').update(bytes).digest('hex') })

const clausesOf = ({ clauses }: Results): string =>
  JSON.stringify(clauses.map(({ id, engine, level, text }) => [id, engine, level, text]).sort())

const configurationOf = ({ target, scope, seed, effort, failOn, environment }: Results): string =>
  JSON.stringify([target.name, target.apis, scope, seed, effort, failOn, environment.command])

const profileIn = ({ name, digest, certified }: ProfileRecord) => ({ name, digest: { sha256: digest }, certified: certified.holds })

/** What of a statement follows from the results alone. */
const fromResults = (results: Results) => ({
  target: { name: results.target.name, apis: results.target.apis, configuration: digestOf(configurationOf(results)) },
  run: {
    name: results.run,
    seed: results.seed,
    effort: results.effort,
    startedAt: results.startedAt,
    finishedAt: results.finishedAt,
  },
  verdict: results.verdict,
  gate: results.gate,
  ...(results.profile === undefined ? {} : { profile: profileIn(results.profile) }),
  deviations: results.deviations,
})

/**
 * Makes a statement.
 *
 * @param artefacts bytes by file name.
 * @param facts digest of the installed suite, and SHA-256 fingerprints of the certificates that the target showed, by origin.
 */
export const makeStatement = (
  results: Results,
  artefacts: Readonly<Record<string, Uint8Array>>,
  facts: { package: Digest; certificates: Record<string, string> },
): Statement => {
  const { target, ...rest } = fromResults(results)
  const { server } = results.environment
  return {
    _type: STATEMENT_TYPE,
    subject: Object.entries(artefacts).map(([name, bytes]) => ({ name, digest: digestOf(bytes) })),
    predicateType: PREDICATE_TYPE,
    predicate: {
      suite: { version: results.assay, package: facts.package, clauses: digestOf(clausesOf(results)) },
      target: { ...target, ...(server === undefined ? {} : { server }), certificates: facts.certificates },
      ...rest,
    },
  }
}

const written = (envelope: Envelope): string => `${JSON.stringify(envelope)}\n`

/** Signs a statement and gives the envelope as text. */
export const signStatement = async (statement: Statement, signer: Signer): Promise<string> => {
  const payload = Buffer.from(JSON.stringify(statement))
  const sig = await signer.sign(dsse.preAuthEncoding(PAYLOAD_TYPE, payload))
  return written({
    payloadType: PAYLOAD_TYPE,
    payload: payload.toString('base64'),
    signatures: [{ keyid: signer.keyid, sig: sig.toString('base64') }],
  })
}

/** Why a file is not a statement by assay, or was changed: a sentence for the reader. */
export class StatementError extends Error {
  override name = 'StatementError'
}

const envelopeIn = (text: string): Envelope => {
  try {
    const { payloadType, payload, signatures } = JSON.parse(text) as Envelope
    const [{ keyid, sig }] = signatures as [Envelope['signatures'][number]]
    const again = (base64: string) => Buffer.from(base64, 'base64').toString('base64')
    const envelope = { payloadType, payload: again(payload), signatures: [{ keyid, sig: again(sig) }] }
    // Nothing beside what is signed may differ either, white space and ways to spell base64 included.
    if (written(envelope) === text) return envelope
  } catch {
    // Said below: whatever is wrong with it, it is not what was written.
  }
  throw new StatementError('the envelope is not as assay writes it')
}

/**
 * Reads an envelope and checks its signature.
 *
 * @param verifies whether a signature fits the bytes and the key id is the key's.
 * @throws StatementError where it was not signed by this key, or changed since.
 */
export const openStatement = (text: string, verifies: (bytes: Buffer, signature: Buffer, keyid: string) => boolean): Statement => {
  const { payloadType, payload, signatures } = envelopeIn(text)
  const bytes = Buffer.from(payload, 'base64')
  const { keyid, sig } = signatures[0]!
  if (payloadType !== PAYLOAD_TYPE) throw new StatementError(`the envelope holds ${payloadType}, no in-toto statement`)
  if (!verifies(dsse.preAuthEncoding(payloadType, bytes), Buffer.from(sig, 'base64'), keyid))
    throw new StatementError('the signature does not fit: the statement was changed, or signed by another key')
  const statement = JSON.parse(bytes.toString('utf8')) as Statement
  if (statement._type !== STATEMENT_TYPE || statement.predicateType !== PREDICATE_TYPE)
    throw new StatementError(`the statement is one of ${statement.predicateType}, not of a certification`)
  return statement
}

/** Where results say something else than a statement about them; empty where they agree. */
export const disagreements = ({ predicate }: Statement, results: Results): string[] => {
  const { target, ...rest } = fromResults(results)
  const { name, apis, configuration } = predicate.target
  const said: Record<string, [unknown, unknown]> = {
    'set of clauses': [predicate.suite.clauses, digestOf(clausesOf(results))],
    'version of the suite': [predicate.suite.version, results.assay],
    target: [{ name, apis, configuration }, target],
    run: [predicate.run, rest.run],
    verdict: [predicate.verdict, rest.verdict],
    gate: [predicate.gate, rest.gate],
    profile: [predicate.profile, rest.profile],
    'known deviations': [predicate.deviations, rest.deviations],
  }
  return Object.entries(said)
    .filter(([, [one, other]]) => JSON.stringify(one) !== JSON.stringify(other))
    .map(([what]) => `the statement and the results name another ${what}`)
}
