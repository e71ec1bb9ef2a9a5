/** The drawn signs of the outcomes, as symbols that the page refers to. Each has a shape of its own: colour is never needed. */
import type { ClauseOutcome } from '../../specs/meta/results.ts'

const SHAPES: Record<ClauseOutcome, string> = {
  verified: '<circle class="disc" cx="8" cy="8" r="7"/><path class="cut" d="m4.8 8.3 2.2 2.2 4.2-4.8"/>',
  violated: '<path class="disc" d="M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1z"/><path class="cut" d="m5.6 5.6 4.8 4.8m0-4.8-4.8 4.8"/>',
  warned: '<path class="disc" d="M8 1.2 15.3 14H.7z"/><path class="cut" d="M8 6v3.6m0 2v.1"/>',
  observed: '<circle class="ring" cx="8" cy="8" r="6.2"/><circle class="disc" cx="8" cy="8" r="2.6"/>',
  blocked: '<circle class="ring" cx="8" cy="8" r="6.2"/><path class="ring" d="m3.7 12.3 8.6-8.6"/>',
  errored: '<rect class="disc" x="1" y="1" width="14" height="14" rx="3"/><path class="cut" d="M6 4.5v4m0 2.8v.1m4-6.9v4m0 2.8v.1"/>',
  notExercised: '<circle class="ring" cx="8" cy="8" r="6.2"/><path class="ring" d="M5 8h6"/>',
  notClaimed: '<circle class="ring dashed" cx="8" cy="8" r="6.2"/>',
  excluded: '<rect class="ring" x="2" y="2" width="12" height="12" rx="2.5"/><path class="ring" d="m4.5 11.5 7-7"/>',
}

/** One hidden SVG with a symbol `sign-<outcome>` for each outcome. */
export const SIGNS = `<svg width="0" height="0" aria-hidden="true">${Object.entries(SHAPES)
  .map(([outcome, shape]) => `<symbol id="sign-${outcome}" viewBox="0 0 16 16">${shape}</symbol>`)
  .join('')}</svg>`
