import { expect, test } from 'vitest'
import type { JsonObject } from '../../base/json.ts'
import type { LeaseAnswer } from '../provisioner.ts'
import { removeEntity, tokenOfEntity } from './sys-entities.ts'

const REQUEST = { name: 'assay-i', entity: 'token-harbour', namespace: '', token: { policies: ['assay-i'] } }

/** A server that answers these paths, and 404 to all others. */
const answering = (answers: Record<string, JsonObject>) => {
  const sent: [string, string, JsonObject?][] = []
  const send = async (method: string, path: string, { body }: { body?: JsonObject } = {}): Promise<LeaseAnswer> => {
    sent.push(body === undefined ? [method, path] : [method, path, body])
    return answers[path] === undefined ? { status: 404, body: { errors: [] } } : { status: 200, body: answers[path] }
  }
  return { send, sent }
}

const WHOLE = {
  'sys/auth': { data: { 'token/': { accessor: 'auth_token_1' } } },
  'identity/entity': { data: { id: 'e-1' } },
  'identity/entity-alias': {},
  'auth/token/roles/assay-i': {},
  'auth/token/create/assay-i': { auth: { client_token: 't' } },
}

test('a token belongs to an entity by the alias that its role names', async () => {
  const server = answering(WHOLE)
  expect((await tokenOfEntity(server, REQUEST))?.body).toEqual({ auth: { client_token: 't' } })
  expect(server.sent).toContainEqual([
    'POST',
    'identity/entity-alias',
    { name: 'assay-i', canonical_id: 'e-1', mount_accessor: 'auth_token_1' },
  ])
  expect(server.sent.at(-1)).toEqual(['POST', 'auth/token/create/assay-i', { policies: ['assay-i'], entity_alias: 'assay-i' }])
  await removeEntity(server, REQUEST)
  expect(server.sent.slice(-2)).toEqual([
    ['DELETE', 'auth/token/roles/assay-i'],
    ['DELETE', 'identity/entity/name/token-harbour'],
  ])
})

test.each(Object.keys(WHOLE))('a server without %s has no such token', async (path) => {
  const { [path]: _, ...rest } = WHOLE as Record<string, JsonObject>
  expect(await tokenOfEntity(answering(rest), REQUEST)).toBeUndefined()
})
