/** Everything that the tables of a PostgreSQL database hold. */
import { identifier, literal } from './postgres-quoting.ts'
import type { Row, StoredRow, StoredValue } from './sql.ts'

type Query = (sql: string) => Promise<Row[]>

const SYSTEM = `('pg_catalog', 'information_schema', 'pg_toast')`
/** What the column of a row is called in the query; no name of the table's can be in the way. */
const nth = (index: number): string => `value_${index}`

const rowOf = (row: Row, columns: readonly Row[]): StoredValue[] =>
  columns.flatMap(({ name, type }, index) => {
    const value = row[nth(index)]
    if (typeof value !== 'string') return []
    const bytes = type === 'bytea' ? Buffer.from(value.slice('\\x'.length), 'hex') : Buffer.from(value)
    return [{ column: String(name), text: value, bytes }]
  })

/** @internal use SqlPlace.contents() */
export const postgresContents = async (query: Query): Promise<StoredRow[]> => {
  const tables = await query(
    `SELECT c.oid::text AS id, nspname AS schema, relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
     WHERE relkind IN ('r', 'm') AND nspname NOT IN ${SYSTEM} ORDER BY 2, 3`,
  )
  const stored: StoredRow[] = []
  for (const { id, schema, name } of tables) {
    const columns = await query(
      `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
       WHERE attrelid = ${literal(String(id))}::oid AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    )
    const selected = columns.map((column, index) => `${identifier(String(column.name))}::text AS ${nth(index)}`)
    const rows = await query(`SELECT ${selected.join(', ')} FROM ${identifier(String(schema))}.${identifier(String(name))}`)
    for (const row of rows) stored.push({ schema: String(schema), table: String(name), values: rowOf(row, columns) })
  }
  return stored
}
