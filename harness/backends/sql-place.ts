/** Databases for checks, on whichever SQL backend. */
import type { BackendHandle } from '../base/backend-handle.ts'
import type { SqlPlace } from '../oracles/sql.ts'
import { kindOf } from './backend-kinds.ts'

/**
 * Makes a database and an administrator for one check.
 *
 * @param name lower-case letters, digits and underscores, at most 28 characters; names both.
 * @throws Error for a backend that is not an SQL database.
 */
export const sqlPlace = async (handle: BackendHandle, name: string, password: string): Promise<SqlPlace> => {
  const { sqlPlace: make } = kindOf(handle.name)
  if (make === undefined) throw new Error(`${handle.name} is not an SQL database`)
  return make(handle, name, password)
}
