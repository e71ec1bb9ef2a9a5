/** What faults and variants of the policy checks share. */
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { reply } from '../../faults/wrappers.ts'
import { MEDIA_TYPE } from '../../run-management/documents.ts'
import type { PartCall } from '../../run-management/part.ts'
import type { PolicyCheck } from '../../run-management/world.ts'
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

/** A member of a resource that is an object. */
export const part = (resource: JsonObject, name: string): JsonObject => resource[name] as JsonObject

/** A resource with other values of some attributes. */
export const withAttributes = (resource: JsonObject, attributes: JsonObject): JsonObject => ({
  ...resource,
  attributes: { ...part(resource, 'attributes'), ...attributes },
})

/** Overrides a check that nobody asked to override, where it is soft-failed. */
export const overrideQuietly = (check: PolicyCheck | undefined, now: number): void => {
  if (check?.status !== 'soft_failed') return
  check.status = 'overridden'
  check.timestamps['overridden-at'] = now
}
