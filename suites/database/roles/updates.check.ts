/** Updates of roles: lists that are emptied, and updates that are refused, field by field. */
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { unverified } from '../unverified.ts'

const LISTS = ['revocation_statements', 'rollback_statements', 'renew_statements']

/** A body whose statements and times all carry a number. */
const numbered = (db_name: string, number: number): JsonObject => ({
  db_name,
  creation_statements: [`CREATE ROLE "{{username}}" CONNECTION LIMIT ${number}`],
  default_ttl: 60 * number,
  max_ttl: 600 * number,
  ...Object.fromEntries(LISTS.map((list) => [list, [`${list} ${number}`]])),
})

check('database/role-statements-emptied', 'DATABASE-ROLE-02', 'a list that is written empty is empty', async ({ bench, expect }) => {
  const connection = await unverified(bench)
  for (const list of LISTS) {
    const path = { name: bench.mixedName('role') }
    const body = numbered(connection, 1)
    await bench.given('database.writeRole', { path, body })
    expect(await bench.call('database.writeRole', { path, body: { ...body, [list]: [] } }), `${list} written empty`).toSucceed()
    const { data } = await bench.given('database.readRole', { path })
    for (const one of LISTS) expect(data[one], `${one} once ${list} was emptied`).toEqual(one === list ? [] : body[one])
  }
})

check('database/role-update-refused', 'DATABASE-ROLE-02', 'a refused update of a role changes no field', async ({ bench }) => {
  const connection = await unverified(bench)
  const objects = Object.fromEntries(['creation_statements', ...LISTS].map((list) => [list, [{ a: {} }]]))
  for (const [field, bad] of Object.entries({ ...objects, default_ttl: { a: {} }, max_ttl: { a: {} } })) {
    const path = { name: bench.mixedName('role') }
    await bench.given('database.writeRole', { path, body: numbered(connection, 1) })
    const body = numbered(connection, 2)
    await bench.refuses('database.writeRole', {
      label: field,
      bad: { path, body: { ...body, [field]: bad } },
      control: { path, body },
      unchanged: { operation: 'database.readRole', input: { path } },
    })
  }
})
