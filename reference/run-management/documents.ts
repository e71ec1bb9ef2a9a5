/** JSON:API documents: what an answer looks like, whatever it is about. */

import { ApiError } from '../core/errors.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Reply } from '../core/reply.ts'

export const MEDIA_TYPE = 'application/vnd.api+json'

const TITLES: Record<number, string> = {
  400: 'bad request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  405: 'method not allowed',
  409: 'conflict',
  415: 'unsupported media type',
  422: 'invalid attribute',
  500: 'internal error',
}

/** A refusal: thrown anywhere in a handler, sent as an error document. */
export class Refusal extends ApiError {
  /** JSON pointer into the request body. */
  readonly pointer: string | undefined

  constructor(status: number, detail: string, pointer?: string) {
    super(status, detail)
    this.pointer = pointer
  }

  override with(status: number): Refusal {
    return new Refusal(status, this.message, this.pointer)
  }
}

export const document = (status: number, body: JsonObject): Reply => ({ status, body, headers: { 'content-type': MEDIA_TYPE } })

export const errorDocument = ({ status, message, pointer }: { status: number; message: string; pointer?: string | undefined }): Reply => {
  const error: JsonObject = { status: String(status), title: TITLES[status] ?? 'error', detail: message }
  if (pointer !== undefined) error.source = { pointer }
  return document(status, { errors: [error] })
}

/** A relationship to one resource. */
export const toOne = (type: string, id: string): JsonObject => ({ data: { id, type } })

/** Reads a request body. @throws Refusal 415 for another media type, 400 for what is not JSON. */
export const readDocument = (headers: Record<string, string>, body: Uint8Array, accepts: (contentType: string) => boolean): Json => {
  const contentType = headers['content-type'] ?? ''
  if (!accepts(contentType)) throw new Refusal(415, `the media type has to be ${MEDIA_TYPE}`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Json
  } catch {
    throw new Refusal(400, 'the body is not JSON')
  }
}
