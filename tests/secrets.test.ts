/** No secret in any artefact, of a server that gives its secrets away in every way. */
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { siteOf } from '../harness/cli/contract-site.ts'
import { startEmbedded } from '../harness/cli/embedded.ts'
import { loadContract } from '../harness/contract/load.ts'
import { comparisonOf, differenceOf, renderComparePage, renderContractSite, renderDiffPage } from '../reports/index.ts'
import type { Results } from '../specs/meta/results.ts'
import { assay, temporaryFolder } from './support/cli.ts'
import { mutatingProxy, mutations } from './support/mutating-proxy.ts'
import { traces } from './support/secret-search.ts'

interface Group {
  /** Patterns of the checks that are run, by engine, and the fewest secrets that have to pass in requests and answers below its routes. */
  engines: Record<string, { checks: string[]; secrets: number }>
}

/** Checks through which every secret of an engine passes, in requests as well as answers. */
const GROUPS: Record<string, Group> = {
  'keys and one-time passwords': {
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
    },
  },
  'database and broker': {
    engines: {
      database: {
        checks: ['*/creds', '*/creds-*', '*/static-creds', '*/rotation-by-hand', '*/url-*', '*/connection-*', '*/reset'],
        secrets: 20,
      },
      broker: { checks: ['creds*', 'connection*', 'tags', 'vhost-rights', 'role-round-trip', 'model'], secrets: 10 },
    },
  },
  'stored values, tokens and runs': {
    engines: {
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

/** Milliseconds. */
const JOURNAL_EVERY = 100

const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // A journal may go while it is read.
    return ''
  }
}

const textsBelow = (folder: string): Record<string, string> =>
  existsSync(folder)
    ? Object.fromEntries(
        readdirSync(folder, { withFileTypes: true, recursive: true })
          .filter((entry) => entry.isFile())
          .map((entry) => [entry.name, readText(join(entry.parentPath, entry.name))]),
      )
    : {}

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

/** What other commands make of the results. */
const pagesOf = async (text: string): Promise<Record<string, string>> => {
  if (text === '') return {}
  const results = JSON.parse(text) as Results
  const other = { ...results, target: { ...results.target, name: 'another' } }
  const contract = renderContractSite(await siteOf(await loadContract()), results)
  return {
    'compare.html': renderComparePage(comparisonOf([{ results }, { results: other }])),
    'diff.html': renderDiffPage(differenceOf(other, results)),
    ...Object.fromEntries([...contract].map(([name, page]) => [`contract/${name}`, page])),
  }
}

/** Runs a group through the proxy; all that the run has left and said, by name. */
const certifyThroughProxy = async ({ engines }: Group) => {
  const embedded = await startEmbedded(await loadContract(), { tls: false })
  const proxy = await mutatingProxy(embedded.reference.url)
  const folder = temporaryFolder()
  const targets = embedded.config.targets
    .map(({ api, identities, provisioner, settings, engines: all }) => ({
      api,
      url: proxy.url,
      engines: Object.keys(engines).filter((engine) => all?.includes(engine)),
      identities,
      provisioner: provisioner.kind === 'command' ? { kind: 'command', command: `${proxy.url}/control` } : provisioner,
      settings,
    }))
    .filter((target) => target.engines.length > 0)
  writeFileSync(
    join(folder, 'assay.config.json'),
    JSON.stringify({ name: 'garbling', targets, timing: { grace: '1s', timeout: '10s', run: '10m' } }),
  )
  // The journal is gone once the run has removed what it made.
  const journal = new Set<string>()
  const reading = setInterval(() => {
    for (const text of Object.values(textsBelow(join(folder, 'journal')))) for (const line of text.split('\n')) journal.add(line)
  }, JOURNAL_EVERY)
  const patterns = Object.entries(engines).flatMap(([engine, { checks }]) => checks.map((check) => `${engine}/${check}`))
  try {
    const key = join(folder, 'key.pem')
    writeFileSync(key, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }))
    const words = [
      'certify',
      '--effort',
      'quick',
      '--trace',
      '--json',
      '--history',
      'history',
      '--sign',
      key,
      '--check',
      patterns.join(','),
    ]
    const ran = await assay(words, { folder })
    const artefacts: Record<string, string> = {
      'standard output': ran.stdout,
      'standard error': ran.stderr,
      ...textsBelow(join(folder, 'assay-report')),
      journal: [...journal].join('\n'),
    }
    Object.assign(artefacts, await pagesOf(artefacts['results.json'] ?? ''))
    return { ran, artefacts, proxy, root: embedded.rootToken }
  } finally {
    clearInterval(reading)
    await proxy.close()
    await embedded.reference.close()
  }
}

test.each(Object.keys(GROUPS))(
  'a server that garbles every answer with a secret leads to no artefact that holds one: %s',
  { timeout: 600_000 },
  async (name) => {
    const group = GROUPS[name]!
    const { ran, artefacts, proxy, root } = await certifyThroughProxy(group)
    // Garbled answers violate clauses, or keep others from being decided.
    expect([1, 3], ran.stderr.slice(-2_000)).toContain(ran.code)
    for (const artefact of ARTEFACTS) expect(artefacts[artefact]?.length ?? 0, artefact).toBeGreaterThan(0)
    const { checks, backends } = JSON.parse(artefacts['results.json']!) as Results
    expect(checks.filter(({ reason }) => reason?.includes('longest time') === true)).toEqual([])
    // Without the systems behind an engine fewer secrets pass, or none; what passed is searched for all the same.
    if (backends.every(({ provider }) => provider !== 'none')) {
      for (const mutation of Object.keys(mutations)) expect(proxy.applied.get(mutation) ?? 0, mutation).toBeGreaterThan(0)
      for (const [engine, { secrets }] of Object.entries(group.engines))
        expect(proxy.secrets.get(engine)?.size ?? 0, `secrets of ${engine}`).toBeGreaterThanOrEqual(secrets)
    }
    expect(ran.all).not.toContain('after its longest time')
    const values = new Set([root, ...[...proxy.secrets.values()].flatMap((found) => [...found])])
    expect(traces(artefacts, [...values])).toEqual([])
  },
)
