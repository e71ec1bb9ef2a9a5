/** Tokens in PostgreSQL. */
import pg from 'pg'
import { CONNECT_MS, filled, metadataText, type SqlKind, type SqlRow, STATEMENT_MS, type Statement } from './sql-kind.ts'

const lookup = (column: string): SqlKind['byToken'] => {
  return (table, owner, digests) => [
    { sql: `SELECT * FROM ${table} WHERE owner = $1 AND ${column} = ANY($2::text[])`, values: [owner, digests] },
  ]
}

const inTransaction = async (client: pg.Client, statements: readonly Statement[]): Promise<SqlRow[]> => {
  await client.query('BEGIN')
  try {
    let rows: SqlRow[] = []
    for (const { sql, values } of statements) rows = (await client.query<SqlRow>(sql, values)).rows
    await client.query('COMMIT')
    return rows
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}

export const postgresTokens: SqlKind = {
  knows: (template) => /^postgres(ql)?:\/\//.test(template),
  async open(template, credentials) {
    const client = new pg.Client({
      connectionString: filled(template, credentials, encodeURIComponent),
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: STATEMENT_MS,
    })
    client.on('error', () => undefined)
    await client.connect()
    return {
      async run(statements) {
        const [first] = statements
        if (first !== undefined && statements.length === 1) return (await client.query<SqlRow>(first.sql, first.values)).rows
        return inTransaction(client, statements)
      },
      close: () => client.end(),
      onLost: (action) => void client.once('end', action),
    }
  },
  quoted: (name) => `"${name.replaceAll('"', '""')}"`,
  hasSchemas: true,
  creation: (table) => [
    // Two that make the same table at once would fail on its name.
    { sql: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', values: [table] },
    {
      sql: `CREATE TABLE IF NOT EXISTS ${table} (
        owner text NOT NULL, token text NOT NULL, value text NOT NULL, sealed text NOT NULL, metadata text NOT NULL,
        expires_at double precision, PRIMARY KEY (owner, token), UNIQUE (owner, value, token))`,
      values: [],
    },
  ],
  insertion: (table, tokens) => [
    {
      sql: `INSERT INTO ${table} (owner, token, value, sealed, metadata, expires_at)
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::float8[])`,
      values: [
        tokens.map(({ owner }) => owner),
        tokens.map(({ token }) => token),
        tokens.map(({ value }) => value),
        tokens.map(({ sealed }) => sealed),
        tokens.map(({ metadata }) => metadataText(metadata)),
        tokens.map(({ expiresAt }) => expiresAt ?? null),
      ],
    },
  ],
  byToken: lookup('token'),
  byValue: lookup('value'),
}
