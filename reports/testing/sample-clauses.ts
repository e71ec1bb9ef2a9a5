/** Sample clauses and operations: enough engines, levels and outcomes to fill every section of a report. */
import type { ClauseOutcome, ClauseResult, Level, OperationCoverage } from '../../specs/meta/results.ts'

type Row = [topic: string, text: string, section: string, level?: Level, outcome?: ClauseOutcome]

export const SAMPLE_ENGINES = [
  { id: 'core', title: 'Core conventions', document: '000_core.txt', source: 'Secrets service' },
  { id: 'kv', title: 'Key-value storage', document: '000_core.txt', source: 'Secrets service' },
  { id: 'ssh', title: 'SSH credentials', document: '000_core.txt', source: 'Secrets service' },
  { id: 'database', title: 'Database credentials', document: '001_engines.txt', source: 'Secrets service (document 2)' },
  { id: 'agent-tokens', title: 'Agent tokens', document: '002_runs.txt', source: 'Run-management API' },
] as const

const ROWS: Record<string, Row[]> = {
  core: [
    ['PREFIX', 'Every path of the API begins with the version prefix.', '1'],
    ['TOKEN', 'A request without a token is refused and has no effect.', '2.1'],
    ['TOKEN', 'A token that was never issued is answered with 403.', '2.1'],
    ['TOKEN', 'The bearer header carries the token as well as the service header does.', '2.1'],
    ['TOKEN', 'A refusal for want of a token is answered with exactly 403.', '2.1', 'advised', 'warned'],
    ['METHOD', 'PUT does on every write operation what POST does.', '2.3'],
    ['METHOD', 'LIST answers on every listing what GET with list=true answers.', '2.3', 'required', 'violated'],
    ['METHOD', 'A method that no row names on a known path is answered with 405.', '2.3'],
    ['ERROR', 'An error body holds an array of strings under errors.', '2.6', 'required', 'violated'],
    ['ERROR', 'An unknown path is answered with 404.', '2.6'],
    ['ERROR', 'A health endpoint tells a sealed server by its status.', '2.6', 'open', 'observed'],
    ['SIZE', 'A request body of 32 MB is accepted.', '2.7', 'required', 'blocked'],
    ['SIZE', 'A request body above 32 MB is refused.', '2.7', 'required', 'blocked'],
    ['NAMESPACE', 'The header and the path name the same namespace.', '3.2'],
    ['NAMESPACE', 'An object of one namespace is not visible from another.', '3.2'],
    ['NAMESPACE', 'A namespace header without its trailing slash is accepted or refused.', '3.2', 'open', 'observed'],
    ['HELP', 'A help request answers a text and a description of the paths.', '3.4'],
    ['PERIOD', 'A trailing period in a named path parameter is answered with 404.', '3.5'],
    ['HEADER', 'The request header is set by the client libraries only.', '3.6', 'advised', 'excluded'],
  ],
  kv: [
    ['READ', 'A value that was written is read back unchanged.', '4.1'],
    ['READ', 'Reading an absent key is answered with 404.', '4.1'],
    ['WRITE', 'A write replaces the stored object as a whole.', '4.1', 'required', 'violated'],
    ['LIST', 'A listing shows keys and directories, the latter with a trailing slash.', '4.1'],
    ['LIST', 'Listing a leaf is answered in one of several ways.', '4.1', 'open', 'observed'],
    ['VERSION', 'A read with a version answers that version.', '4.2'],
    ['VERSION', 'A deleted version is hidden and can be restored.', '4.2'],
    ['VERSION', 'A destroyed version cannot be restored.', '4.2'],
    ['CAS', 'A write with a stale check-and-set value is refused.', '4.2'],
    ['META', 'Metadata names the oldest and the current version.', '4.2', 'advised'],
    ['RACE', 'Concurrent writes to one key leave one of the written objects.', '4.2', 'advised', 'warned'],
  ],
  ssh: [
    ['ROLE', 'A role without a default user is refused for one-time passwords.', '4.4'],
    ['ROLE', 'The port of a role is 22 where none is given.', '4.4'],
    ['CREDS', 'An address outside the role’s blocks gets no credential.', '4.4'],
    ['VERIFY', 'A one-time password answers the user and the address it was made for.', '4.4'],
    ['VERIFY', 'A one-time password is accepted once.', '4.4 POST /ssh/verify', 'required', 'violated'],
    ['SIGN', 'A signed certificate never outlives the role’s maximum.', '4.4'],
    ['SIGN', 'A certificate opens a session on a server that trusts the authority.', '4.4', 'required', 'blocked'],
    ['SIGN', 'Requested extensions replace the defaults.', '4.4', 'required', 'errored'],
    ['CA', 'The public key is readable without a token.', '4.4'],
    ['ZERO', 'A zero-address role ignores its address blocks.', '4.4', 'required', 'notExercised'],
  ],
  database: [
    ['CREDS', 'Issued credentials log in to the database.', '2.1', 'required', 'notClaimed'],
    ['CREDS', 'Credentials of a revoked lease no longer log in.', '2.1', 'required', 'notClaimed'],
    ['ROLE', 'The default lease time of a role is given in seconds.', '2.2', 'required', 'notClaimed'],
    ['STATIC', 'The last rotation is an RFC 3339 time.', '2.3', 'required', 'notClaimed'],
  ],
  'agent-tokens': [
    ['CREATE', 'The token is present in the answer to its creation.', '3.2'],
    ['CREATE', 'A missing description is answered with 422.', '3.2'],
    ['READ', 'A token read later has no value.', '3.3'],
    ['LIST', 'A page holds at most the requested number of items.', '3.3'],
    ['DELETE', 'A deleted token is answered with 404.', '3.4'],
  ],
}

