/** What the later faults share. */
import { faultsOf } from '../../mutations/declare.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

export const kv1 = faultsOf(kv1Engine, 'kv')
export const kv2 = faultsOf(kv2Engine, 'kv')

export const directoryOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))
