/** Where tokens are kept: in the mount itself, or in a database. */

/** What is kept of a token; nobody can tell token or value from it without the key of the transformation. */
export interface KeptToken {
  /** Of the transformation. */
  owner: string
  /** Keyed digest of the token, hexadecimal. */
  token: string
  /** Keyed digest of the value, hexadecimal. */
  value: string
  /** The value under AES-256-GCM, base64. */
  sealed: string
  metadata: string
  /** Seconds since the epoch; undefined for ever. */
  expiresAt: number | undefined
}

export interface TokenStore {
  /** Keeps all of them or none. */
  put(tokens: readonly KeptToken[]): Promise<void>
  /** Those of a transformation with these digests of tokens, by digest. */
  byToken(owner: string, digests: readonly string[]): Promise<Map<string, KeptToken>>
  /** Those of a transformation with these digests of values. */
  byValue(owner: string, digests: readonly string[]): Promise<KeptToken[]>
  close(): Promise<void>
}

/** Tokens in the memory of the mount. */
export const internalStore = (): TokenStore => {
  const byToken = new Map<string, KeptToken>()
  const byValue = new Map<string, KeptToken[]>()
  const key = (owner: string, digest: string): string => `${owner} ${digest}`
  return {
    async put(tokens) {
      for (const token of tokens) {
        byToken.set(key(token.owner, token.token), token)
        const known = byValue.get(key(token.owner, token.value)) ?? []
        byValue.set(key(token.owner, token.value), [...known, token])
      }
    },
    async byToken(owner, digests) {
      const found = new Map<string, KeptToken>()
      for (const digest of digests) {
        const token = byToken.get(key(owner, digest))
        if (token !== undefined) found.set(digest, token)
      }
      return found
    },
    byValue: async (owner, digests) => [...new Set(digests)].flatMap((digest) => byValue.get(key(owner, digest)) ?? []),
    async close() {},
  }
}
