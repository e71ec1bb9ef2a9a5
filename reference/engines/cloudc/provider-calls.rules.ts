/** Decisions about requests to the provider. */
export const providerCallRules = {
  /** Waits until the provider can be asked. */
  providerReached: async (): Promise<void> => undefined,
}
