import { model } from '../../../harness/checks/index.ts'
import { VERSION_1, VERSION_2 } from '../fixtures.ts'
import { type DirectoryClauses, directories } from './model.ts'

const V1: DirectoryClauses = {
  read: 'KV-V1-01',
  replaced: 'KV-V1-04',
  absent: 'KV-V1-08',
  listed: 'KV-LIST-01',
  strangers: 'KV-LIST-02',
  empty: 'KV-LIST-05',
}

// Listings of the versioned engine name keys at the path by one clause; strangers and empty ones is the common ones'.
const V2: DirectoryClauses = {
  read: 'KV-V2-02',
  replaced: 'KV-V2-06',
  absent: 'KV-V2-07',
  listed: 'KV-LIST-09',
  strangers: 'KV-LIST-02',
  empty: 'KV-LIST-05',
}

model('kv/v1-model', Object.values(V1), 'any sequence of writes, reads and listings', { runs: [10, 30] }, directories(VERSION_1, V1))
model('kv/v2-model', Object.values(V2), 'any sequence of writes, reads and listings', { runs: [10, 30] }, directories(VERSION_2, V2))
