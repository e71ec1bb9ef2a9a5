import type { Mutation } from '../../core/mutation.ts'
import type { Reply } from '../../core/reply.ts'
import type { CoreRules } from '../../core/rules.ts'
import type { Asked } from '../../mutations/callers.ts'
import { type Handler, onState } from './overlays.ts'
import type { PkiCall } from './requests.ts'
import type { Role } from './role.ts'

export const ISSUING = ['pki.issue', 'pki.sign']
export const MAKING_CAS = ['pki.generateRoot', 'pki.signIntermediate']

/** Whether a request that is being authorised goes to this engine with a method, and to a path below the mount that fits. */
export const asks = (call: Asked, method: string, below: RegExp): boolean =>
  call !== undefined && 'verbatimRefuses' in call.rules && call.method === method && below.test(call.path.slice(call.mount.path.length))

/** How the request was sent that is being handled; holds until it waits for the first time. */
export const sending = () => {
  const sent = { method: '', headers: {} as Record<string, string>, namespace: '', byHeader: false }
  return {
    sent,
    noting: {
      isListing: (original) => (method, query) => {
        sent.method = method
        return original(method, query)
      },
      effectivePath: (original) => (header, request, namespaces) => {
        sent.headers = request.headers
        return original(header, request, namespaces)
      },
      namespaceOf: (original) => (path, namespaces, header) => {
        sent.namespace = original(path, namespaces, header)
        sent.byHeader = Boolean(header)
        return sent.namespace
      },
    } satisfies Mutation<CoreRules, unknown>['rules'],
  }
}

/** Runs an action after a success. */
export const afterwards =
  (prepare: (call: PkiCall) => (reply: Reply) => void) =>
  (original: Handler): Handler =>
  async (call) => {
    const act = prepare(call)
    const reply = await original(call)
    act(reply)
    return reply
  }

/** Runs a handler with another role of the name in its path. */
export const withRole = (call: PkiCall, role: Role): PkiCall =>
  onState(call, { roles: new Map(call.state.roles).set(call.params.name ?? '', role) })
