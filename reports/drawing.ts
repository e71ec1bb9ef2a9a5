/** How text is drawn on a terminal: colours, signs, width. */
import pc from 'picocolors'
import type { ClauseOutcome } from '../specs/meta/results.ts'
import { CLAUSE_WORDS } from './words.ts'

/** How the summary is drawn. */
export interface SummaryOptions {
  /** ANSI colours; default none. */
  color?: boolean
  /** Columns of the terminal; default 100. */
  width?: number
  /** Signs beyond ASCII; default yes. */
  unicode?: boolean
  /** Where the report lies, as said to the reader. */
  report?: string
}

/** The pens of one terminal. */
export interface Drawing {
  width: number
  sign: (outcome: ClauseOutcome) => string
  paint: (outcome: ClauseOutcome, text: string) => string
  strong: (text: string) => string
  soft: (text: string) => string
}

/** Chooses pens by the options. */
export const drawing = ({ color = false, width = 100, unicode = true }: SummaryOptions): Drawing => {
  const paint = pc.createColors(color)
  const colours: Record<ClauseOutcome, (text: string) => string> = {
    verified: paint.green,
    violated: paint.red,
    warned: paint.yellow,
    observed: paint.cyan,
    blocked: paint.magenta,
    errored: paint.magenta,
    notExercised: paint.dim,
    notClaimed: paint.dim,
    excluded: paint.dim,
  }
  return {
    width: Math.max(40, Math.min(width, 120)),
    sign: (outcome) => (unicode ? CLAUSE_WORDS[outcome].sign : CLAUSE_WORDS[outcome].ascii),
    paint: (outcome, text) => colours[outcome](text),
    strong: paint.bold,
    soft: paint.dim,
  }
}
