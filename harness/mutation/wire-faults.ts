/** Systematic faults made offline: recorded answers are changed one way at a time and judged again. */
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Schema } from '../contract/contract.ts'
import { judgeAnswer, responseSpecOf } from '../contract/validate.ts'
import type { Ledger, RecordedAnswer } from '../sending/ledger.ts'

export interface WireFault {
  /** e.g. `kv1.read 200: /data dropped`. */
  id: string
  operation: string
  killed: boolean
  /** Clauses that the changed answer was found to break. */
  clauses: string[]
}

/** Paths of the members that a schema requires, as far as the instance has them. */
const requiredMembers = (schema: unknown, instance: unknown, path: string[] = []): string[][] => {
  if (!isObject(schema) || !isObject(instance)) return []
  const branches = ((schema.allOf as unknown[] | undefined) ?? []).flatMap((branch) => requiredMembers(branch, instance, path))
  const required = ((schema.required as string[] | undefined) ?? []).filter((name) => Object.hasOwn(instance, name))
  const properties = (schema.properties ?? {}) as Record<string, Schema>
  const deeper = Object.entries(properties).flatMap(([name, node]) => requiredMembers(node, instance[name], [...path, name]))
  return [...branches, ...required.map((name) => [...path, name]), ...deeper]
}

const constrainsType = (schema: unknown, path: string[]): boolean => {
  if (!isObject(schema)) return false
  if (path.length === 0) return schema.type !== undefined || schema.const !== undefined || schema.enum !== undefined
  const [name, ...rest] = path as [string, ...string[]]
  const here = constrainsType((schema.properties as Record<string, unknown> | undefined)?.[name], rest)
  return here || ((schema.allOf as unknown[] | undefined) ?? []).some((branch) => constrainsType(branch, path))
}

const change = (body: Json, path: string[], edit: (parent: JsonObject, name: string) => void): Json => {
  const copy = structuredClone(body)
  const parent = path.slice(0, -1).reduce<JsonObject>((node, name) => node[name] as JsonObject, copy as JsonObject)
  edit(parent, path.at(-1)!)
  return copy
}

// A value that no schema of this contract allows where it constrains the type.
const MISFIT: Json = [[{ misfit: [true] }]]

interface Change {
  what: string
  answer: RecordedAnswer
}

const changesOf = (answer: RecordedAnswer): Change[] => {
  const { operation, status, body } = answer
  const schema = responseSpecOf(operation, status)?.schema
  const result: Change[] = []
  // If no clause fixes the status of success, another status is not a fault.
  if (status < 300 && operation.clause !== undefined && operation.responses['2XX'] === undefined)
    result.push({ what: 'status 299', answer: { ...answer, status: 299 } })
  if (schema === undefined && status < 300) result.push({ what: 'a body where none belongs', answer: { ...answer, size: 20 } })
  if (!isObject(schema) || !isObject(body)) return result
  const paths = new Map(requiredMembers(schema, body).map((path) => [path.join('/'), path]))
  for (const [name, path] of paths) {
    result.push({
      what: `/${name} dropped`,
      answer: { ...answer, body: change(body as Json, path, (parent, member) => delete parent[member]) },
    })
    if (!constrainsType(schema, path)) continue
    const mistyped = change(body as Json, path, (parent, member) => {
      parent[member] = MISFIT
    })
    result.push({ what: `/${name} of another type`, answer: { ...answer, body: mistyped } })
  }
  return result
}

/** Changes every kind of recorded answer in every way and judges the result. */
export const wireFaults = (ledger: Ledger): WireFault[] => {
  const seen = new Map<string, WireFault>()
  for (const recorded of ledger.recorded) {
    for (const { what, answer } of changesOf(recorded)) {
      const id = `${recorded.operation.id} ${recorded.status}: ${what}`
      const { findings } = judgeAnswer(answer.operation, answer)
      const clauses = [...new Set(findings.map((finding) => finding.clause))]
      const known = seen.get(id)
      if (known === undefined || (!known.killed && clauses.length > 0))
        seen.set(id, { id, operation: recorded.operation.id, killed: clauses.length > 0, clauses })
    }
  }
  return [...seen.values()]
}
