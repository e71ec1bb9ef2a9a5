import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backendJournal } from '../../tests/support/backend-journal.ts'
import { type Backends, startBackends } from '../backends/chain.ts'
import { sqlPlace } from '../backends/sql-place.ts'
import { serviceOf } from '../base/backend-handle.ts'
import { amqpLogin, amqpMay } from './amqp.ts'
import { brokerAdmin } from './rabbitmq-management.ts'
import { tcpGate } from './tcp-gate.ts'

const journal = backendJournal()
let backends: Backends
beforeAll(async () => {
  const signal = new AbortController().signal
  backends = await startBackends(['postgres', 'mariadb', 'rabbitmq'], { external: {}, journal, onProgress: () => {}, signal })
}, 120_000)
afterAll(() => backends?.stop(), 30_000)

const user = { username: 'somebody', password: 'right' }
const statements: Record<string, { create: string; grant: string; drop: string }> = {
  postgres: {
    create: `CREATE ROLE somebody WITH LOGIN PASSWORD 'right'`,
    grant: 'GRANT SELECT ON granted TO somebody',
    drop: 'DROP OWNED BY somebody; DROP ROLE somebody',
  },
  mariadb: {
    create: `CREATE USER 'somebody'@'%' IDENTIFIED BY 'right'`,
    grant: `GRANT SELECT ON granted TO 'somebody'@'%'`,
    drop: `DROP USER 'somebody'@'%'`,
  },
}

for (const [name, { create, grant, drop }] of Object.entries(statements))
  it(`${name}: logins, rights and sessions are seen as the server grants them`, async ({ skip }) => {
    if (backends.handles[name] === undefined) return skip(backends.missing[name]?.reason)
    const handle = serviceOf(backends.handles[name])
    const place = await sqlPlace(handle, 'assay_oracle', 'admin-pw')
    try {
      expect(await place.login(place.admin)).toBe(true)
      expect(await place.login(user)).toBe(false)
      for (const statement of ['CREATE TABLE granted (n int)', 'CREATE TABLE denied (n int)', create])
        await place.as(place.admin, statement)
      expect(await place.grantees()).toEqual([])
      await place.as(place.admin, grant)
      expect(await place.grantees()).toEqual(['somebody'])
      expect(await place.login(user)).toBe(true)
      expect(await place.login({ ...user, password: 'wrong' })).toBe(false)
      expect(await place.as(user, 'SELECT n FROM granted')).toEqual([])
      expect(await place.as(user, 'SELECT n FROM denied')).toBe('refused')
      for (const statement of drop.split('; ')) await place.query(statement)
      expect(await place.login(user)).toBe(false)
    } finally {
      await place.drop(['somebody'])
    }
    const again = await sqlPlace(handle, 'assay_oracle', 'admin-pw')
    await again.drop([])
  }, 60_000)

it('rabbitmq: logins and rights are seen as the broker grants them', async ({ skip }) => {
  if (backends.handles.rabbitmq === undefined) return skip(backends.missing.rabbitmq?.reason)
  const handle = serviceOf(backends.handles.rabbitmq)
  const admin = brokerAdmin(handle)
  await admin.createVhost('oracle')
  await admin.createQueue('oracle', 'queue')
  await admin.createTopicExchange('oracle', 'topic')
  const root = { username: handle.username, password: handle.password, vhost: 'oracle' }
  expect(await amqpLogin(handle, root)).toBe(true)
  expect(await amqpLogin(handle, { ...root, password: 'wrong' })).toBe(false)
  expect(await amqpMay(handle, root, { bind: { queue: 'queue', exchange: 'topic', routingKey: '#' } })).toBe(true)
  expect(await amqpMay(handle, root, { publish: { exchange: 'topic', routingKey: 'k' } })).toBe(true)
  expect(await amqpMay(handle, root, { fetch: 'queue' })).toBe(true)
  await admin.createAdministrator('outsider', 'pw')
  expect(await amqpLogin(handle, { username: 'outsider', password: 'pw', vhost: 'oracle' })).toBe(false)
  expect(await admin.tagsOf('outsider')).toEqual(['administrator'])
  expect(await admin.usersOf('oracle')).toEqual([])
  await admin.deleteUser('outsider')
  expect(await admin.tagsOf('outsider')).toBeUndefined()
  await admin.deleteVhost('oracle')
}, 60_000)

describe('a gate', () => {
  it('shuts and opens at the same port', async ({ skip }) => {
    if (backends.handles.rabbitmq === undefined) return skip(backends.missing.rabbitmq?.reason)
    const handle = serviceOf(backends.handles.rabbitmq)
    const gate = await tcpGate(handle.host, Number(handle.extra.managementPort))
    const asked = (): Promise<number> => fetch(`http://127.0.0.1:${gate.port}/`).then(({ status }) => status)
    expect(await asked()).toBe(200)
    await gate.shut()
    await expect(asked()).rejects.toThrow()
    await gate.open()
    expect(await asked()).toBe(200)
    await gate.close()
  })
})
