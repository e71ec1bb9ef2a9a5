/** Legal alternatives of how fast the provider is, and of when its readers see what has changed. */
import { setTimeout as delay } from 'node:timers/promises'
import { lateWay, patiently } from '../../clouds/late-provider.ts'
import { variantsOf } from '../../faults/declare.ts'
import { cloudcEngine } from './engine.ts'

const { change, declared } = variantsOf(cloudcEngine)

const LATENCY_MS = 300

change('slow-provider', 'nothing says how fast a provider is', 'each request to the provider takes a while', {
  rules: { providerReached: () => () => delay(LATENCY_MS) },
  touches: 'time',
})

change(
  'late-provider',
  'nothing says when the readers of a provider see what has changed',
  'changes at the provider are seen up to 5 s later',
  { rules: { wayToProvider: () => lateWay, loggedIn: () => patiently }, touches: 'time' },
)

export const variants = declared
