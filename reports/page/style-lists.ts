/** Rules for what is listed: toolbars, tables, observations, bars of time. */
export const LISTS = `
button, select, input { font: inherit; color: inherit }
.toolbar { display: flex; flex-wrap: wrap; align-items: end; gap: .6rem .8rem; margin-bottom: .9rem; padding: .8rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px }
.field { display: grid; gap: .1rem; font-size: .82rem; color: var(--soft) }
.field.grow { flex: 1 1 12rem }
.field input, .field select { width: 100%; min-width: 7rem; height: 2.2rem; padding: 0 .6rem; font-size: .93rem; color: var(--ink); background: var(--sheet); border: 1px solid var(--edge); border-radius: 7px }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; flex: 1 1 100% }
.chip, .quiet, .copy { display: inline-flex; align-items: center; gap: .4em; background: var(--sheet); border: 1px solid var(--edge); border-radius: 7px; cursor: pointer }
.chip { padding: .22rem .65rem; font-size: .87rem }
.chip .n { color: var(--soft); font-variant-numeric: tabular-nums }
.chip:hover, .quiet:hover, .copy:hover { border-color: var(--ink) }
.chip[aria-pressed="true"] { border-color: var(--tone); background: color-mix(in srgb, var(--tone) 13%, var(--sheet)); box-shadow: inset 0 0 0 1px var(--tone); font-weight: 600 }
.chip[aria-pressed="true"] .n { color: inherit }
.quiet { padding: .22rem .65rem; font-size: .87rem }
.copy { color: var(--link) }
.status { display: flex; align-items: center; gap: .8rem; flex: 1 1 100%; color: var(--soft); font-size: .87rem; font-variant-numeric: tabular-nums }
.empty { padding: 1.2rem; color: var(--soft) }

table.rows { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; border-spacing: 0; border-collapse: separate; font-size: .93rem }
table.rows + table.rows, table.rows + .list, .list + table.rows { margin-top: 1.4rem }
.plain + table.rows, .block + table.rows, .facts + table.rows, .facts + .block, .block + .plain { margin-top: 1.4rem }
.seen-there { margin: .2rem 0 .3rem; display: grid; gap: .15rem; color: var(--soft); overflow-wrap: anywhere }
.observations td:first-child { width: 1%; white-space: nowrap }
.rows caption:not(.unseen) { text-align: left; padding: 0 0 .45rem; font-weight: 600 }
.rows th { text-align: left; font-weight: 400; font-size: .82rem; color: var(--soft); padding: .5rem .8rem }
.rows td { padding: .5rem .8rem; vertical-align: baseline; border-top: 1px solid var(--line) }
.rows .right { text-align: right; white-space: nowrap }
.rows th.right { white-space: normal }
.faults td:first-child { width: 42%; min-width: 14rem }
.deviations td:last-child { white-space: nowrap }
.rows td:first-child, .rows th:first-child { padding-left: 1.1rem }
.rows .title, .under { display: block }
.rows td > .soft { display: block }
.rows th[scope=row] { color: inherit; font-size: inherit; border-top: 1px solid var(--line) }
.zero { color: var(--soft) }
.rows .group th { padding: 0; font-size: .95rem; color: var(--ink); border-top: 1px solid var(--line) }
.group button { display: flex; flex-wrap: wrap; align-items: baseline; gap: .1rem .8rem; width: 100%; padding: .6rem 1.1rem; text-align: left; background: none; border: 0; cursor: pointer }
.group button:hover { background: var(--well) }
.group button:focus-visible { outline-offset: -3px }
.group button::before { align-self: center }
.group-title { font-weight: 600 }
.group button .soft { margin-left: auto }
[data-unscripted] { padding: .6rem 0 }
.rows tr[data-nav] { scroll-margin-top: 1rem }
.rows tr[data-nav]:focus td { background: color-mix(in srgb, var(--focus) 8%, transparent) }
.rows tr:focus-visible { outline-offset: -3px }
.clauses td:nth-child(-n + 3) { width: 1%; white-space: nowrap }
.clauses summary { width: auto; margin-left: 1.05rem; list-style-position: outside; text-wrap: pretty }
.clauses summary::marker { color: var(--edge) }
.more { margin: .4rem 0 .3rem 1.05rem; display: grid; gap: .2rem; font-size: .89rem; overflow-wrap: anywhere }
.ids { display: flex; flex-wrap: wrap; gap: .1rem .8rem }
td.ids { display: table-cell }
td.ids .id { display: block }
.checks td:first-child, .deviations td { overflow-wrap: anywhere }
.path { font-family: var(--mono); font-size: .82rem; overflow-wrap: anywhere }
.answer { display: inline-block; margin-right: .9rem; white-space: nowrap }
.never { color: var(--warned) }
.observations { display: grid; gap: .7rem; padding: 1.1rem 1.2rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px }
.observations ul { color: var(--soft); overflow-wrap: anywhere }
.plain { margin-top: .15rem; padding-left: 1.2rem; list-style: disc; color: var(--soft); font-size: .93rem }
.plain { color: inherit; overflow-wrap: anywhere }
.slowest { margin-top: 1.4rem !important; display: grid; gap: .35rem; font-variant-numeric: tabular-nums }
.slowest li { display: grid; grid-template-columns: minmax(8rem, 16rem) minmax(0, 1fr) 4.5rem; gap: 1rem; align-items: center }
.slowest code { overflow: hidden; text-overflow: ellipsis; white-space: nowrap }
.slowest svg { width: 100%; height: 6px }
.slowest rect { fill: var(--fill-observed) }
.slowest span { text-align: right; color: var(--soft); font-size: .89rem }
.end { margin-top: 3.5rem; padding-top: 1.2rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .87rem; display: grid; gap: .5rem }
kbd { font: .9em var(--mono); padding: .05em .45em; border: 1px solid var(--edge); border-bottom-width: 2px; border-radius: 4px; color: var(--ink); background: var(--sheet) }
.keys { display: flex; flex-wrap: wrap; gap: .3rem 1.4rem }

@media (max-width: 46rem) {
  .field { flex: 1 1 7rem }
  table.rows, .rows tbody, .rows tr, .rows td, .rows th, .rows caption:not(.unseen) { display: block }
  .rows thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  .rows caption:not(.unseen) { padding: .7rem 1rem }
  .rows tr { border-top: 1px solid var(--line); padding: .6rem 1rem .7rem }
  .rows caption.unseen ~ tbody:first-of-type tr:first-child { border-top: 0 }
  .rows tr > * { border-top: 0 !important; padding: .08rem 0 !important; width: auto !important; white-space: normal !important }
  .rows .right { text-align: left }
  .rows td[data-name] { font-size: .89rem }
  .rows td[data-name]::before { content: attr(data-name) " "; color: var(--soft) }
  .rows td.zero { display: none }
  .rows .group { padding: 0 }
  .group button { padding: .7rem 1rem }
  .group button .soft { margin-left: 0; flex-basis: 100%; padding-left: 1.2rem }
  .clauses tr[data-nav] { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 .9rem }
  .clauses td:nth-child(4) { flex: 1 1 100% }
  td.ids { display: flex !important }
  .slowest li { grid-template-columns: minmax(0, 1fr) 4.5rem; gap: .1rem .6rem }
  .slowest svg { grid-column: 1 / -1; grid-row: 2 }
}
`
