/** The whole page: one file that needs no other, complete without its script. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Results } from '../../specs/meta/results.ts'
import { instant, visible } from '../text.ts'
import { type View, viewOf } from '../view.ts'
import { VERDICT_WORDS } from '../words.ts'
import { Checks, Timing } from './checks.tsx'
import { AllClauses, Blocked, Errored, Observations } from './clauses.tsx'
import { Coverage } from './coverage.tsx'
import { Findings } from './findings.tsx'
import { Text } from './parts.tsx'
import { Proof } from './proof.tsx'
import { SIGNS } from './signs.ts'
import { STYLE } from './style.ts'
import { Deviations, Environment, Leftovers } from './surroundings.tsx'
import { Banner, Engines } from './verdict.tsx'

const SCRIPT = readFileSync(new URL('./client.js', import.meta.url), 'utf8').replaceAll('\r\n', '\n')

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing runs, loads or is sent anywhere but our own style, script and icon, whatever the results hold. */
const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/**
 * Renders the results as one self-contained HTML page.
 * @returns the document as text; about 1 kB per clause
 */
export const renderPage = (results: Results): string =>
  `<!doctype html>\n${renderToString(<Page results={results} view={viewOf(results)} />)}\n`

const Page = ({ results, view }: { results: Results; view: View }): JSX.Element => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={POLICY} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>{`${VERDICT_WORDS[results.verdict].label}: ${visible(results.target.name)} (assay report)`}</title>
      <link rel="icon" href={icon(results)} />
      <style dangerouslySetInnerHTML={{ __html: STYLE }} />
    </head>
    <body>
      <a class="skip" href="#main">
        Skip to the results
      </a>
      <div class="symbols" dangerouslySetInnerHTML={{ __html: SIGNS }} />
      <header class="top">
        <p class="brand">
          <svg viewBox="0 0 24 24" aria-hidden="true">
            <path d="M4 20 12 4l8 16M7.6 14.2h8.8" />
          </svg>
          assay
        </p>
        <p class="top-target">
          <Text of={results.target.name} /> <span>{instant(results.startedAt)}</span>
        </p>
      </header>
      <div class="layout">
        <Contents results={results} view={view} />
        <main id="main" tabIndex={-1}>
          <Banner results={results} view={view} />
          <Leftovers leftovers={results.leftovers} />
          <Engines engines={view.engines} />
          <Findings
            id="violated"
            title="Violated"
            note="Required clauses that do not hold, each with what shows it."
            findings={view.violated}
            seed={results.seed}
          />
          <Blocked groups={view.blocked} />
          <Errored checks={view.errored} />
          <Findings
            id="warned"
            title="Warned"
            note="Advised clauses that do not hold. They do not fail the verdict."
            findings={view.warned}
            seed={results.seed}
          />
          <Deviations deviations={results.deviations} />
          <Findings
            id="known"
            title="Known violations"
            note="Violated clauses whose every failure is a known deviation."
            findings={view.known}
            seed={results.seed}
          />
          <Observations clauses={view.observed} />
          <AllClauses view={view} />
          <Checks checks={results.checks} />
          <Coverage coverage={results.coverage} view={view} />
          <Proof kills={results.kills} variants={results.variants} />
          <Timing results={results} view={view} />
          <Environment results={results} />
          <footer class="end">
            <p class="keys" hidden data-keys>
              <span>
                <kbd>/</kbd> search
              </span>
              <span>
                <kbd>j</kbd> <kbd>k</kbd> next and previous
              </span>
              <span>
                <kbd>e</kbd> open or close all
              </span>
              <span>
                <kbd>Esc</kbd> clear
              </span>
            </p>
            <p>
              Written by assay <Text of={results.assay} /> from results.json, which holds the same facts for programs.
            </p>
          </footer>
        </main>
      </div>
      <script type="module" dangerouslySetInnerHTML={{ __html: SCRIPT }} />
    </body>
  </html>
)

/** Links to the sections that the page has. */
const Contents = ({ results, view }: { results: Results; view: View }): JSX.Element => {
  const blocked = view.blocked.reduce((sum, group) => sum + group.checks.length, 0)
  const entries: [id: string, title: string, count: number | undefined, present: boolean][] = [
    ['verdict', 'Verdict', undefined, true],
    ['leftovers', 'Left behind', results.leftovers.length, results.leftovers.length > 0],
    ['engines', 'Engines', view.engines.length, true],
    ['violated', 'Violated', view.violated.length, view.violated.length > 0],
    ['blocked', 'Blocked', blocked, view.blocked.length > 0],
    ['errored', 'Errored', view.errored.length, view.errored.length > 0],
    ['warned', 'Warned', view.warned.length, view.warned.length > 0],
    ['deviations', 'Deviations', results.deviations.length, results.deviations.length > 0],
    ['known', 'Known violations', view.known.length, view.known.length > 0],
    ['observations', 'Observations', view.observed.length, view.observed.length > 0],
    ['clauses', 'All clauses', view.total.total, true],
    ['checks', 'Checks', results.checks.length, true],
    ['coverage', 'Coverage', undefined, results.coverage.length > 0],
    ['proof', 'Proof', undefined, (results.kills?.length ?? 0) + (results.variants?.length ?? 0) > 0],
    ['timing', 'Timing', undefined, true],
    ['environment', 'Environment', undefined, true],
  ]
  return (
    <nav class="contents" aria-label="Sections">
      <ul>
        {entries
          .filter(([, , , present]) => present)
          .map(([id, title, count]) => (
            <li>
              <a href={`#${id}`}>
                {title}
                {count === undefined ? null : <span>{count}</span>}
              </a>
            </li>
          ))}
      </ul>
    </nav>
  )
}

const ICON_COLOURS: Record<Results['gate'], string> = { passed: '#1b6e43', failed: '#b3261e', incomplete: '#5b4bb0', errored: '#a0246b' }

const icon = (results: Results): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${ICON_COLOURS[results.gate]}"/><path d="M5.5 19 12 5l6.5 14M8.4 14h7.2" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  )}`
