/** All engines of the reference server. */
import type { Engine } from '../core/engine.ts'
import { brokerEngine } from './broker/index.ts'
import { databaseEngine } from './database/index.ts'
import { kv1Engine } from './kv/kv1.ts'
import { kv2Engine } from './kv/kv2.ts'
import { pkiEngine } from './pki/index.ts'
import { sshEngine } from './ssh/index.ts'

export const allEngines: Engine[] = [kv1Engine, kv2Engine, sshEngine, pkiEngine, databaseEngine, brokerEngine]
