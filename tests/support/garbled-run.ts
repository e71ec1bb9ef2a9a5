/** Certifies the reference server through a proxy that garbles its answers, and collects all that the run leaves and says. */
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { namedInConfiguration } from '../../harness/backends/addresses.ts'
import { startBackends } from '../../harness/backends/chain.ts'
import { siteOf } from '../../harness/cli/contract-contents.ts'
import { operatorSettings, startEmbedded } from '../../harness/cli/embedded.ts'
import { loadContract } from '../../harness/contract/load.ts'
import { addSettings, serverSettingsOf } from '../../harness/running/server-settings.ts'
import { comparisonOf, differenceOf, renderComparePage, renderContractSite, renderDiffPage } from '../../reports/index.ts'
import type { Results } from '../../specs/meta/results.ts'
import { backendJournal } from './backend-journal.ts'
import { assay, temporaryFolder } from './cli.ts'
import { mutatingProxy } from './mutating-proxy.ts'

export interface Group {
  /** Systems that the server has to be told of before it starts. */
  backends?: string[]
  /** Patterns of the checks that are run, by engine, and the fewest secrets that have to pass in requests and answers below its routes. */
  engines: Record<string, { checks: string[]; secrets: number }>
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

const backends = backendJournal()

// Read once for all groups.
const contract = await loadContract()
const site = await siteOf(contract)

/** What other commands make of the results. */
const pagesOf = (text: string): Record<string, string> => {
  if (text === '') return {}
  const results = JSON.parse(text) as Results
  const other = { ...results, target: { ...results.target, name: 'another' } }
  return {
    'compare.html': renderComparePage(comparisonOf([{ results }, { results: other }])),
    'diff.html': renderDiffPage(differenceOf(other, results)),
    ...Object.fromEntries([...renderContractSite(site, results)].map(([name, page]) => [`contract/${name}`, page])),
  }
}

/** Runs a group through the proxy; all that the run has left and said, by name. */
export const certifyThroughProxy = async ({ engines, backends: told = [] }: Group) => {
  const embedded = await startEmbedded(contract)
  const { handles, stop } = await startBackends(told, {
    external: {},
    journal: backends,
    onProgress: () => undefined,
    signal: new AbortController().signal,
  })
  await embedded.reference.operate(operatorSettings(serverSettingsOf(handles)))
  const proxy = await mutatingProxy(embedded.reference.url)
  const folder = temporaryFolder()
  addSettings(embedded.config, serverSettingsOf(handles))
  const targets = embedded.config.targets
    .map(({ api, identities, provisioner, settings, engines: all }) => ({
      api,
      backends: Object.fromEntries(Object.entries(handles).map(([backend, handle]) => [backend, namedInConfiguration(handle)])),
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
    Object.assign(artefacts, pagesOf(artefacts['results.json'] ?? ''))
    return { ran, artefacts, proxy, root: embedded.rootToken }
  } finally {
    clearInterval(reading)
    await proxy.close()
    await embedded.reference.close()
    await stop()
  }
}
