import { expect, test } from 'vitest'
import { http, json } from '../../tests/support/hostile-servers.ts'
import { loadContract } from '../contract/load.ts'
import { openTarget } from '../running/open-target.ts'
import { SecretRegistry } from '../secrets/secrets.ts'
import { objectEntry, removeObject } from './left-objects.ts'
import type { UndoEntry } from './provisioner.ts'
import { completeRun, completeTarget } from './run-configuration.ts'

const entry: UndoEntry = { kind: 'object', name: 'sys/managed-keys/pkcs11/assay-k', namespace: '' }

const removed = (answers: { DELETE: number; GET?: number }): Promise<void> =>
  removeObject(async (method) => ({ status: (method === 'DELETE' ? answers.DELETE : answers.GET) ?? 500, body: {} }), entry)

test.each([{ DELETE: 204 }, { DELETE: 200 }, { DELETE: 404 }, { DELETE: 400, GET: 404 }])('an object is gone after %j', async (answers) => {
  await expect(removed(answers)).resolves.toBeUndefined()
})

test.each([{ DELETE: 500 }, { DELETE: 400, GET: 200 }, { DELETE: 403, GET: 403 }])('an object is still there after %j', async (answers) => {
  await expect(removed(answers)).rejects.toThrow('removing sys/managed-keys/pkcs11/assay-k failed')
})

test.each(['static', 'sys'] as const)('an object is in the journal until a %s target has let it go', async (kind) => {
  const asked: string[] = []
  const server = await http((request, response) => {
    asked.push(`${request.method} ${request.url} ${String(request.headers['x-service-namespace'] ?? '')}`)
    json(200, {})(request, response)
  })
  const contract = await loadContract()
  const config = completeTarget({ api: 'secrets', url: server.url, engines: ['kv'], provisioner: { kind } }, process.cwd())
  const written: UndoEntry[] = []
  const struck: UndoEntry[] = []
  const target = openTarget(contract, completeRun({}, process.cwd()), config, {
    run: 'r',
    token: 'some-token',
    secrets: new SecretRegistry(),
    journal: (_config, one) => void written.push(one),
    removed: (_config, one) => void struck.push(one),
    signal: new AbortController().signal,
  })
  const operation = contract.operations.get('managedKeys.delete')!
  const left = objectEntry(target, operation, { type: 'pkcs11', name: 'assay k' }, 'admin/')
  target.leave(left)
  expect(written).toEqual([{ kind: 'object', name: 'sys/managed-keys/pkcs11/assay%20k', namespace: 'admin/' }])
  await target.provisioner.undo(left)
  expect(struck).toEqual([left])
  expect(asked).toEqual(['DELETE /v1/sys/managed-keys/pkcs11/assay%20k admin/'])
  await target.http.close()
  await server.close()
})
