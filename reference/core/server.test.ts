import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReference, type Reference } from '../index.ts'
import { fakeClock } from './clock.ts'
import type { Json, JsonObject } from './json.ts'
import type { Fault } from './mutation.ts'

const clock = fakeClock()
let reference: Reference

beforeAll(async () => {
  reference = await createReference({ tls: false, clock, rootToken: 'first', mounts: { 'kv/': 'kv1', 'secret/': 'kv2' } }).listen()
})
afterAll(() => reference.close())

interface Answer {
  status: number
  body: JsonObject
}

/** Sends one request; `token` null sends none. */
const call = async (
  method: string,
  path: string,
  body?: Json,
  more: { token?: string | null; namespace?: string; url?: string } = {},
): Promise<Answer> => {
  const headers: Record<string, string> = more.namespace === undefined ? {} : { 'x-service-namespace': more.namespace }
  if (more.token !== null) headers['x-service-token'] = more.token ?? 'first'
  const answer = await fetch(`${more.url ?? reference.url}/v1/${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as JsonObject) }
}

/** A token with a policy of its own. */
const tokenWith = async (policy: string, request: JsonObject = {}, namespace = ''): Promise<string> => {
  const name = `p-${Math.random().toString(36).slice(2)}`
  expect((await call('POST', `sys/policies/acl/${name}`, { policy }, { namespace })).status).toBe(204)
  const { body } = await call('POST', 'auth/token/create', { policies: [name], no_default_policy: true, ...request }, { namespace })
  return (body.auth as JsonObject).client_token as string
}

const statusOf = async (...request: Parameters<typeof call>): Promise<number> => (await call(...request)).status

describe('tokens', () => {
  const read = 'path "kv/*" { capabilities = ["read"] }'

  it('end after their time, their uses, and with their parent', async () => {
    await call('POST', 'kv/x', { a: 1 })
    const brief = await tokenWith(read, { ttl: '10s' })
    const twice = await tokenWith(read, { num_uses: 2 })
    expect([
      await statusOf('GET', 'kv/x', undefined, { token: brief }),
      await statusOf('GET', 'kv/x', undefined, { token: twice }),
    ]).toEqual([200, 200])
    expect([
      await statusOf('GET', 'kv/x', undefined, { token: twice }),
      await statusOf('GET', 'kv/x', undefined, { token: twice }),
    ]).toEqual([200, 403])
    await clock.advance(11)
    expect(await statusOf('GET', 'kv/x', undefined, { token: brief })).toBe(403)
    const parent = await tokenWith('path "auth/token/create" { capabilities = ["update"] }')
    const child = (await call('POST', 'auth/token/create', {}, { token: parent })).body.auth as JsonObject
    expect(await statusOf('POST', 'auth/token/create', {}, { token: child.client_token as string })).toBe(200)
    expect(await statusOf('POST', 'auth/token/revoke', { token: parent })).toBe(204)
    expect(await statusOf('POST', 'auth/token/create', {}, { token: child.client_token as string })).toBe(403)
  })

  it('give children no more than their parent has', async () => {
    const parent = await tokenWith('path "auth/token/create" { capabilities = ["update"] }')
    expect(await statusOf('POST', 'auth/token/create', { policies: ['root'] }, { token: parent })).toBe(400)
  })

  it('need sudo where an endpoint says so', async () => {
    const without = await tokenWith('path "sys/leases/*" { capabilities = ["update"] }')
    const sudo = await tokenWith('path "sys/leases/*" { capabilities = ["update", "sudo"] }')
    expect(await statusOf('POST', 'sys/leases/revoke-prefix/kv', {}, { token: without })).toBe(403)
    expect(await statusOf('POST', 'sys/leases/revoke-prefix/kv', {}, { token: sudo })).toBe(204)
  })

  it('name themselves', async () => {
    const { body } = await call('POST', 'auth/token/create', { display_name: 'Build 7' })
    const self = await call('GET', 'auth/token/lookup-self', undefined, { token: (body.auth as JsonObject).client_token as string })
    expect(self.body.data).toMatchObject({ display_name: 'token-Build 7', policies: ['root'] })
  })
})

describe('namespaces', () => {
  it('hold mounts, policies and tokens of their own, reached by three spellings', async () => {
    await call('POST', 'sys/namespaces/a', {})
    await call('POST', 'sys/namespaces/b', {}, { namespace: 'a/' })
    const inner = { namespace: 'a/b/' }
    await call('POST', 'sys/mounts/kv', { type: 'kv' }, inner)
    await call('POST', 'kv/x', { inside: true }, inner)
    for (const [path, namespace] of [
      ['kv/x', 'a/b/'],
      ['b/kv/x', 'a/'],
      ['a/b/kv/x', undefined],
    ] as const) {
      expect((await call('GET', path, undefined, { namespace })).body.data).toEqual({ inside: true })
    }
    const outer = await tokenWith('path "b/kv/x" { capabilities = ["read"] }', {}, 'a/')
    const own = await tokenWith('path "kv/x" { capabilities = ["read"] }', {}, 'a/b/')
    expect(await statusOf('GET', 'kv/x', undefined, { ...inner, token: outer })).toBe(200)
    expect(await statusOf('GET', 'kv/x', undefined, { ...inner, token: own })).toBe(200)
    expect(await statusOf('GET', 'kv/x', undefined, { token: own })).toBe(403)
    expect((await call('LIST', 'sys/namespaces', undefined, { namespace: 'a' })).body.data).toEqual({ keys: ['b/'] })
    expect(await statusOf('DELETE', 'sys/namespaces/a')).toBe(400)
    expect(await statusOf('DELETE', 'sys/namespaces/b', undefined, { namespace: 'a/' })).toBe(204)
    expect(await statusOf('GET', 'kv/x', undefined, inner)).toBe(404)
  })
})

describe('mounts', () => {
  it('refuse a path in use, forget all when they go, and show what they were tuned to', async () => {
    expect(await statusOf('POST', 'sys/mounts/team/own', { type: 'kv', options: { version: '2' } })).toBe(204)
    expect(await statusOf('POST', 'sys/mounts/team/own', { type: 'kv' })).toBe(400)
    expect(await statusOf('POST', 'sys/mounts/sys/x', { type: 'kv' })).toBe(400)
    expect(await statusOf('POST', 'sys/mounts/other', { type: 'unheard-of' })).toBe(400)
    await call('POST', 'team/own/data/x', { data: { a: 1 } })
    await call('POST', 'sys/mounts/team/own/tune', { default_lease_ttl: '30m' })
    expect((await call('GET', 'sys/mounts/team/own/tune')).body.data).toMatchObject({ default_lease_ttl: 1800, options: { version: '2' } })
    await call('DELETE', 'sys/mounts/team/own')
    await call('POST', 'sys/mounts/team/own', { type: 'kv', options: { version: '2' } })
    expect(await statusOf('GET', 'team/own/data/x')).toBe(404)
  })
})

it('refuses bodies that are nested beyond reason, with 400', async () => {
  const body = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  const answer = await fetch(`${reference.url}/v1/kv/deep`, { method: 'POST', headers: { 'x-service-token': 'first' }, body })
  expect(answer.status).toBe(400)
})

it('serves while unsealed only, and keeps what it stores', async () => {
  const own = await createReference({ tls: false, rootToken: 'own', mounts: { 'kv/': 'kv1' } }).listen()
  const at = { url: own.url, token: 'own' }
  await call('POST', 'kv/x', { a: 1 }, at)
  await call('POST', 'sys/seal', {}, at)
  expect(await statusOf('GET', 'kv/x', undefined, at)).toBe(503)
  expect(await statusOf('GET', 'sys/health', undefined, { ...at, token: null })).toBe(503)
  expect(await statusOf('POST', 'sys/unseal', { key: 'wrong' }, { ...at, token: null })).toBe(400)
  expect(await statusOf('POST', 'sys/unseal', { key: own.unsealKey }, { ...at, token: null })).toBe(200)
  expect((await call('GET', 'kv/x', undefined, at)).body.data).toEqual({ a: 1 })
  await own.close()
})

it('counts how often the code of a fault ran, in its own instance only', async () => {
  const { allFaults } = await import('../faults/index.ts')
  const faults = allFaults.filter(({ id }) => ['kv/v1-merged', 'kv/v2-merged'].includes(id)) as Fault[]
  const faulty = await createReference({ tls: false, rootToken: 'own', mounts: { 'kv/': 'kv1' }, faults }).listen()
  const at = { url: faulty.url, token: 'own' }
  for (const body of [{ a: 1 }, { b: 2 }] as Json[]) {
    await call('POST', 'kv/x', body, at)
    await call('POST', 'kv/x', body)
  }
  expect((await call('GET', 'kv/x', undefined, at)).body.data).toEqual({ a: 1, b: 2 })
  expect((await call('GET', 'kv/x')).body.data).toEqual({ b: 2 })
  expect(Object.fromEntries(faulty.hits)).toEqual({ 'kv/v1-merged': 2, 'kv/v2-merged': 0 })
  await faulty.close()
})
