/** How a target is told where a database is. */
import type { BackendHandle } from '../base/backend-handle.ts'

/**
 * The forms that servers of the family take, by kind of database: `{host}`, `{port}` and `{database}` are filled in by {@link sqlAddress};
 * `{{username}}` and `{{password}}` are left to the target.
 */
export const connectionStrings = {
  postgres: 'postgresql://{{username}}:{{password}}@{host}:{port}/{database}?sslmode=disable',
  mariadb: '{{username}}:{{password}}@tcp({host}:{port})/{database}',
} as const

/**
 * A connection string with the database as the target reaches it.
 *
 * @param port instead of the database's own, e.g. that of a gate in front of it
 */
export const sqlAddress = (template: string, handle: BackendHandle, database: string, port = handle.targetPort): string =>
  template.replaceAll('{host}', handle.targetHost).replaceAll('{port}', String(port)).replaceAll('{database}', database)
