/**
 * What explains failures and blocks: clauses that are reported as violated, and what the target lacks.
 *
 * The rule is strict, for what is explained by a tolerated violation fails nothing. A violation follows from another only where both show the same failing answer
 * or member; a dependence that a clause states does not suffice without it. A cause is a clause of which something remains unexplained.
 */
import type { CheckResult, ClauseResult, Decision, OperationCoverage, Results, Undecided } from '../../specs/meta/results.ts'
import type { Contract } from '../contract/contract.ts'
import { clauseStating } from '../sending/unanswered.ts'
import {
  differingMembers,
  isFailure,
  isSameError,
  kindSeen,
  memberName,
  type Place,
  placeOfDecision,
  placeOfStop,
} from './failing-places.ts'

/** What the contract says of clauses and operations, as far as it explains anything. */
export interface Dependences {
  /** The clause that states an operation, by operation. */
  stating: ReadonlyMap<string, string>
  /** Clauses that one needs to hold, by clause. */
  restsOn: ReadonlyMap<string, readonly string[]>
}

/** The dependences that a contract states. */
export const dependencesOf = ({ operations, clauses }: Pick<Contract, 'operations' | 'clauses'>): Dependences => ({
  stating: new Map(
    [...operations.values()].flatMap((one) =>
      [[one.id, clauseStating(one)] as const].filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
  ),
  restsOn: new Map([...clauses.values()].flatMap(({ id, restsOn }) => (restsOn === undefined ? [] : [[id, restsOn] as const]))),
})

/** A violated decision, and where it shows. */
interface Violation {
  check: CheckResult
  decision: Decision
  place: Place | undefined
}

const violationsIn = (checks: readonly CheckResult[], required: ReadonlySet<string>): Map<string, Violation[]> => {
  const found = new Map<string, Violation[]>()
  for (const check of checks)
    for (const decision of check.decisions) {
      if (decision.outcome !== 'violated' || !required.has(decision.clause)) continue
      found.set(decision.clause, [...(found.get(decision.clause) ?? []), { check, decision, place: placeOfDecision(check, decision) }])
    }
  return found
}

/** Operations that did nothing in the whole run, with the violated clause that states each, or another at its path. */
const absentOf = (
  coverage: readonly OperationCoverage[],
  violations: ReadonlyMap<string, Violation[]>,
  { stating }: Dependences,
): Map<string, string> => {
  const idle = coverage.filter(({ statuses }) => Object.keys(statuses).every((status) => Number(status) >= 400))
  const pathOf = ({ engine, path }: OperationCoverage): string => `${engine} ${path}`
  const paths = new Map(
    idle.flatMap((one) => {
      const clause = stating.get(one.operation)
      const shown = clause === undefined ? [] : (violations.get(clause) ?? [])
      const isShown = shown.some(({ place }) => place?.operation === one.operation && isFailure(place))
      return isShown ? [[pathOf(one), clause!] as const] : []
    }),
  )
  return new Map(idle.flatMap((one) => (paths.has(pathOf(one)) ? [[one.operation, paths.get(pathOf(one))!] as const] : [])))
}

/** What an operation answers that is not there. */
const NOT_THERE = [404, 405, 501]

/** What can explain something in one run. */
class Explanations {
  readonly violations: Map<string, Violation[]>
  readonly #absent: Map<string, string>
  readonly #without: ReadonlySet<string>
  readonly #restsOn: Dependences['restsOn']
  readonly #engines: Map<string, string>

  constructor({ checks, clauses, coverage, target }: Explained, dependences: Dependences) {
    const required = new Set(clauses.filter(({ level }) => level === 'required').map(({ id }) => id))
    this.violations = violationsIn(checks, required)
    this.#absent = absentOf(coverage, this.violations, dependences)
    this.#without = new Set(target.apis.flatMap(({ without = [] }) => without))
    this.#restsOn = dependences.restsOn
    this.#engines = new Map([
      ...clauses.map(({ id, engine }) => [id, engine] as const),
      ...coverage.map(({ operation, engine }) => [operation, engine] as const),
    ])
  }

  /** Clauses, other than this one, of which a violation fits. */
  #clauses(clause: string, fits: (violation: Violation) => boolean): string[] {
    return [...this.violations].filter(([id, shown]) => id !== clause && shown.some(fits)).map(([id]) => id)
  }

  /** Why a check did not come to a clause. */
  ofStop(check: CheckResult, clause: string): string[] {
    const { lacks, restsOn } = check.stoppedBy ?? {}
    if (lacks !== undefined) return this.#without.has(lacks) ? [lacks] : []
    if (restsOn !== undefined) return restsOn !== clause && this.violations.has(restsOn) ? [restsOn] : []
    const place = placeOfStop(check)
    if (place === undefined) return []
    if (this.#without.has(place.operation) && NOT_THERE.includes(place.status)) return [place.operation]
    const absent = this.#absent.get(place.operation)
    if (absent !== undefined) return absent === clause ? [] : [absent]
    return this.#clauses(clause, (one) => one.place !== undefined && isSameError(one.place, place))
  }

  /** Why no answer came to a clause: what it is about lies in a member that another clause finds missing or wrong. */
  ofMiss(clause: string): string[] {
    const stated = this.#restsOn.get(clause) ?? []
    return stated.filter((cause) => this.violations.get(cause)?.some(({ decision }) => decision.member !== undefined) === true)
  }

  ofViolation(violation: Violation): string[] {
    const { clause } = violation.decision
    const found = [this.#ofAbsence(violation), this.#ofError(violation), this.#ofMembers(violation), this.#ofDependence(violation)]
    return (found.find((causes) => causes.length > 0) ?? []).filter((cause) => cause !== clause)
  }

  /** The operation is not there at all: what it answered, or the list of operations that were looked for, shows that alone. */
  #ofAbsence({ decision, place }: Violation): string[] {
    const absent = place !== undefined && isFailure(place) && isOfOneAnswer(decision) ? this.#absent.get(place.operation) : undefined
    if (absent !== undefined) return [absent]
    const missing = decision.expected === '[]' ? listIn(decision.seen) : []
    const causes = missing.map((operation) => this.#absent.get(operation))
    return causes.includes(undefined) ? [] : [...new Set(causes as string[])]
  }

  /** A clause of another engine, asked of an operation that answers the same error where a clause of its own engine forbids it. */
  #ofError({ decision, place }: Violation): string[] {
    if (place === undefined || decision.seen !== String(place.status)) return []
    const engine = this.#engines.get(place.operation)
    if (engine === undefined || engine === this.#engines.get(decision.clause)) return []
    return this.#clauses(
      decision.clause,
      (one) => this.#engines.get(one.decision.clause) === engine && one.place !== undefined && isSameError(one.place, place),
    )
  }

  /** Every member that differs is one whose schema another clause finds violated, by a value of that kind. */
  #ofMembers({ decision, place }: Violation): string[] {
    const differing = [...differingMembers(decision)]
    if (place === undefined || differing.length === 0) return []
    const causes = differing.map(([name, kind]) =>
      this.#clauses(
        decision.clause,
        (one) =>
          one.decision.member !== undefined &&
          memberName(one.decision.member) === name &&
          one.place?.operation === place.operation &&
          kindSeen(one.decision) === kind,
      ),
    )
    return causes.some((found) => found.length === 0) ? [] : [...new Set(causes.flat())]
  }

  /** What the clause says it rests on fails in the same way: by the same status of the same operation, by a refusal that this check met before, or by the member it is about. */
  #ofDependence({ check, decision, place }: Violation): string[] {
    const stated = this.#restsOn.get(decision.clause) ?? []
    const stands = (one: Violation): boolean => {
      if (isMissed(one, { decision, place })) return true
      if (one.decision.member !== undefined) return isAboutMember(decision, memberName(one.decision.member))
      if (one.place === undefined || place === undefined) return false
      if (
        one.place.operation === place.operation &&
        one.place.status === place.status &&
        isUnwanted(one) &&
        isUnwanted({ decision, place })
      )
        return true
      return isFailure(one.place) && one.check.id === check.id && (one.decision.exchange ?? 0) < (decision.exchange ?? 0)
    }
    return stated.filter((cause) => this.violations.get(cause)?.some(stands) === true)
  }
}

