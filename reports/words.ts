/** What the words of a result mean to a reader: labels, signs and one-sentence meanings, the same in every format. */
import type { CheckOutcome, ClauseCounts, ClauseOutcome, DeviationRecord, GateReason, Results, Verdict } from '../specs/meta/results.ts'

/** Clause outcomes in the order in which a reader wants them. */
export const CLAUSE_OUTCOMES: readonly ClauseOutcome[] = [
  'violated',
  'errored',
  'blocked',
  'warned',
  'verified',
  'observed',
  'notExercised',
  'notClaimed',
  'excluded',
]

/** Counts of no clauses at all. */
export const NO_CLAUSES: Readonly<ClauseCounts> = {
  verified: 0,
  violated: 0,
  warned: 0,
  observed: 0,
  blocked: 0,
  errored: 0,
  notExercised: 0,
  notClaimed: 0,
  excluded: 0,
  total: 0,
}

/** How an outcome is written, drawn and explained. */
export interface Word {
  label: string
  /** One printable sign, and what stands for it where only ASCII is safe. */
  sign: string
  ascii: string
  meaning: string
}

export const CLAUSE_WORDS: Record<ClauseOutcome, Word> = {
  verified: { label: 'Verified', sign: '✓', ascii: '+', meaning: 'a check decided it, and it holds' },
  violated: { label: 'Violated', sign: '✗', ascii: 'x', meaning: 'a check saw that it does not hold' },
  warned: { label: 'Warned', sign: '!', ascii: '!', meaning: 'advised, not required, and it does not hold' },
  observed: { label: 'Observed', sign: '○', ascii: 'o', meaning: 'the document leaves it open; what was seen is recorded' },
  blocked: { label: 'Blocked', sign: '⊘', ascii: '#', meaning: 'something that its check needs was absent or failed' },
  errored: { label: 'Errored', sign: '‼', ascii: 'E', meaning: 'an internal error of Assay; says nothing about the server' },
  notExercised: { label: 'Not exercised', sign: '–', ascii: '-', meaning: 'no check of this run decided it' },
  notClaimed: { label: 'Not claimed', sign: '·', ascii: '.', meaning: 'the target does not claim the engine' },
  excluded: { label: 'Excluded', sign: '∅', ascii: '/', meaning: 'cannot be tested from outside, for the reason given' },
}

/** Check outcomes in the words and signs of the clause outcomes that they lead to. */
export const CHECK_WORDS: Record<CheckOutcome, { label: string; like: ClauseOutcome }> = {
  passed: { label: 'Passed', like: 'verified' },
  failed: { label: 'Failed', like: 'violated' },
  warned: { label: 'Warned', like: 'warned' },
  observed: { label: 'Observed', like: 'observed' },
  blocked: { label: 'Blocked', like: 'blocked' },
  errored: { label: 'Errored', like: 'errored' },
  notClaimed: { label: 'Not claimed', like: 'notClaimed' },
}

export const VERDICT_WORDS: Record<Verdict, { label: string; like: ClauseOutcome; meaning: string }> = {
  conformant: {
    label: 'Conformant',
    like: 'verified',
    meaning: 'Every required clause that can be tested was decided, and all of them hold.',
  },
  nonConformant: { label: 'Non-conformant', like: 'violated', meaning: 'At least one required clause does not hold on this target.' },
  incomplete: {
    label: 'Incomplete',
    like: 'blocked',
    meaning: 'Something that is required could not be decided, so nothing is certified.',
  },
  partial: {
    label: 'Partial',
    like: 'observed',
    meaning: 'The run was narrowed: what it selected was decided and holds, the rest was not tested.',
  },
  notClaimed: { label: 'Not claimed', like: 'notClaimed', meaning: 'The target claims nothing here, so nothing was judged.' },
}

export const GATE_WORDS: Record<Results['gate'], { label: string; like: ClauseOutcome; meaning: string }> = {
  passed: { label: 'Gate passed', like: 'verified', meaning: 'Everything that was selected holds, known deviations aside.' },
  failed: {
    label: 'Gate failed',
    like: 'violated',
    meaning: 'Something fails that is not a known deviation, or a known deviation has to go.',
  },
  incomplete: { label: 'Gate incomplete', like: 'blocked', meaning: 'Something that was selected could not be decided.' },
  errored: { label: 'Gate errored', like: 'errored', meaning: 'The suite itself failed; this run decides nothing.' },
}

/** What a reason of the gate is about, as a sentence. */
export const REASON_WORDS: Record<GateReason['kind'], string> = {
  violated: 'A required clause does not hold.',
  unexpectedPass: 'A known deviation no longer occurs.',
  unexpectedFeature: 'What the configuration says is lacking is there.',
  expired: 'A known deviation has expired.',
  advised: 'An advised clause does not hold, and the run was told to fail on that.',
  unstable: 'A check failed once and passed when it was repeated, and the run was told to fail on that.',
  errored: 'A check failed by an internal error; it says nothing about the server.',
  undecided: 'A required clause was not decided.',
  notClaimed: 'What was asked for by name cannot be tested.',
  cutShort: 'The run did not come to its end.',
  nothingDecided: 'Nothing was decided.',
}

export const DEVIATION_WORDS: Record<DeviationRecord['state'], { label: string; like: ClauseOutcome; meaning: string }> = {
  matched: { label: 'Matched', like: 'observed', meaning: 'it failed as recorded' },
  stale: { label: 'Unexpected pass', like: 'violated', meaning: 'it no longer fails: remove the entry' },
  expired: { label: 'Expired', like: 'violated', meaning: 'its date has passed: mend the server or renew the entry' },
  other: { label: 'Other failure', like: 'violated', meaning: 'the clause fails in another way than recorded' },
  absent: { label: 'Did not occur', like: 'observed', meaning: 'it did not fail this time, which its entry allows' },
  removed: { label: 'Taken out', like: 'observed', meaning: 'it no longer fails, and its entry was taken out of the file' },
  unused: { label: 'Unused', like: 'notExercised', meaning: 'its clause or check was not part of this run' },
}
