/** What faults and variants of the database engine share. */
import type { DatabaseRoute } from './engine.ts'

export type Handle = DatabaseRoute['handle']

export type DatabaseCall = Parameters<Handle>[0]

export const nameOf = (call: DatabaseCall): string => call.params.name ?? ''
