/** What the gateway remembers of a request: never a header, a query or a body, so never a secret. */
import type { JsonObject } from '../../base/json.ts'

export interface CloudRecord {
  /** Milliseconds since the epoch. */
  at: number
  operation: string
  method: string
  /** Host that was asked: tells region, endpoint, environment and vault apart. */
  host: string
  path: string
  status: number
  /** Algorithms, sizes and names; never a secret. */
  detail: JsonObject
}

/** Records of one project that are kept; the oldest go first. */
const KEPT = 5000

/** Appends a record, within bounds. */
export const remember = (records: CloudRecord[], record: CloudRecord): void => {
  records.push(record)
  if (records.length > KEPT) records.shift()
}
