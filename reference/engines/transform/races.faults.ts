/** Faults that show only where requests come at once. */
import { setTimeout as pause } from 'node:timers/promises'
import { faultsOf } from '../../mutations/declare.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { CODING, type Handle } from './wrappers.ts'

const { route, change } = faultsOf(transformEngine)

const MOMENT = 10

type Wrap = (original: Handle) => Handle

route('race-one-token', 'TRANSFORM-RACE-01', 'of values that are encoded at once one is kept', 'transform.encode', (original) => {
  let running = 0
  return async (call) => {
    running += 1
    await pause(MOMENT)
    const crowded = running > 1 && call.body.batch_input === undefined
    running -= 1
    const store = { ...call.state.internalStore, put: async () => {} }
    return original(crowded ? { ...call, state: { ...call.state, internalStore: store } } : call)
  }
})
const waiting: { call: TransformCall | undefined } = { call: undefined }
route(
  'race-other-body',
  'TRANSFORM-RACE-02',
  'a request that waits is answered with the body of the next',
  CODING,
  (original) => async (call) => {
    waiting.call = call
    await pause(MOMENT)
    return original(
      waiting.call.params.role_name === call.params.role_name ? call : { ...call, body: waiting.call.body, params: waiting.call.params },
    )
  },
)
change('race-kept-in-use', 'TRANSFORM-RACE-03', 'what is deleted or closed while it is used stays', {
  routes: (() => {
    const used = new Map<string, number>()
    const leave: Wrap = (original) => async (call) => {
      const name = String(call.body.transformation ?? '')
      used.set(name, (used.get(name) ?? 0) + 1)
      await pause(MOMENT)
      try {
        return await original(call)
      } finally {
        used.set(name, (used.get(name) ?? 1) - 1)
      }
    }
    const end: Wrap = (original) => (call) => ((used.get(call.params.name ?? '') ?? 0) > 0 ? { status: 204 } : original(call))
    return { 'transform.decode': leave, 'transform.deleteTransformation': end, 'transform.writeFpe': end }
  })(),
})
