/** Who keeps secrets out of what is shown: told of every credential that is used, and asked before words leave a run. */
import { AsyncLocalStorage } from 'node:async_hooks'

/** Knows secrets, and takes them out of a text. */
export interface SecretKeeper {
  add(value: string): void
  redact(text: string): string
}

// By asynchronous context: two runs in one process keep their own secrets.
const keepers = new AsyncLocalStorage<readonly SecretKeeper[]>()

const inScope = (): readonly SecretKeeper[] => keepers.getStore() ?? []

/** Says that values are about to be used as credentials: passwords, tokens, private keys. */
export const useCredentials = (...values: (string | undefined)[]): void => {
  for (const keeper of inScope()) for (const value of values) if (value !== undefined && value !== '') keeper.add(value)
}

/** A text that is about to be shown, without what the keepers of this work know to be secret. */
export const withoutSecrets = (text: string): string => inScope().reduce((shown, keeper) => keeper.redact(shown), text)

const WORDS = ['message', 'stack', 'remedy', 'problem'] as const
const DEEPEST = 8

/** An error whose words, and those of its causes, hold nothing secret. */
const quietened = (error: unknown): unknown => {
  if (typeof error === 'string') return withoutSecrets(error)
  let one = error
  for (let depth = 0; one instanceof Error && depth < DEEPEST; depth += 1) {
    for (const name of WORDS) {
      const text: unknown = Reflect.get(one, name)
      if (typeof text === 'string') Object.defineProperty(one, name, { value: withoutSecrets(text), configurable: true, writable: true })
    }
    one = one.cause
  }
  return error
}

/**
 * Does work that may use credentials: the keeper is told of each before it is used, and so are the keepers of the work around it. What the work
 * throws holds nothing that they know.
 */
export const keepingSecrets = <T>(keeper: SecretKeeper, work: () => Promise<T>): Promise<T> => {
  const outer = inScope()
  return keepers.run(outer.includes(keeper) ? outer : [...outer, keeper], async () => {
    try {
      return await work()
    } catch (error) {
      throw quietened(error)
    }
  })
}
