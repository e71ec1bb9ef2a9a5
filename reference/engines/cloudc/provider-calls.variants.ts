/** Legal alternatives of how fast the provider is. */
import { setTimeout as delay } from 'node:timers/promises'
import { variantsOf } from '../../mutations/declare.ts'
import { cloudcEngine } from './engine.ts'

const { rule } = variantsOf(cloudcEngine)

const LATENCY_MS = 300

rule('slow-provider', 'nothing says how fast a provider is', 'each request to the provider takes a while', {
  providerReached: () => () => delay(LATENCY_MS),
})
