/** Legal alternatives of the test of keys that cloud services hold. */
import { setTimeout as pause } from 'node:timers/promises'
import { lateWay } from '../../clouds/late-provider.ts'
import { variantsOf } from '../../faults/declare.ts'
import { managedKeysEngine } from './engine.ts'

const { rule, declared } = variantsOf(managedKeysEngine)

const SLOW_MS = 700
const CONSISTENT_MS = 5000

rule('cloud-slow', 'a test takes as long as its service does', 'services of cloud keys take their time', {
  beforeAsking: () => () => pause(SLOW_MS),
})
rule('cloud-consistent-late', 'a service may know of a key later than it has made it', 'a key that was made is used seconds later', {
  afterMaking: () => () => pause(CONSISTENT_MS),
})
rule('cloud-late', 'nothing says when the readers of a service see what has changed', 'keys made at a service are seen up to 5 s later', {
  wayToService: () => lateWay,
})

export const variants = declared
