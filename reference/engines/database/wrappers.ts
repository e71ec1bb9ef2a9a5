/** What faults and variants of the database engine share. */
import type { DatabaseRoute } from './engine.ts'

export type Handle = DatabaseRoute['handle']

export const nameOf = (call: Parameters<Handle>[0]): string => call.params.name ?? ''
