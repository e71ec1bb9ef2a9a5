/** Faults of who may do what with keys. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Call } from '../../core/engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { Kv1State } from './kv1.ts'
import type { Kv2State } from './records.ts'

type AnyCall = Call<unknown, object> | undefined

const { rule } = faultsOf(coreEngine, 'kv')
/** What only checks of the core decide is tried with them. */
const core = faultsOf(coreEngine)

const has = (call: AnyCall, member: string): boolean => call?.state instanceof Object && member in call.state
const kv1Of = (call: AnyCall): Kv1State | undefined => (has(call, 'objects') ? (call?.state as Kv1State) : undefined)
const kv2Of = (call: AnyCall): Kv2State | undefined => (has(call, 'keys') && has(call, 'config') ? (call?.state as Kv2State) : undefined)

core.rule(
  'v1-directory-counts-as-key',
  'CORE-CAP-19',
  'a key whose name is that of a directory counts as existing before it is written: it needs update',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const directory = `${call?.params.path}/`
      const isDirectory = [...(kv1Of(call)?.objects.keys() ?? [])].some((key) => key.startsWith(directory))
      return original(granted, needed === 'create' && isDirectory ? 'update' : needed, call)
    },
  },
)

rule('get-list-needs-read', 'CORE-CAP-11', 'a listing by GET needs the capability to read, and list is not enough', {
  capabilityGranted: (original) => (granted, needed, call) => {
    const byGet = needed === 'list' && call?.query.get('list') === 'true' && Boolean(kv1Of(call) ?? kv2Of(call))
    return original(granted, byGet ? 'read' : needed, call)
  },
})

const read = remembered(() => new Set<string>())

rule('v1-read-kept-before-policy', 'CORE-CAP-05', 'who may write a key but not read it reads it all the same after somebody else has', {
  finish: (original) => (call, route, reply) => {
    if (route.id === 'kv1.read') read(call.state as object).add(call.path)
    else if (kv1Of(call)) read(call.state as object).delete(call.path)
    return original(call, route, reply)
  },
  capabilityGranted: (original) => (granted, needed, call) => {
    const state = kv1Of(call)
    const kept = needed === 'read' && call !== undefined && state !== undefined && read(state).has(call.path)
    return (kept && granted.size > 0 && !granted.has('deny')) || original(granted, needed, call)
  },
})
