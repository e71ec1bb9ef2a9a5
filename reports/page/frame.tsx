/** The frame of every page: one file that needs no other, complete without its script. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import { createHash } from 'node:crypto'
import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Results } from '../../specs/meta/results.ts'
import { visible } from '../text.ts'
import { SCRIPT } from './script.ts'
import { SIGNS } from './signs.ts'
import { STYLE } from './style.ts'

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

/** An entry of the contents: the section's id, its title, and how much stands in it. */
export type Entry = [id: string, title: string, count?: number]

/** What a page is made of. */
export interface FrameOptions {
  title: string
  /** What the head says at its right end. */
  about: ComponentChildren
  gate: Results['gate']
  entries: Entry[]
  children: ComponentChildren
  /** The last line of the page. */
  end: ComponentChildren
}

/** Renders a page as text. */
export const renderFrame = (options: FrameOptions): string => `<!doctype html>\n${renderToString(<Frame {...options} />)}\n`

const Frame = ({ title, about, gate, entries, children, end }: FrameOptions): JSX.Element => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content={POLICY} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>{visible(title)}</title>
      <link rel="icon" href={icon(gate)} />
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
        <p class="top-target">{about}</p>
      </header>
      <div class="layout">
        <nav class="contents" aria-label="Sections">
          <ul>
            {entries.map(([id, title, count]) => (
              <li>
                <a href={`#${id}`}>
                  {title}
                  {count === undefined ? null : <span>{count}</span>}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="main" tabIndex={-1}>
          {children}
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
            <p>{end}</p>
          </footer>
        </main>
      </div>
      <script type="module" dangerouslySetInnerHTML={{ __html: SCRIPT }} />
    </body>
  </html>
)

const ICON_COLOURS: Record<Results['gate'], string> = { passed: '#1b6e43', failed: '#b3261e', incomplete: '#5b4bb0', errored: '#a0246b' }

const icon = (gate: Results['gate']): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${ICON_COLOURS[gate]}"/><path d="M5.5 19 12 5l6.5 14M8.4 14h7.2" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>`,
  )}`
