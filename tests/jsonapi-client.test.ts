/** An independent JSON:API client (kitsu) works against the reference server's run-management API. */
import Kitsu from 'kitsu'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createReference, type Reference } from '../reference/index.ts'

interface Resource {
  id: string
  type: string
  [attribute: string]: unknown
}
interface Answer<T> {
  data: T
  meta?: { pagination: Record<string, number | null> }
  links?: Record<string, string | null>
  status: number
}

let reference: Reference

const provide = async (
  kind: string,
  purpose: string,
): Promise<Record<string, never> & { token: string; fixture: { id: string; run: string; workspace: string } }> => {
  const body = JSON.stringify({ action: 'provide', run: 'test', kind, purpose, parameters: {} })
  return (await fetch(`${reference.url}/control`, { method: 'POST', body })).json()
}

const client = async (identity: string): Promise<Kitsu> => {
  const { token } = await provide('identity', identity)
  return new Kitsu({
    baseURL: `${reference.url}/api/v2`,
    headers: { Authorization: `Bearer ${token}` },
    camelCaseTypes: false,
    pluralize: false,
    resourceCase: 'none',
  })
}

beforeAll(async () => {
  reference = await createReference({ tls: false }).listen()
})
afterAll(async () => {
  await reference.close()
})

test('a client creates, shows, lists in pages and destroys agent tokens', async () => {
  const api = await client('owner')
  const { id: pool } = (await provide('fixture', 'agent-pool')).fixture
  const path = `agent-pools/${pool}/authentication-tokens`
  const created: Resource[] = []
  for (const description of ['one', 'two', 'three']) {
    const answer = (await api.create(path, { type: 'authentication-tokens', description })) as Answer<Resource>
    expect(answer.status).toBe(201)
    created.push(answer.data)
  }
  expect(created[0]).toMatchObject({
    type: 'authentication-tokens',
    description: 'one',
    token: expect.any(String),
    'created-by': { data: { type: 'users' } },
  })
  const shown = (await api.get(`authentication-tokens/${created[1]!.id}`)) as Answer<Resource>
  expect(shown.data).toMatchObject({ description: 'two', token: null, 'last-used-at': null })
  const page = (await api.get(path, { params: { page: { number: 2, size: 2 } } })) as Answer<Resource[]>
  expect(page.data.map(({ description }) => description)).toEqual(['three'])
  expect(page.meta?.pagination).toMatchObject({ 'current-page': 2, 'prev-page': 1, 'next-page': null, 'total-count': 3 })
  expect(page.links?.next).toBeNull()
  await api.delete('authentication-tokens', created[0]!.id)
  await expect(api.get(`authentication-tokens/${created[0]!.id}`)).rejects.toMatchObject({ errors: [{ status: '404' }] })
})

test('a client resolves included resources and overrides', async () => {
  const api = await client('owner')
  const { id, run, workspace } = (await provide('fixture', 'soft-failed-check')).fixture
  // This client sends no POST without a document; the server has no use for it.
  const override = (check: string) =>
    api.request({ method: 'POST', url: `policy-checks/${check}/actions/override`, type: 'policy-checks', body: { id: check } })
  const shown = (await api.get(`policy-checks/${id}`, { params: { include: 'run.workspace' } })) as Answer<Resource>
  expect(shown.data).toMatchObject({
    id,
    status: 'soft_failed',
    run: { data: { id: run, type: 'runs', workspace: { data: { id: workspace, type: 'workspaces' } } } },
  })
  const overridden = (await override(id)) as Answer<Resource>
  expect(overridden.data).toMatchObject({ id, status: 'overridden' })
  await expect(override(id)).rejects.toMatchObject({
    errors: [{ status: '409' }],
  })
})

test('a stranger sees nothing', async () => {
  const api = await client('stranger')
  const { id } = (await provide('fixture', 'soft-failed-check')).fixture
  await expect(api.get(`policy-checks/${id}`)).rejects.toMatchObject({ errors: [{ status: '404' }] })
})
