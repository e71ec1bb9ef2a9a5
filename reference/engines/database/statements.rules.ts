/** Decisions about statements and what is filled into them. */
import type { UserValues } from './state.ts'
import { fill, splitStatements, timestamp } from './statements.ts'

export const statementRules = {
  templateValues: (user: UserValues): Record<string, string> => ({
    name: user.username,
    username: user.username,
    password: user.password,
    expiration: timestamp(user.expiresAt),
  }),
  prepared: (statements: string[], values: Record<string, string>): string[] =>
    statements.flatMap(splitStatements).map((statement) => fill(statement, values)),
}
