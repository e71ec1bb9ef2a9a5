import type { OperatorSettings } from '../../core/operator.ts'

/** Decisions about requests to the provider. */
export const providerCallRules = {
  /** The way to the provider that is taken, where the operator has named one. */
  wayToProvider: (cloud: OperatorSettings['cloud']): OperatorSettings['cloud'] => cloud,
  /** Logs in with a key that the provider has made. */
  loggedIn: <T>(login: () => Promise<T>): Promise<T> => login(),
  /** Waits until the provider can be asked. */
  providerReached: async (): Promise<void> => undefined,
}
