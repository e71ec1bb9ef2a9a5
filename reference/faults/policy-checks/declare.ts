/** Ways to declare a fault of the policy checks in a line or two. */
import type { Json, JsonObject } from '../../core/engine.ts'
import { fault } from '../../core/mutation.ts'
import { MEDIA_TYPE, Refusal } from '../../run-management/documents.ts'
import { policyChecks } from '../../run-management/policy-checks/index.ts'

export const engine = 'policy-checks'

export type Handle = (typeof policyChecks.routes)[number]['handle']

const READS = ['policyChecks.show', 'policyChecks.list']

/** Changes each policy check of the reading routes' answers. */
export const resources = (change: (resource: JsonObject) => JsonObject) =>
  Object.fromEntries(
    READS.map((id) => [
      id,
      (original: Handle): Handle =>
        async (call) => {
          const reply = await original(call)
          const body = reply.body as { data: Json }
          const { data } = body
          return {
            ...reply,
            body: { ...body, data: Array.isArray(data) ? data.map((one) => change(one as JsonObject)) : change(data as JsonObject) },
          }
        },
    ]),
  )

const attributes = (change: (attributes: JsonObject) => JsonObject) =>
  resources((resource) => ({ ...resource, attributes: change(resource.attributes as JsonObject) }))

/** A fault in which one member of `attributes.result` has another value. */
export const inResult = (id: string, title: string, clause: string, change: (result: JsonObject) => JsonObject) =>
  fault(
    policyChecks,
    { id: `policy-checks-${id}`, engine, title, clauses: [clause] },
    {
      rules: { result: (original) => (check) => ({ ...original(check), ...change(original(check)) }) },
    },
  )

/** A fault in which one attribute has another value. */
export const inAttributes = (id: string, title: string, clause: string, change: (attributes: JsonObject) => JsonObject) =>
  fault(
    policyChecks,
    { id: `policy-checks-${id}`, engine, title, clauses: [clause] },
    { routes: attributes((all) => ({ ...all, ...change(all) })) },
  )

/** A fault that wraps handlers. */
export const handler = (id: string, title: string, clauses: string[], routes: Record<string, (original: Handle) => Handle>) =>
  fault(policyChecks, { id: `policy-checks-${id}`, engine, title, clauses }, { routes })

/** What refusals of every route answer. */
export const refusals = (rewrite: (refusal: Refusal) => ReturnType<Handle>) =>
  Object.fromEntries(
    policyChecks.routes.map(({ id }) => [
      id,
      (original: Handle): Handle =>
        async (call) => {
          try {
            return await original(call)
          } catch (error) {
            if (!(error instanceof Refusal)) throw error
            return rewrite(error)
          }
        },
    ]),
  )

export const headers = { 'content-type': MEDIA_TYPE }
