/** Names that nobody gave. */
import { check } from '../../harness/checks/index.ts'

check('database/connection-unknown', ['DB-CONN-04', 'DB-CONN-08'], 'an unknown connection is not found', async ({ bench, expect }) => {
  const name = bench.fresh('unknown')
  const read = await bench.call('database.readConnection', { path: { name } })
  await bench.decide('DB-CONN-04', () => expect(read).toHaveStatus(404))
  const deleted = await bench.call('database.deleteConnection', { path: { name } })
  bench.observe('DB-CONN-08', deleted.status)
})

check(
  'database/role-unknown',
  ['DB-ROLE-04', 'DB-ROLE-07', 'DB-CREDS-04'],
  'an unknown role is not found and gives no credentials',
  async ({ bench, expect }) => {
    const path = { name: bench.fresh('unknown') }
    const read = await bench.call('database.readRole', { path })
    await bench.decide('DB-ROLE-04', () => expect(read).toHaveStatus(404))
    const creds = await bench.call('database.readCreds', { path })
    await bench.decide('DB-CREDS-04', () => expect(creds).toHaveStatus(400, 404))
    bench.observe('DB-ROLE-07', (await bench.call('database.deleteRole', { path })).status)
  },
)

check('database/static-unknown', ['DB-STATIC-06', 'DB-STATIC-10'], 'an unknown static role is not found', async ({ bench, expect }) => {
  const path = { name: bench.fresh('unknown') }
  const read = await bench.call('database.readStaticRole', { path })
  await bench.decide('DB-STATIC-06', () => expect(read).toHaveStatus(404))
  bench.observe('DB-STATIC-10', (await bench.call('database.deleteStaticRole', { path })).status)
})

check(
  'database/static-actions-unknown',
  ['DB-SCREDS-07', 'DB-ROTATE-05'],
  'an unknown static role gives no credentials and is not rotated',
  async ({ bench, expect }) => {
    const path = { name: bench.fresh('unknown') }
    const creds = await bench.call('database.readStaticCreds', { path })
    await bench.decide('DB-SCREDS-07', () => expect(creds).toHaveStatus(400, 404))
    const rotated = await bench.call('database.rotateRole', { path })
    await bench.decide('DB-ROTATE-05', () => expect(rotated).toHaveStatus(400, 404))
  },
)

check(
  'database/connection-actions-unknown',
  ['DB-RESET-04', 'DB-ROOT-04'],
  'an unknown connection is neither reset nor rotated',
  async ({ bench, expect }) => {
    const path = { name: bench.fresh('unknown') }
    const reset = await bench.call('database.resetConnection', { path })
    await bench.decide('DB-RESET-04', () => expect(reset).toBeRefused())
    const rotated = await bench.call('database.rotateRoot', { path })
    await bench.decide('DB-ROOT-04', () => expect(rotated).toBeRefused())
  },
)
