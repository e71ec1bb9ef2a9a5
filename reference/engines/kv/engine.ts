/** The key-value engine, in both versions. */
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

export const mountTypes = [kv1Engine, kv2Engine]
