/** A store of tokens in a database. */
import type { Clock } from '../../core/clock.ts'
import { SessionPool } from './session-pool.ts'
import { type SqlKind, type SqlRow, type Statement, tokenOfRow } from './sql-kind.ts'
import type { StoreSettings } from './state.ts'
import type { StoreRules } from './stores.rules.ts'
import type { TokenStore } from './token-store.ts'

/** Tokens as rows of one table; throws what the rule for failures makes of those of the database. */
export const sqlStore = (rules: StoreRules, kind: SqlKind, settings: StoreSettings, clock: Clock): TokenStore => {
  const { username, password } = settings
  const table = rules.tableOf(kind, settings.schema)
  const pool = new SessionPool(rules.poolLimits(settings), clock, () => rules.openedSession(kind, settings, { username, password }))
  const run = async (statements: Statement[]): Promise<SqlRow[]> => {
    try {
      return await pool.use((session) => session.run(statements))
    } catch (error) {
      throw rules.storeFailure(error, settings)
    }
  }
  const found = async (by: 'byToken' | 'byValue', owner: string, digests: readonly string[]) =>
    digests.length === 0 ? [] : (await run(rules.lookup(kind, table, by, owner, digests))).map(tokenOfRow)
  return {
    async put(tokens) {
      await run(rules.insertion(kind, table, tokens))
    },
    byToken: async (owner, digests) => new Map((await found('byToken', owner, digests)).map((token) => [token.token, token])),
    byValue: (owner, digests) => found('byValue', owner, digests),
    close: () => pool.close(),
  }
}