/** A list of what failed is shown by one answer among several. */
const isOfOneAnswer = ({ seen = '' }: Decision): boolean => !seen.startsWith('[')

/** Whether one member, and nothing else, is what a decision is about. */
const isAboutMember = (decision: Decision, name: string): boolean => {
  const differing = [...differingMembers(decision).keys()]
  if (differing.length > 0) return differing.every((one) => one === name)
  return [` ${name}: `, `/${name} made invalid`].some((words) => ` ${decision.message ?? ''}`.includes(words))
}

/** Whether a decision found nothing where its answer should show something. */
const foundNothing = ({ seen, message = '' }: Decision): boolean => seen === undefined && message.endsWith(' got nothing')

/** Whether what one violation finds missing is what the other, at an answer of the same operation, found nothing of. */
const isMissed = (missing: Violation, { decision, place }: Pick<Violation, 'decision' | 'place'>): boolean =>
  (missing.decision.member === undefined ? foundNothing(missing.decision) : kindSeen(missing.decision) === 'nothing') &&
  missing.place !== undefined &&
  missing.place.operation === place?.operation &&
  foundNothing(decision)

/** Whether a decision is about the status of its answer. */
const isUnwanted = ({ decision, place }: Pick<Violation, 'decision' | 'place'>): boolean =>
  place !== undefined && (isFailure(place) || decision.seen === String(place.status))

