/**
 * Forms of a request that the contract declares equal: a synonym of the method, either way of listing, either carrier of the token. Scenarios
 * do not care which is sent, so each of their requests takes one by chance: what a server does in one form only shows wherever it matters.
 */

import { seededRandom } from '../checks/seeded-random.ts'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import type { Contract, FormKind, Operation } from '../contract/contract.ts'
import { generalEngines } from '../contract/general.ts'
import type { CallInput } from '../target/exchange.ts'
import type { Target } from '../target/target.ts'

/** One in so many requests that have another form takes it. */
const ONE_IN = 3

type Form = Pick<CallInput, 'method' | 'carrier'>

/** The other forms that a request has beside the plain one, by kind. */
const otherForms = ({ api, dialect, config }: Target, operation: Operation, input: CallInput): Partial<Record<FormKind, Form[]>> => {
  const { listing } = api
  const isOwnMethod = input.method === undefined && dialect.methods?.[operation.id] === undefined
  // A gateway may ask for a header of its own that is one of the carriers.
  const given = Object.keys({ ...config.headers, ...input.headers }).map((name) => name.toLowerCase())
  const hasOwnCarrier =
    input.carrier !== undefined ||
    input.as === 'none' ||
    Object.values(api.carriers).some(({ header }) => given.includes(header.toLowerCase()))
  const synonyms = Object.entries(api.synonyms ?? {}).flatMap(([method, of]) => (of === operation.method ? [{ method }] : []))
  return {
    ...(isOwnMethod && !operation.isList ? { synonyms } : {}),
    ...(isOwnMethod && operation.isList && listing !== undefined
      ? { listing: [operation.method === listing.verb ? { method: 'GET' } : { method: listing.verb }] }
      : {}),
    ...(hasOwnCarrier
      ? {}
      : {
          carriers: Object.keys(api.carriers)
            .slice(1)
            .map((carrier) => ({ carrier })),
        }),
  }
}

/** Whether the requests of a check take either form: what speaks of forms itself, is drawn or races says by itself which one it sends. */
export const takesEitherForm = (contract: Contract, { engine, kind, operation }: RunnableCheck): boolean =>
  operation === undefined && (kind === 'scenario' || kind === 'security') && !generalEngines(contract).has(engine)

export class EqualForms {
  readonly #seed: number
  readonly #check: string
  readonly #kinds: readonly FormKind[]
  /** Kinds of forms that some request took. */
  readonly taken = new Set<FormKind>()

  /** @param kinds those in which requests may differ from the plain form. */
  constructor(seed: number, check: string, kinds: readonly FormKind[]) {
    this.#seed = seed
    this.#check = check
    this.#kinds = kinds
  }

  /**
   * What a request has instead of its plain form. The same seed gives the same forms, whichever other kinds there are.
   *
   * @param nth number of the call among those to its operation.
   */
  of(target: Target, operation: Operation, input: CallInput, nth: number): Form {
    const others = otherForms(target, operation, input)
    const form: Form = {}
    for (const kind of this.#kinds) {
      const forms = others[kind] ?? []
      if (forms.length === 0 || target.api.equalForms?.[kind] === undefined) continue
      const random = seededRandom(this.#seed, `${this.#check} ${operation.id} ${nth} ${kind}`)
      if (random.integer(1, ONE_IN) > 1) continue
      Object.assign(form, random.pick(forms))
      this.taken.add(kind)
    }
    return form
  }
}
