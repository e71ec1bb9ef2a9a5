/** Decisions about access tokens. */
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Roleset } from './state.ts'

export const tokenRules = {
  mayGiveToken({ secretType }: Roleset): void {
    if (secretType !== 'access_token') throw invalid('the roleset is not of type access_token')
  },
  tokenScopes: (roleset: Roleset): string[] => roleset.scopes,
  shownToken: (token: string, expiresIn: number, now: number): JsonObject => ({
    token,
    expires_at_seconds: Math.floor(now + expiresIn),
    token_ttl: expiresIn,
  }),
}
