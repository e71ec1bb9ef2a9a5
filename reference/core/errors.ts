/** Refusals: thrown anywhere in a handler, sent as the error body. */
export class ApiError extends Error {
  readonly status: number
  readonly messages: string[]

  /** @param status HTTP status, 400 or above. @param messages texts of the error body's `errors`; none gives an empty array. */
  constructor(status: number, ...messages: string[]) {
    super(messages.join('; ') || `status ${status}`)
    this.status = status
    this.messages = messages
  }

  /** The same refusal with another status. */
  with(status: number): ApiError {
    return new ApiError(status, ...this.messages)
  }
}

/** 404 for a name that does not exist. */
export const notFound = (...messages: string[]): ApiError => new ApiError(404, ...messages)

/** 400 for missing or invalid data. */
export const invalid = (message: string): ApiError => new ApiError(400, message)
