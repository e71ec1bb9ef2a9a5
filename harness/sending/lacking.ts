/** Features and operations that a target does not have: what needs them is blocked by name, and what `without` names wrongly is found. */
import { Blocked, Refused, Unsupported } from '../base/errors.ts'
import type { Needs } from '../checks/vocabulary.ts'
import type { Answer } from '../target/exchange.ts'
import { FEATURES, type Feature, isProvided, type Provided } from '../target/features.ts'
import type { Target } from '../target/target.ts'
import type { RunContext } from './context.ts'

const NO_ROUTE = [404, 405, 501]

const isRefusal = (status: number): boolean => status >= 400 && status < 500

/** What blocks a check that needs a feature which its target does not give; undefined where it gives all of them. */
export const lackingFeature = (
  { provisioner, missing, config }: Target,
  { features = [] }: Pick<Needs, 'features'>,
): Blocked | undefined => {
  for (const feature of features) {
    if (!isProvided(feature) && config.without.includes(feature))
      return new Blocked(`the target is without ${FEATURES[feature]}`, 'see `without`', { lacks: feature })
    if (!isProvided(feature) || provisioner.features.has(feature)) continue
    const why = missing.get(feature)
    if (why === undefined)
      return new Blocked(
        `the ${provisioner.kind} provisioner cannot give ${FEATURES[feature]}`,
        `use another provisioner (sys, command), or name ${feature} in \`without\` of the target`,
        { lacks: feature },
      )
    if (!(why instanceof Unsupported)) return new Blocked(`${FEATURES[feature]} could not be tried: ${why.message}`, why.remedy)
    const remedy = `name ${feature} in \`without\` of the target, where this is meant`
    return new Blocked(`the server lacks ${FEATURES[feature]}: ${why.message}`, remedy, { lacks: feature })
  }
  return undefined
}

/** The operation that a target says in `without` not to have, where this is what stopped a check. */
export const lackingOperation = ({ config }: Target, error: unknown): string | undefined =>
  error instanceof Refused && NO_ROUTE.includes(error.status) && config.without.includes(error.operation) ? error.operation : undefined

/**
 * What a target answers to a request that needs a feature.
 *
 * @returns the answer, for the check to judge.
 * @throws Blocked where it is a refusal and the configuration says that the target lacks the feature.
 */
export const answerOf = ({ config, present }: Target, feature: Feature, answer: Answer): Answer => {
  if (!config.without.includes(feature)) return answer
  if (answer.ok) present.add(feature)
  if (isRefusal(answer.status))
    throw new Blocked(`${answer.operation} answered ${answer.status}, for the target is without ${FEATURES[feature]}`, 'see `without`', {
      lacks: feature,
    })
  return answer
}

/** What a configuration says a target to be without, and the run has seen there: features, and operations that succeeded. */
export const presentDespite = ({ ledger }: Pick<RunContext, 'ledger'>, { config, present, provisioner }: Target): string[] =>
  config.without.filter((name) => {
    if (present.has(name as Feature)) return true
    if (name in FEATURES) return isProvided(name as Feature) && provisioner.features.has(name as Provided)
    return [...(ledger.statuses.get(name)?.keys() ?? [])].some((status) => status < 300)
  })