const READINGS: Partial<Record<ClauseOutcome, string>> = {
  violated: 'The document states it for every operation; nothing limits it to some.',
  observed: 'The document is silent: either answer is right, and what was seen is recorded.',
  blocked: 'A configured limit wins over the stated one.',
}

/** Clauses of all sample engines; `extra` verified ones are added to the first engine. */
export const sampleClauses = (extra = 0): ClauseResult[] => {
  const clauses = SAMPLE_ENGINES.flatMap((engine) => {
    const seen = new Map<string, number>()
    return (ROWS[engine.id] ?? []).map(([topic, text, section, level = 'required', outcome = 'verified']): ClauseResult => {
      const number = (seen.get(topic) ?? 0) + 1
      seen.set(topic, number)
      const id = `${engine.id.toUpperCase()}-${topic}-${String(number).padStart(2, '0')}`
      const reading = READINGS[outcome]
      return {
        id,
        engine: engine.id,
        level,
        text,
        source: { document: engine.document, title: engine.source, section },
        ...(reading ? { reading } : {}),
        outcome,
        checks: outcome === 'excluded' ? [] : [`${engine.id}/${topic.toLowerCase()}-${number}`],
        ...(outcome === 'excluded' ? { reason: 'says what clients do, not what the server does' } : {}),
        ...(outcome === 'notClaimed' ? { reason: 'no PostgreSQL server could be had on this machine' } : {}),
        ...(outcome === 'observed'
          ? { observations: ['answers 200 with the keys below it', 'answers the same with a trailing slash'] }
          : {}),
        ...(outcome === 'violated'
          ? {
              reproduction: {
                check: `${engine.id}/${topic.toLowerCase()}-${number}`,
                har: `evidence/${id}.har`,
                script: `evidence/${id}.sh`,
                again: 3,
                of: 3,
                said: '3 of 3',
              },
            }
          : {}),
      }
    })
  })
  for (let n = 1; n <= extra; n += 1) {
    clauses.push({
      ...clauses[0]!,
      id: `CORE-EXTRA-${n}`,
      text: `A sample statement about field number ${n} of an answer.`,
      checks: ['core/extra'],
    })
  }
  return clauses
}

/** Coverage of a few operations; one was never called. */
export const sampleCoverage = (): OperationCoverage[] => [
  { operation: 'core.readHealth', engine: 'core', method: 'GET', path: '/sys/health', requests: 14, statuses: { '200': 12, '503': 2 } },
  {
    operation: 'kv1.readSecret',
    engine: 'kv',
    method: 'GET',
    path: '/{mount}/{path}',
    requests: 412,
    statuses: { '200': 301, '403': 44, '404': 67 },
  },
  {
    operation: 'kv1.writeSecret',
    engine: 'kv',
    method: 'POST',
    path: '/{mount}/{path}',
    requests: 598,
    statuses: { '204': 540, '400': 39, '403': 19 },
  },
  {
    operation: 'kv2.destroyVersions',
    engine: 'kv',
    method: 'POST',
    path: '/{mount}/destroy/{path}',
    requests: 36,
    statuses: { '204': 36 },
  },
  { operation: 'ssh.verifyOtp', engine: 'ssh', method: 'POST', path: '/{mount}/verify', requests: 22, statuses: { '200': 18, '400': 4 } },
  { operation: 'ssh.configureZeroAddress', engine: 'ssh', method: 'POST', path: '/{mount}/config/zeroaddress', requests: 0, statuses: {} },
  {
    operation: 'agent-tokens.createToken',
    engine: 'agent-tokens',
    method: 'POST',
    path: '/agent-pools/{pool}/tokens',
    requests: 25,
    statuses: { '201': 19, '422': 6 },
  },
]
