/** Writes of static roles: whether they count as create or as update. */
import { coreEngine } from '../../core/core-engine.ts'
import type { CoreRules } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import type { DatabaseState } from './state.ts'

const { rule } = faultsOf(coreEngine, 'database')

type Asked = Parameters<CoreRules['capabilityGranted']>[2]

/** The mount's state where a call writes a static role. */
const stateOfWrite = (call: Asked): DatabaseState | undefined => {
  const state = call?.state as Partial<DatabaseState> | undefined
  if (!call || state?.staticRoles === undefined || call.method !== 'POST') return undefined
  return call.path.startsWith(`${call.mount.path}static-roles/`) ? (state as DatabaseState) : undefined
}

rule(
  'patched-existing-other-kind',
  ['DATABASE-CAP-03'],
  'a write of a new static role counts as update where a dynamic role has its name',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const isTaken = stateOfWrite(call)?.roles.has(call?.params.name ?? '') === true
      return original(granted, needed === 'create' && isTaken ? 'update' : needed, call)
    },
  },
)

/** By the headers of a request, which its call keeps. */
const verbs = new WeakMap<object, string>()

rule('patched-put-updates', ['DATABASE-CAP-03'], 'a PUT of a static role counts as update whether there is one or not', {
  callerRefused: (original) => (given, token, request) => {
    verbs.set(request.headers, request.method)
    return original(given, token, request)
  },
  capabilityGranted: (original) => (granted, needed, call) => {
    const isPut = stateOfWrite(call) !== undefined && verbs.get(call?.headers ?? {}) === 'PUT'
    return original(granted, needed === 'create' && isPut ? 'update' : needed, call)
  },
})
