import { model, race } from '../../harness/checks/index.ts'
import { VERSION_1, VERSION_2 } from './entries.ts'
import { commandsFor, worldOf } from './v1-model.ts'

const definition = (version: typeof VERSION_1) => ({ world: worldOf, initial: () => ({}), commands: commandsFor(version) })
const probes = [0, 1, 2].map((key) => ({ command: 'read', drawn: { key } }))

model('kv/v1-model', 'KV-V1-04', 'after any sequence of writes each key shows its latest', {}, definition(VERSION_1))
model('kv/v2-model', 'KV-V2-06', 'after any sequence of writes each key shows its latest', {}, definition(VERSION_2))

race('kv/v1-race', 'KV-V1-13', 'concurrent writes and reads have an order', {}, { ...definition(VERSION_1), probes })
race('kv/v2-race', 'KV-V2-27', 'concurrent writes and reads have an order', {}, { ...definition(VERSION_2), probes })
