/** No secret in any artefact, of a server that gives its secrets away in every way. */
import { expect, test } from 'vitest'
import type { Results } from '../specs/meta/results.ts'
import { mutations } from './support/garbled-answers.ts'
import { certifyThroughProxy, type Group } from './support/garbled-run.ts'
import { traces } from './support/secret-search.ts'

/** Checks through which every secret of an engine passes, in requests as well as answers. */
const GROUPS: Record<string, Group> = {
  'keys, one-time passwords, modules and tweaks': {
    backends: ['clouds', 'softhsm'],
    engines: {
      ssh: {
        checks: [
          'otp-*',
          'verify-*',
          'dynamic-credential-values',
          'dynamic-key-opens',
          'key-register',
          'ca-generate',
          'ca-supplied',
          'ca-replace',
        ],
        secrets: 30,
      },
      pki: {
        checks: ['issued-*', 'format-*', 'key-forms', 'keys-new', 'root-exported', 'handshake', 'config-ca*', 'many-names'],
        secrets: 30,
      },
      cloudc: { checks: ['config', 'credentials-hidden', 'token-*', 'key-chosen', 'rotate-key', 'lease-revoke'], secrets: 5 },
      'managed-keys': {
        checks: ['pkcs11-created', '*-secret', 'pin-redacted', 'wrong-pin', 'signs', 'name-freed'],
        secrets: 5,
      },
      transform: {
        checks: ['tweak-*', 'batch-*', 'generated', 'supplied-missing', 'tweaks-differ', 'token-round-trip', 'format', 'masked'],
        secrets: 5,
      },
    },
  },
  'database, broker, stored values, tokens and runs': {
    engines: {
      database: {
        checks: ['*/creds', '*/creds-*', '*/static-creds', '*/rotation-by-hand', '*/url-*', '*/connection-*', '*/reset'],
        secrets: 20,
      },
      broker: { checks: ['creds*', 'connection*', 'tags', 'vhost-rights', 'role-round-trip', 'model'], secrets: 10 },
      kv: {
        checks: ['v*-stores', 'v*-reads-back', 'v*-values', 'list-hides-values', 'metadata-hides-values', 'v*-callers-model'],
        secrets: 5,
      },
      core: {
        checks: [
          '*bearer*',
          '*token*',
          'refused-read-shows-nothing',
          'help-hides-values',
          'namespace-tokens',
          'stranger-reads*',
          'writer-*',
        ],
        secrets: 5,
      },
      'agent-tokens': { checks: ['create*', 'secret*', 'live-bearer', 'destroyed-bearer', 'show', 'list', 'model'], secrets: 20 },
      'policy-checks': { checks: ['no-bearer', 'unknown-bearer', 'show', 'list', 'override*'], secrets: 1 },
    },
  },
}

const ARTEFACTS = [
  'standard output',
  'standard error',
  'journal',
  'results.json',
  'report.html',
  'history.html',
  'junit.xml',
  'report.sarif',
  'summary.md',
  'annotations.txt',
  'gl-code-quality-report.json',
  'results.tap',
  'metrics.prom',
  'badge.json',
  'statement.dsse.json',
  'compare.html',
  'diff.html',
  'contract/index.html',
]

test.each(Object.keys(GROUPS))(
  'a server that garbles every answer with a secret leads to no artefact that holds one: %s',
  { timeout: 600_000 },
  async (name) => {
    const group = GROUPS[name]!
    const { ran, artefacts, proxy, root } = await certifyThroughProxy(group)
    // Garbled answers violate clauses, or keep others from being decided.
    expect([1, 3], ran.stderr.slice(-2_000)).toContain(ran.code)
    for (const artefact of ARTEFACTS) expect(artefacts[artefact]?.length ?? 0, artefact).toBeGreaterThan(0)
    const { checks, backends: found } = JSON.parse(artefacts['results.json']!) as Results
    expect(checks.filter(({ reason }) => reason?.includes('longest time') === true)).toEqual([])
    // Without the systems behind an engine fewer secrets pass, or none; those that passed are still searched for.
    if (found.every(({ provider }) => provider !== 'none')) {
      for (const mutation of Object.keys(mutations)) expect(proxy.applied.get(mutation) ?? 0, mutation).toBeGreaterThan(0)
      for (const [engine, { secrets }] of Object.entries(group.engines))
        expect(proxy.secrets.get(engine)?.size ?? 0, `secrets of ${engine}`).toBeGreaterThanOrEqual(secrets)
    }
    expect(ran.all).not.toContain('after its longest time')
    const values = new Set([root, ...[...proxy.secrets.values()].flatMap((passed) => [...passed])])
    expect(traces(artefacts, [...values])).toEqual([])
  },
)
