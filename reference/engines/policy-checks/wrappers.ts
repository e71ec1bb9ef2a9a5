/** What faults and variants of the policy checks share. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { reply } from '../../mutations/wrappers.ts'
import { MEDIA_TYPE } from '../../run-management/documents.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { PolicyCheckRules } from './checks.rules.ts'
import { policyChecks } from './engine.ts'

export type Call = PartCall<PolicyCheckRules>
export type Handle = (call: Call) => Reply | Promise<Reply>

export const operations = policyChecks.routes.map(({ id }) => id)

export const READS = ['policyChecks.show', 'policyChecks.list']

/** Changes each policy check of an answer. */
export const resources = (change: (resource: JsonObject, call: Call) => JsonObject): ((original: Handle) => Handle) =>
  reply((given, call) => {
    const { data, ...more } = given.body as { data: JsonObject | JsonObject[] }
    return { ...given, body: { ...more, data: Array.isArray(data) ? data.map((one) => change(one, call)) : change(data, call) } }
  })

export const headers = { 'content-type': MEDIA_TYPE }
