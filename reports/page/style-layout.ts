/** Rules for the frame of the page: head, contents, banner, cards and findings. */
export const LAYOUT = `
.top { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .2rem 1.5rem; padding: .8rem max(clamp(1rem, 3vw, 2rem), 50% - 40rem); background: var(--sheet); border-bottom: 1px solid var(--line) }
.brand { display: flex; align-items: center; gap: .5rem; font-weight: 650; letter-spacing: -.01em; font-size: 1.05rem }
.brand svg { width: 1.35rem; height: 1.35rem; fill: none; stroke: currentColor; stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round }
.top-target { font-size: .87rem; color: var(--soft) }
.top-target span { margin-left: .6rem }
.layout { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); gap: 0 clamp(1.5rem, 3vw, 3rem); max-width: 84rem; margin: 0 auto; padding: 0 clamp(1rem, 3vw, 2rem) 4rem }
.contents { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 2rem 0 }
.contents a { display: flex; justify-content: space-between; gap: 1rem; padding: .32rem .7rem; border-radius: 6px; color: var(--soft); text-decoration: none; font-size: .89rem }
.contents a:hover { color: var(--ink); background: var(--line) }
.contents a[aria-current] { color: var(--ink); background: var(--sheet); box-shadow: 0 0 0 1px var(--line); font-weight: 600 }
.contents span { font-variant-numeric: tabular-nums; font-weight: 400 }
main { padding-top: 2rem; min-width: 0 }
.part { margin-top: 3.2rem }
.part > h2 { display: flex; align-items: baseline; gap: .6rem }
.count { font-size: .95rem; font-weight: 400; color: var(--soft); font-variant-numeric: tabular-nums }
.note { margin: .25rem 0 0; color: var(--soft); max-width: 46rem }
.part > h2 + *:not(.note), .note + * { margin-top: 1.1rem }

.banner { display: grid; grid-template-columns: minmax(0, 1.25fr) minmax(0, 1fr); background: var(--sheet); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 8px 28px -18px rgb(0 0 0 / .22) }
.plain-banner { grid-template-columns: minmax(0, 1fr) }
.headline { padding: clamp(1.25rem, 3vw, 2rem) }
.eyebrow { color: var(--soft); font-size: .89rem }
h1 { display: flex; align-items: center; gap: .3em; margin: .25rem 0 .6rem; font-size: clamp(1.75rem, 5.2vw, 2.9rem); font-weight: 680; letter-spacing: -.03em; line-height: 1.08; color: var(--tone) }
h1 .sign { width: .82em; height: .82em }
.lead { font-size: 1.08rem; line-height: 1.45 }
.headline p, .gate p, .finding h3 { text-wrap: pretty }
.headline .lead ~ p { margin-top: .3rem; color: var(--soft) }
.targets { display: grid; font-size: .93rem; overflow-wrap: anywhere }
.targets .soft { white-space: nowrap }
.gate { padding: clamp(1.25rem, 3vw, 2rem); border-left: 1px solid var(--line); background: color-mix(in srgb, var(--tone) 7%, var(--sheet)); font-size: .93rem }
.gate-word { display: flex; align-items: center; gap: .45em; margin-bottom: .3rem; font-size: 1.08rem; font-weight: 650; color: var(--tone) }
.gate details { margin-top: .4rem }
.gate ul { margin-top: .7rem; padding-left: 1.1rem; list-style: disc }
.gate li + li { margin-top: .25rem }
.overall { grid-column: 1 / -1; padding: 1.2rem clamp(1.25rem, 3vw, 2rem); border-top: 1px solid var(--line) }
.bar { width: 100%; height: 8px; border-radius: 4px; overflow: hidden; background: var(--line) }
.bar rect { stroke: var(--sheet); stroke-width: 1.5; vector-effect: non-scaling-stroke }
.counts { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; margin-top: .65rem; font-size: .89rem; font-variant-numeric: tabular-nums }
.counts a { white-space: nowrap; display: inline-flex; align-items: center; gap: .35em; padding: .12rem 0; color: inherit; text-decoration: none }
.counts a:hover { text-decoration: underline }
.dot { width: .6em; height: .6em; border-radius: 2px; flex: none }
.sum { padding: .12rem 0; color: var(--soft) }
.columns { display: block; width: 100%; height: 2.6rem; margin: .2rem 0 .35rem; border-bottom: 1px solid var(--line) }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 11rem), 1fr)); gap: .9rem 1.6rem; font-size: .93rem; font-variant-numeric: tabular-nums }
.facts dt { color: var(--soft); font-size: .82rem }
.facts .soft { white-space: nowrap }
.facts dd { overflow-wrap: anywhere }
.facts > div:has(.soft) { grid-column: span 2 }

.engines { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px }
.engine { padding: .7rem 1.1rem }
.engine + .engine { border-top: 1px solid var(--line) }
.engine > summary { width: auto; display: grid; grid-template-columns: .6rem minmax(9rem, 1.1fr) 9.5rem minmax(5rem, 1fr) 13rem; gap: .2rem 1rem; align-items: center; list-style: none }
.engine > summary::-webkit-details-marker { display: none }
.engine > summary::before, .group button::before, .finding > summary::before { content: ""; width: .42em; height: .42em; border: solid var(--soft); border-width: 0 1.6px 1.6px 0; transform: rotate(-45deg); flex: none }
.engine[open] > summary::before, .finding[open] > summary::before, .group button[aria-expanded=true]::before { transform: translateY(-.12em) rotate(45deg) }
.engine > summary .soft { text-align: right }
.engine > :not(summary) { margin-left: 1.6rem }
.engine .why { margin-top: .4rem; font-size: .89rem; color: var(--soft) }
.remedy { display: flex; flex-wrap: wrap; gap: .1rem .6rem; align-items: baseline; margin-top: .4rem; font-size: .89rem }
.remedy span { color: var(--soft) }
.remedy b { font-weight: 400; overflow-wrap: anywhere; min-width: 0 }

.findings { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; overflow: clip }
.heads, .finding > summary { display: grid; grid-template-columns: minmax(0, 3.2fr) minmax(0, 1.3fr) minmax(0, 1.3fr) 3.5rem; gap: .1rem 1rem; padding: .55rem 1.1rem .55rem 2.2rem }
.heads { font-size: .82rem; color: var(--soft) }
.finding { border-top: 1px solid var(--line); border-left: 3px solid var(--tone); scroll-margin-top: 1.5rem }
.finding > summary { width: auto; font-size: .93rem; list-style: none; overflow-wrap: anywhere }
.finding > summary::-webkit-details-marker { display: none }
.finding > summary { position: relative; padding-left: 2rem }
.finding > summary::before { position: absolute; left: 1rem; top: 1.1em }
.finding > summary:hover, .finding[open] > summary { background: var(--well) }
.follow, .heads span:last-child { text-align: right; font-variant-numeric: tabular-nums }
.finding > article { padding: 1.05rem clamp(1rem, 2.4vw, 1.6rem) 1.3rem; border-top: 1px solid var(--line) }
.item { background: var(--sheet); border: 1px solid var(--line); border-top: 3px solid var(--tone); border-radius: 10px; padding: 1.15rem clamp(1rem, 2.4vw, 1.6rem) 1.3rem; scroll-margin-top: 1.5rem }
.item + .item { margin-top: 1.1rem }
.finding:target:not(:focus-visible) { box-shadow: 0 0 0 3px color-mix(in srgb, var(--focus) 45%, transparent) }
.finding header { display: flex; flex-wrap: wrap; align-items: baseline; gap: .15rem .9rem }
.finding h3 { margin-top: .45rem; font-size: 1.14rem; letter-spacing: -.005em; max-width: 46rem }
.source { color: var(--soft); font-size: .87rem; overflow-wrap: anywhere }
.reading { margin-top: .5rem; font-size: .93rem; max-width: 46rem }
.reading b, .more b { color: var(--soft); font-weight: 400; margin-right: .35em }
.failure { margin-top: 1.1rem; padding-top: 1.1rem; border-top: 1px solid var(--line); display: grid; grid-template-columns: minmax(0, 1fr); gap: .8rem }
.why { overflow-wrap: anywhere }
.others { gap: .25rem }
.others .failure { margin: .3rem 0 .8rem; padding: .8rem 0 0 1.05rem; border-top: 0 }
.decider code { font-weight: 600 }
.contrast { display: grid; grid-template-columns: 1fr 1fr; gap: .8rem 1.6rem }
.contrast dt { font-size: .82rem; color: var(--soft) }
.contrast dd { font-family: var(--mono); font-size: .86em; overflow-wrap: anywhere; white-space: pre-wrap; unicode-bidi: isolate }
.contrast mark { color: inherit; background: color-mix(in srgb, var(--verified) 14%, transparent); border-bottom: 2px solid var(--fill-verified); padding: .05em 0 }
.contrast .seen mark { background: color-mix(in srgb, var(--tone) 14%, transparent); border-bottom-color: var(--tone) }
.broken { display: grid; gap: .35rem; margin-top: .7rem; max-width: 56rem }
.broken li { scroll-margin-top: 1.5rem }
.broken + details { margin-top: .4rem }
.exchange { display: grid; grid-template-columns: minmax(0, 1fr); gap: .55rem }
.exchange + .exchange { margin-top: 1rem }
.exchange-title { font-size: .93rem }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: .55rem .8rem; align-items: start }
.block { min-width: 0; position: relative; display: flex; flex-direction: column }
.block figcaption { font-size: .82rem; color: var(--soft); margin-bottom: .15rem; min-height: 1.5rem }
.block pre { scrollbar-color: var(--soft) var(--well); scrollbar-width: thin; padding: .6rem .75rem; background: var(--well); border: 1px solid var(--line); border-radius: 7px; font-size: .82rem; line-height: 1.5; max-height: 24rem; overflow: auto }
.item .block { margin-top: .6rem }
.copy { position: absolute; right: 0; top: -.15rem; padding: .05rem .5rem; font-size: .8rem }
.item { padding: .9rem 1.2rem }
summary { cursor: pointer; width: fit-content; max-width: 100%; overflow-wrap: anywhere }
.finding article summary, .item summary, .gate summary { color: var(--link); font-size: .89rem }
.item details { margin-top: .5rem }
.finding article details[open] > summary { margin-bottom: .7rem }

@media (max-width: 60rem) {
  html { scroll-padding-top: 1rem }
  .layout { display: block }
  .contents { position: static; max-height: none; overflow-x: auto; margin: 0 calc(-1 * clamp(1rem, 3vw, 2rem)); padding: .6rem clamp(1rem, 3vw, 2rem); border-bottom: 1px solid var(--line) }
  .contents ul { display: flex; gap: .2rem }
  .contents a { white-space: nowrap; gap: .4rem; padding: .4rem .6rem }
  main { padding-top: 1.2rem }
}
@media (max-width: 46rem) {
  body { font-size: 14.5px }
  .engine > summary { grid-template-columns: .6rem minmax(0, 1fr) auto }
  .engine > summary .bar { grid-column: 2 / -1 }
  .engine > summary .soft { grid-column: 2 / -1; text-align: left }
  .banner, .contrast, .pair { grid-template-columns: minmax(0, 1fr) }
  .heads { display: none }
  .finding > summary { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr) auto }
  .finding > summary .what { grid-column: 1 / -1 }
  .gate { border-left: 0; border-top: 1px solid var(--line) }
  .facts { grid-template-columns: 1fr 1fr; gap: .8rem 1rem }
  .part { margin-top: 2.4rem }
}
`
