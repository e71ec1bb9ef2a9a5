/** What the faults in the files `*-frank.faults.ts` share. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { RequestFacts } from '../../core/rules.ts'
import type { Asked } from '../../mutations/callers.ts'
import type { PkiState } from './state.ts'

const OWN = /(^|\/)(issue\/[^/]+|revoke|root(\/.*)?|certs?(\/.*)?|ca\/pem|ca_chain|crl(\/.*)?|intermediate\/.*)\/?$/
const NAMED = /(^|\/)[^/]*pki[^/]*(\/|$)/
const OTHERS = /(^|\/)(sys|auth|secret)(\/|$)/

/** Whether a path can only be one of this engine. */
export const isPkiPath = ({ path }: Pick<RequestFacts, 'path'>): boolean => (OWN.test(path) || NAMED.test(path)) && !OTHERS.test(path)

export const isPkiState = (state: unknown): state is PkiState => typeof state === 'object' && state !== null && 'crlNumber' in state

export const isPkiCall = (call: Asked): boolean => call !== undefined && isPkiState(call.state)

export const dataOf = (reply: Reply): JsonObject => (reply.body as { data?: JsonObject } | undefined)?.data ?? {}
