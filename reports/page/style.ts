/** The style of the page, as one text: system fonts only, two colour schemes, narrow, wide and print. */
import { CLAUSE_OUTCOMES } from '../words.ts'
import { LAYOUT } from './style-layout.ts'
import { LISTS } from './style-lists.ts'

const TONES = CLAUSE_OUTCOMES.map(
  (outcome) => `.t-${outcome}{--tone:var(--${outcome})}.f-${outcome}{fill:var(--fill-${outcome});background:var(--fill-${outcome})}`,
).join('\n')

const COLOURS = `
:root {
  color-scheme: light dark;
  --page: #f6f7f7; --sheet: #ffffff; --well: #f3f5f5; --ink: #15191c; --soft: #545d65; --line: #dce1e3; --edge: #c4cbcf; --link: #0b5a80; --focus: #0b6fa4;
  --violated: #b3261e; --errored: #9a2468; --blocked: #5546a8; --warned: #855300; --verified: #17693f; --observed: #28599c;
  --notExercised: #545d65; --notClaimed: #545d65; --excluded: #545d65;
  --fill-violated: #c8372d; --fill-errored: #b8458a; --fill-blocked: #8274d6; --fill-warned: #dc9a1e; --fill-verified: #3a9a68; --fill-observed: #6c9bd8;
  --fill-notExercised: #a5aeb5; --fill-notClaimed: #c6cdd2; --fill-excluded: #dde2e5;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1214; --sheet: #161a1d; --well: #0f1315; --ink: #e6eaec; --soft: #9ba6ae; --line: #293035; --edge: #3b444a; --link: #7cc0e6; --focus: #6ab7e4;
    --violated: #ff8f85; --errored: #f49ccb; --blocked: #bdb2ff; --warned: #efbf5c; --verified: #73d3a0; --observed: #93bdf5;
    --notExercised: #a3adb5; --notClaimed: #a3adb5; --excluded: #a3adb5;
    --fill-violated: #e0574c; --fill-errored: #c65c9c; --fill-blocked: #8d80e0; --fill-warned: #d69a2b; --fill-verified: #3f9f6d; --fill-observed: #5f8fce;
    --fill-notExercised: #69737b; --fill-notClaimed: #49525a; --fill-excluded: #333b41;
  }
}
`

const BASE = `
*, *::before, *::after { box-sizing: border-box }
html { scroll-padding-top: 5rem; -webkit-text-size-adjust: 100% }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth } }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.55 var(--sans); overflow-wrap: break-word }
h1, h2, h3, p, ul, ol, dl, dd, figure, pre { margin: 0; padding: 0 }
ul, ol { list-style: none }
h2 { font-size: 1.3rem; font-weight: 650; letter-spacing: -.01em; line-height: 1.25 }
h3 { font-size: 1rem; font-weight: 600; line-height: 1.4 }
a { color: var(--link); text-underline-offset: .2em; text-decoration-thickness: 1px }
code, pre, .id { font-family: var(--mono); font-size: .86em }
pre { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: isolate }
b { font-weight: 600 }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums }
svg { display: block }
[hidden] { display: none !important }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px }
main:focus { outline: none }
.symbols { position: absolute; width: 0; height: 0; overflow: hidden }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.skip { position: absolute; left: -999rem; top: 0; z-index: 9; padding: .6rem 1rem; background: var(--ink); color: var(--sheet) }
.skip:focus { left: 0 }
.soft { color: var(--soft); font-size: .87em }
.sign { width: 1em; height: 1em; flex: none; color: var(--tone) }
.disc { fill: currentColor }
.ring { fill: none; stroke: currentColor; stroke-width: 1.7; stroke-linecap: round }
.dashed { stroke-dasharray: 2.2 2.6 }
.cut { fill: none; stroke: var(--sheet); stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round }
.badge .sign { transform: translateY(.13em) }
.badge { display: inline-flex; align-items: baseline; gap: .4em; color: var(--tone); font-size: .87rem; font-weight: 600; white-space: nowrap }
.level { display: inline-block; color: var(--soft); font-size: .8rem; white-space: nowrap }
.level-required { color: var(--ink) }
.id { white-space: nowrap; text-decoration: none }
.id:hover { text-decoration: underline }
`

const PRINT = `
@media print {
  :root { color-scheme: light; --page: #fff; --sheet: #fff; --line: #bbb; --soft: #444 }
  body { font-size: 10pt }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
  .contents, .toolbar, .skip, .copy, .keys, .rest, details:not([open], .engine, .finding) { display: none !important }
  .layout { display: block !important; padding: 0 !important }
  .banner, .engines, .finding, .item, table.rows { box-shadow: none !important; break-inside: auto }
  .engine, .item, .failure > dl, .finding > summary, tr { break-inside: avoid }
  h2, h3, header { break-after: avoid }
  tr, .finding { content-visibility: visible !important }
  .block pre { max-height: none }
  a { color: inherit; text-decoration: none }
}
`

/** All rules, in the order in which they apply. */
export const STYLE = [COLOURS, TONES, BASE, LAYOUT, LISTS, PRINT].join('\n')
