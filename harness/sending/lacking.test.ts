import { expect, test } from 'vitest'
import { Blocked, Refused, Unsupported } from '../base/errors.ts'
import type { Feature, Provided } from '../target/features.ts'
import type { Target } from '../target/target.ts'
import { answerOf, lackingFeature, lackingOperation, presentDespite } from './lacking.ts'
import { Ledger } from './ledger.ts'

const targetWith = (features: Provided[], missing: [Feature, Blocked][] = [], without: string[] = [], kind = 'sys'): Target =>
  ({
    provisioner: { kind, features: new Set(features) },
    missing: new Map(missing),
    present: new Set(),
    config: { without },
  }) as unknown as Target

const answered = (status: number) => ({ operation: 'ssh.writeCa', status, ok: status < 300 }) as Parameters<typeof answerOf>[2]

test('a feature that is there blocks nothing; one that the server lacks blocks by name', () => {
  const gone = new Unsupported('creating a namespace failed with status 404', 'look')
  const target = targetWith(['leases'], [['namespaces', gone]])
  expect(lackingFeature(target, { features: ['leases'] })).toBeUndefined()
  expect(lackingFeature(target, {})).toBeUndefined()
  expect(lackingFeature(target, { features: ['leases', 'namespaces'] })).toMatchObject({ lacks: 'namespaces' })
  expect(lackingFeature(targetWith([], [], [], 'static'), { features: ['mounts'] })).toMatchObject({ lacks: 'mounts' })
  expect(lackingFeature(targetWith([], [], ['pkcs11']), { features: ['pkcs11'] })).toMatchObject({ lacks: 'pkcs11' })
  expect(lackingFeature(targetWith([]), { features: ['pkcs11'] })).toBeUndefined()
})

test('a feature that failed when it was tried blocks, and is not lacking', () => {
  const failed = new Blocked('creating a namespace failed with status 500', 'look')
  expect(lackingFeature(targetWith([], [['namespaces', failed]]), { features: ['namespaces'] })).toMatchObject({ lacks: undefined })
})

test('an operation is lacking where the configuration says so and the server has no such route', () => {
  const target = targetWith([], [], ['ssh.writeKey'])
  expect(lackingOperation(target, new Refused('ssh.writeKey', 404, ''))).toBe('ssh.writeKey')
  expect(lackingOperation(target, new Refused('ssh.writeKey', 500, ''))).toBeUndefined()
  expect(lackingOperation(target, new Refused('ssh.writeCa', 404, ''))).toBeUndefined()
  expect(lackingOperation(target, new Blocked('else', 'look'))).toBeUndefined()
})

test('a request that needs a feature stops the check only where it is refused and the target is said to be without', () => {
  const without = targetWith([], [], ['replaceCa'])
  expect(() => answerOf(without, 'replaceCa', answered(400))).toThrow(Blocked)
  expect(answerOf(without, 'replaceCa', answered(500)).status).toBe(500)
  expect(answerOf(targetWith([]), 'replaceCa', answered(400)).status).toBe(400)
})

test('what is there although the configuration says that it is not', () => {
  const ledger = new Ledger()
  ledger.statuses.set('ssh.writeKey', new Map([[204, 1]]))
  ledger.statuses.set('ssh.deleteKey', new Map([[404, 2]]))
  const target = targetWith(['namespaces'], [], ['namespaces', 'leases', 'replaceCa', 'ssh.writeKey', 'ssh.deleteKey'])
  expect(presentDespite({ ledger }, target)).toEqual(['namespaces', 'ssh.writeKey'])
  answerOf(target, 'replaceCa', answered(204))
  expect(presentDespite({ ledger }, target)).toContain('replaceCa')
})
