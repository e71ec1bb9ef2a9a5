import { expect, test } from 'vitest'
import type { Api } from '../core/api.ts'
import { fakeClock } from '../core/clock.ts'
import type { JsonObject } from '../core/json.ts'
import { systemRandom } from '../core/random.ts'
import { agentTokens } from '../engines/agent-tokens/engine.ts'
import { policyChecks } from '../engines/policy-checks/engine.ts'
import { controlApi } from './control.ts'
import { runManagementApi } from './run-management-api.ts'
import { newWorld } from './world.ts'

const MEDIA_TYPE = 'application/vnd.api+json'

const start = () => {
  const clock = fakeClock()
  const world = newWorld()
  const now = () => clock.now()
  const api = runManagementApi({ now, world, random: systemRandom, parts: [policyChecks, agentTokens] })
  const control = controlApi({ now, world, random: systemRandom })
  const send = async (to: Api, method: string, path: string, token = '', body?: JsonObject) => {
    const [below = '', search = ''] = path.split('?')
    const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body))
    const headers: Record<string, string> = { 'content-type': MEDIA_TYPE, ...(token === '' ? {} : { authorization: `Bearer ${token}` }) }
    const reply = await to.handle({ method, path: below, query: new URLSearchParams(search), headers, body: bytes })
    return { status: reply.status, body: reply.body as JsonObject, headers: reply.headers ?? {} }
  }
  const provide = async (kind: string, purpose: string) => (await send(control, 'POST', '', '', { action: 'provide', kind, purpose })).body
  const token = async (purpose: string) => (await provide('identity', purpose)).token as string
  const fixture = async (purpose: string) => (await provide('fixture', purpose)).fixture as { id: string; run: string; checks: string[] }
  return { clock, world, api, control, send, token, fixture, provide }
}

const creation = (description: string): JsonObject => ({ data: { type: 'authentication-tokens', attributes: { description } } })

test('a token is created, shown without its secret, listed, used and destroyed', async () => {
  const { api, send, token, fixture, world } = start()
  const owner = await token('owner')
  const pool = await fixture('agent-pool')
  const created = await send(api, 'POST', `agent-pools/${pool.id}/authentication-tokens`, owner, creation('one'))
  expect(created.status).toBe(201)
  expect(created.headers['content-type']).toBe(MEDIA_TYPE)
  const data = created.body.data as { id: string; attributes: { token: string; 'last-used-at': string | null } }
  const secret = data.attributes.token
  const list = await send(api, 'GET', `agent-pools/${pool.id}/authentication-tokens`, secret)
  expect(list.status).toBe(200)
  expect(JSON.stringify(list.body)).not.toContain(secret)
  expect(JSON.stringify([...world.tokens.values()])).not.toContain(secret)
  const shown = await send(api, 'GET', `authentication-tokens/${data.id}`, owner)
  expect(shown.body).toMatchObject({ data: { attributes: { token: null, 'last-used-at': expect.any(String) } } })
  expect((await send(api, 'DELETE', `authentication-tokens/${data.id}`, owner)).status).toBe(204)
  expect((await send(api, 'DELETE', `authentication-tokens/${data.id}`, owner)).status).toBe(404)
  expect((await send(api, 'GET', `agent-pools/${pool.id}/authentication-tokens`, secret)).status).toBe(401)
})

test('a page says where it is', async () => {
  const { api, send, token, fixture } = start()
  const owner = await token('owner')
  const path = `agent-pools/${(await fixture('agent-pool')).id}/authentication-tokens`
  for (let index = 0; index < 21; index += 1) await send(api, 'POST', path, owner, creation(`token ${index}`))
  const first = await send(api, 'GET', path, owner)
  expect(first.body).toMatchObject({
    meta: { pagination: { 'current-page': 1, 'prev-page': null, 'next-page': 2, 'total-pages': 2, 'total-count': 21 } },
  })
  expect((first.body.data as JsonObject[]).length).toBe(20)
  const second = await send(api, 'GET', `${path}?page%5Bnumber%5D=2`, owner)
  expect((second.body.data as JsonObject[]).length).toBe(1)
  expect((second.body.links as JsonObject).next).toBeNull()
  expect((await send(api, 'GET', `${path}?page[size]=none`, owner)).status).toBe(400)
})

test('hidden things look like missing ones', async () => {
  const { api, send, token, fixture } = start()
  const stranger = await token('stranger')
  const pool = await fixture('agent-pool')
  const hidden = await send(api, 'GET', `agent-pools/${pool.id}/authentication-tokens`, stranger)
  const missing = await send(api, 'GET', 'agent-pools/apool-nothing/authentication-tokens', stranger)
  expect(hidden).toEqual(missing)
  expect(hidden.status).toBe(404)
})

test('a soft-failed check is overridden once, by who may', async () => {
  const { api, send, token, fixture } = start()
  const [owner, reader] = [await token('owner'), await token('reader')]
  const check = await fixture('soft-failed-check')
  const path = `policy-checks/${check.id}`
  expect((await send(api, 'POST', `${path}/actions/override`, reader)).status).toBe(403)
  const overridden = await send(api, 'POST', `${path}/actions/override`, owner)
  expect(overridden.body.data).toMatchObject({ attributes: { status: 'overridden' } })
  expect(overridden.body.data).not.toHaveProperty('relationships')
  expect((await send(api, 'POST', `${path}/actions/override`, owner)).status).toBe(409)
  const shown = await send(api, 'GET', `${path}?include=run.workspace`, owner)
  expect((shown.body.included as JsonObject[]).map(({ type }) => type)).toEqual(['runs', 'workspaces'])
  expect((await send(api, 'GET', `${path}?include=plan`, owner)).status).toBe(400)
})

test('a run lists all its checks, or pages of them', async () => {
  const { api, send, token, fixture } = start()
  const owner = await token('owner')
  const run = await fixture('large-run')
  const ids = (answer: { body: JsonObject }) => (answer.body.data as { id: string }[]).map(({ id }) => id)
  expect(ids(await send(api, 'GET', `runs/${run.id}/policy-checks`, owner))).toEqual(run.checks)
  expect(ids(await send(api, 'GET', `runs/${run.id}/policy-checks?page%5Bnumber%5D=2`, owner))).toEqual(run.checks.slice(20, 40))
})

test('what was provided can be undone', async () => {
  const { control, send, provide, world } = start()
  const answer = await provide('fixture', 'soft-failed-check')
  await send(control, 'POST', '', '', { action: 'undo', undo: answer.undo ?? null })
  expect([world.checks.size, world.runs.size, world.workspaces.size]).toEqual([0, 0, 0])
  expect(await provide('fixture', 'no-such-thing')).toEqual({ unavailable: 'no fixture is known as no-such-thing' })
  expect(await provide('mount', 'kv1')).toHaveProperty('unavailable')
})
