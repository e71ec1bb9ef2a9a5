/** Requests of provider a, signed with an access key (signature version 4). */
import { createHash, createHmac } from 'node:crypto'

const SERVICE = 'kms'

export interface AccessKey {
  id: string
  secret: string
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')
const keyed = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Headers of a signed POST to the root of a host. */
export const signedHeaders = (
  accessKey: AccessKey,
  region: string,
  url: URL,
  headers: Record<string, string>,
  body: string,
  now: Date,
): Record<string, string> => {
  const time = now.toISOString().replace(/[:-]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const all: Record<string, string> = { ...headers, host: url.host, 'x-amz-date': time }
  const names = Object.keys(all).sort()
  const canonical = ['POST', url.pathname, '', ...names.map((name) => `${name}:${all[name]}`), '', names.join(';'), hashOf(body)].join('\n')
  const scope = `${day}/${region}/${SERVICE}/aws4_request`
  const key = keyed(keyed(keyed(keyed(`AWS4${accessKey.secret}`, day), region), SERVICE), 'aws4_request')
  const signature = keyed(key, ['AWS4-HMAC-SHA256', time, scope, hashOf(canonical)].join('\n')).toString('hex')
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKey.id}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  return { ...all, authorization }
}
