/** Decisions about the connection to the broker. */
import { ApiError, invalid } from '../../core/errors.ts'
import { flagOf, textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { BrokerAddress } from './management.ts'

const REQUIRED = ['connection_uri', 'username', 'password']

export const connectionRules = {
  connectionComplete(body: JsonObject): void {
    for (const field of REQUIRED) if (textOf(body, field) === '') throw invalid(`${field} is required`)
  },
  connectionOf: (body: JsonObject): BrokerAddress => ({
    uri: textOf(body, 'connection_uri'),
    username: textOf(body, 'username'),
    password: textOf(body, 'password'),
  }),
  verifies: (body: JsonObject): boolean => flagOf(body, 'verify_connection', true),
  storesUnverified: (): boolean => false,
  replaced: (_previous: BrokerAddress | undefined, next: BrokerAddress): BrokerAddress => next,
  failureText: (error: unknown, _connection: BrokerAddress): string => (error instanceof ApiError ? error.message : String(error)),
}
