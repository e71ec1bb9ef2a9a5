/** What the later faults share: where a request of this engine goes, and what callers have asked before. */
import { ApiError } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { Handler } from './overlays.ts'
import { dataOf, type PkiCall } from './wrappers.ts'

export const asks =
  (method: string, path: RegExp) =>
  (call: Asked): boolean =>
    call !== undefined && 'bundlesIssuer' in call.rules && call.method === method && path.test(call.path.slice(call.mount.path.length))

export const serialIn = (reply: Reply): string => String(dataOf(reply).serial_number)

export const roleIn = (call: PkiCall) => call.state.roles.get(call.params.name ?? '')

export const onSuccess =
  (act: (call: PkiCall, reply: Reply) => void) =>
  (original: Handler): Handler =>
  async (call) => {
    const reply = await original(call)
    act(call, reply)
    return reply
  }

export const onRefusal =
  (act: (call: PkiCall) => void) =>
  (original: Handler): Handler =>
  async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (cause instanceof ApiError) act(call)
      throw cause
    }
  }
