/** What the linter of `specs/` is given and what it finds. */
import type { Contract } from './contract.ts'

export interface LintFinding {
  /** Name of the rule, permanent: tests and messages use it. */
  rule: string
  /** File below `specs/`, or the id of a clause or operation. */
  where: string
  message: string
}

export interface LintInput {
  contract: Contract
  /** Every file of `specs/`, unresolved, by its path there. */
  sources: Record<string, unknown>
  /** Clauses that a check decides or observes, schema-decided ones included. */
  decided: ReadonlySet<string>
  /** Mount types that a dialect can spell. */
  mountTypes: readonly string[]
}

/** An object of a parsed file. */
export type Node = Record<string, unknown>
