/** Everything that the tables of some MariaDB or MySQL databases hold. */
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { identifier } from './mysql-quoting.ts'
import type { StoredRow } from './sql.ts'

/** @internal use SqlPlace.contents() */
export const mysqlContents = async (admin: Connection, databases: readonly string[]): Promise<StoredRow[]> => {
  const [tables] = await admin.query<RowDataPacket[]>(
    'SELECT table_schema AS `schema`, table_name AS `name` FROM information_schema.tables WHERE table_schema IN (?) ORDER BY 1, 2',
    [databases],
  )
  const stored: StoredRow[] = []
  for (const { schema, name } of tables as { schema: string; name: string }[]) {
    const [rows] = await admin.query<RowDataPacket[]>({
      sql: `SELECT * FROM ${identifier(schema)}.${identifier(name)}`,
      typeCast: (field) => field.buffer(),
    })
    for (const row of rows as Record<string, Buffer | null>[]) {
      const values = Object.entries(row).flatMap(([column, bytes]) =>
        bytes === null ? [] : [{ column, text: bytes.toString('utf8'), bytes }],
      )
      stored.push({ schema, table: name, values })
    }
  }
  return stored
}