const listIn = (text: string | undefined): string[] => {
  try {
    const list: unknown = JSON.parse(text ?? '')
    return Array.isArray(list) && list.length > 0 && list.every((one): one is string => typeof one === 'string') ? list : []
  } catch {
    return []
  }
}

/** What of results explains something. */
export type Explained = Pick<Results, 'checks' | 'coverage'> & {
  clauses: readonly Pick<ClauseResult, 'id' | 'engine' | 'level'>[]
  target: Pick<Results['target'], 'apis'>
}

/** Clauses that something explained by nothing violates, and what follows from them: a circle of causes explains nothing. */
const rootedOf = (causes: ReadonlyMap<Decision, string[]>, violations: ReadonlyMap<string, Violation[]>): Set<string> => {
  const rooted = new Set(
    [...violations].filter(([, shown]) => shown.some(({ decision }) => causes.get(decision)!.length === 0)).map(([id]) => id),
  )
  for (let size = -1; size !== rooted.size; ) {
    size = rooted.size
    for (const [id, shown] of violations)
      if (shown.every(({ decision }) => causes.get(decision)!.some((cause) => rooted.has(cause)))) rooted.add(id)
  }
  return rooted
}

const marked = <T extends { causedBy?: string[] }>({ causedBy: _, ...one }: T, causes: readonly string[]): T =>
  ({ ...one, ...(causes.length === 0 ? {} : { causedBy: [...causes].sort() }) }) as T

const OPEN: readonly Undecided['vote'][] = ['blocked', 'undecided', 'notExercised']

/** The checks with what explains each of their violations, and each clause that they did not decide. */
export const withCauses = (results: Explained, dependences: Dependences): CheckResult[] => {
  const explanations = new Explanations(results, dependences)
  const causes = new Map([...explanations.violations.values()].flat().map((one) => [one.decision, explanations.ofViolation(one)]))
  const rooted = rootedOf(causes, explanations.violations)
  return results.checks.map((check) => {
    const ofUndecided = ({ clause, vote }: Undecided): string[] => {
      if (!OPEN.includes(vote)) return []
      const causes = explanations.ofStop(check, clause)
      return causes.length === 0 && vote === 'notExercised' ? explanations.ofMiss(clause) : causes
    }
    return {
      ...check,
      decisions: check.decisions.map((one) =>
        marked(
          one,
          (causes.get(one) ?? []).filter((cause) => rooted.has(cause)),
        ),
      ),
      ...(check.undecided === undefined ? {} : { undecided: check.undecided.map((one) => marked(one, ofUndecided(one))) }),
    }
  })
}
