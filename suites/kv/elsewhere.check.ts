/** Entries of one name in several places, in both versions. */
import { elsewhere, type JsonObject } from '../../harness/checks/index.ts'

elsewhere('kv/v1-elsewhere', 'entries of one name', {
  type: 'kv1',
  clause: 'CORE-MOUNT-02',
  operations: { write: 'kv1.write', read: 'kv1.read', remove: 'kv1.delete' },
  parameter: 'path',
  bodies: async (): Promise<JsonObject[]> => [{ first: '1' }, { second: '2' }, { third: '3' }],
})

elsewhere('kv/v2-elsewhere', 'entries of one name', {
  type: 'kv2',
  clause: 'CORE-MOUNT-02',
  operations: { write: 'kv2.write', read: 'kv2.read', remove: 'kv2.deleteMetadata' },
  parameter: 'path',
  changing: ['metadata'],
  bodies: async (): Promise<JsonObject[]> => [{ data: { first: '1' } }, { data: { second: '2' } }, { data: { third: '3' } }],
})
