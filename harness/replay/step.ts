/** Evidence that can be sent again: requests with placeholders for what differs from run to run, and what was answered to them. */

/** What a step is there for: it prepares, it shows the violation, it removes what was made. */
export type Part = 'setUp' | 'shown' | 'cleanUp'

/** A value of an answer that later requests hold. */
export interface Capture {
  /** The placeholder that stands for it is `${name}`. */
  name: string
  /** Names of members from the body inwards; places in lists as digits. */
  pointer: string[]
}

/** An answer as it is recognised: its status, and of its body what does not differ from run to run. */
export interface Likeness {
  status: number
  /** Pieces of the body without white space, in order; between them stands anything. */
  body: string[]
}

/** One request. Texts hold placeholders: `${ASSAY_TOKEN}`, `${RUN}` in names, and those of captures. */
export interface Step {
  part: Part
  /** Id of the operation; empty for what prepares and removes. */
  operation: string
  method: string
  /** Path with query, as sent. */
  path: string
  headers: Record<string, string>
  body?: string
  captures: Capture[]
  answer: Likeness
  /** Milliseconds to wait before it, where the check waited. */
  pauseMs: number
}

/** A transcript that shows a clause violated. */
export interface Transcript {
  clause: string
  check: string
  title: string
  /** Scheme, host and port that were asked. */
  origin: string
  /** Names of headers that the run sent with every request, by the word of its user; their values may be secrets and stand nowhere. */
  headers: string[]
  steps: Step[]
}

/** What stands for a value in the texts of a step. */
export const placeholder = (name: string): string => `\${${name}}`

/** The name under which the run's objects are made: begins all their names. */
export const RUN = placeholder('RUN')

/** Stands for a harmless value that is sent instead of a secret. */
export const HIDDEN = placeholder('HIDDEN')

const PLACEHOLDER = /\$\{([A-Z][A-Z0-9_]*)\}/g

/** Fills placeholders in; one that has no value stays. */
export const filled = (text: string, values: ReadonlyMap<string, string>, spelled: (value: string) => string = (value) => value): string =>
  text.replaceAll(PLACEHOLDER, (whole, name: string) => {
    const value = values.get(name)
    return value === undefined ? whole : spelled(value)
  })

/** A value as it stands inside a string of JSON. */
export const inJson = (value: string): string => JSON.stringify(value).slice(1, -1)
