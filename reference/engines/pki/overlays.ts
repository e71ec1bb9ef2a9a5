/** Ways of running a handler of the PKI engine on something other than what is there, and of looking into its answers. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { PkiCall } from './requests.ts'
import type { PkiRules } from './rules.ts'
import type { PkiState } from './state.ts'

export type Handler = (call: PkiCall) => Reply | Promise<Reply>

/** A call that decides some things otherwise. */
export const withRules =
  (change: (rules: PkiRules, call: PkiCall) => Partial<PkiRules>) =>
  (original: Handler): Handler =>
  (call) =>
    original({ ...call, rules: { ...call.rules, ...change(call.rules, call) } })

/** The call on a state of which some parts are others; what is put into its maps stays. */
export const onState = (call: PkiCall, parts: Partial<PkiState>): PkiCall => ({
  ...call,
  state: Object.assign(Object.create(call.state) as PkiState, parts),
})

const dataOf = (reply: Reply): JsonObject => (reply.body as { data?: JsonObject } | undefined)?.data ?? {}

const serialOf = (reply: Reply): string => String(dataOf(reply).serial_number)

/** Wraps a handler of certificates so that something is remembered of each, by serial number, for each mount. */
export const noting = <T>(what: (call: PkiCall) => T) => {
  const notes = remembered(() => new Map<string, T>())
  const noted =
    (original: Handler): Handler =>
    async (call) => {
      const reply = await original(call)
      notes(call.state).set(serialOf(reply), what(call))
      return reply
    }
  return { notes, noted }
}
