/** Signatures of requests to provider a (version 4): made again with the secret that belongs to the access key, and compared. */
import { createHash, createHmac } from 'node:crypto'
import type { CloudRequest } from './cloud-exchange.ts'

export interface Claimed {
  accessKey: string
  /** `YYYYMMDD`. */
  day: string
  region: string
  service: string
  signedHeaders: string[]
  signature: string
}

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** What the authorization of a request claims; undefined where it has none of this kind. */
export const claimedBy = (request: CloudRequest): Claimed | undefined => {
  const [, accessKey, day, region, service, headers, signature] = FORM.exec(request.headers.authorization ?? '') ?? []
  if (accessKey === undefined) return undefined
  return { accessKey, day: day!, region: region!, service: service!, signedHeaders: headers!.split(';'), signature: signature! }
}

const hash = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex')
const keyed = (key: string | Buffer, data: string): Buffer => createHmac('sha256', key).update(data).digest()

const canonicalQuery = (query: URLSearchParams): string =>
  [...query]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .sort()
    .join('&')

/** Whether the signature was made with this secret, over this request. */
export const isSignedWith = (secret: string, claimed: Claimed, request: CloudRequest): boolean => {
  const { day, region, service, signedHeaders, signature } = claimed
  const headers = signedHeaders.map((name) => `${name}:${(request.headers[name] ?? '').trim().replace(/ +/g, ' ')}\n`).join('')
  const canonical = [
    request.method,
    request.path,
    canonicalQuery(request.query),
    headers,
    signedHeaders.join(';'),
    hash(request.body),
  ].join('\n')
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'] ?? '', scope, hash(canonical)].join('\n')
  const key = keyed(keyed(keyed(keyed(`AWS4${secret}`, day), region), service), 'aws4_request')
  return keyed(key, toSign).toString('hex') === signature
}
