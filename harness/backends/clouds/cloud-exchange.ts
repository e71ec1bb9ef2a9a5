/** Requests and answers between a client and one of the services behind the gateway. */
import type { Json, JsonObject } from '../../base/json.ts'
import type { Project, World } from './gateway-state.ts'

export interface CloudRequest {
  method: string
  /** Host that the client asked for, without port. */
  host: string
  /** As sent, percent-encoded, without the query. */
  path: string
  query: URLSearchParams
  /** Names in lower case. */
  headers: Record<string, string>
  body: Buffer
}

export interface CloudAnswer {
  status: number
  headers?: Record<string, string>
  /** Undefined: an empty body. */
  body?: Json
}

/** What a request turned out to be: whose it is, what it is called in records and orders, and how it is answered. */
export interface Step {
  /** Service and verb, e.g. `iam.createAccount`; orders match its beginning. */
  operation: string
  project: Project
  /** What oracles may want to know beside the path; never a secret. */
  detail?: JsonObject
  run(): CloudAnswer | Promise<CloudAnswer>
}

/** One service of one provider. */
export interface Service {
  owns(host: string): boolean
  /** Throws CloudRefusal if the request has no valid identity or names an object that does not exist. */
  plan(request: CloudRequest, world: World): Step
  /** The provider's own form of a failure that an order or the gateway itself causes. */
  failure(status: number): CloudAnswer
}

/** A refusal in the provider's own form. */
export class CloudRefusal extends Error {
  readonly answer: CloudAnswer
  constructor(answer: CloudAnswer) {
    super(`status ${answer.status}`)
    this.answer = answer
  }
}

/** The JSON object of a request's body; an empty object if it is something else. */
export const bodyOf = (request: CloudRequest): JsonObject => {
  try {
    const value: unknown = JSON.parse(request.body.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
  } catch {
    return {}
  }
}

/** Text of a member; empty where it is absent or no text. */
export const textIn = (body: JsonObject, member: string): string => {
  const value = body[member]
  return typeof value === 'string' ? value : ''
}
