/** Says in words why an exchange did not happen, and what to do about it. */

export interface Explanation {
  reason: string
  cure: string
}

const TLS_UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
])

const known: Record<string, (host: string) => Explanation> = {
  ENOTFOUND: (host) => ({ reason: `the name ${host} does not resolve (DNS)`, cure: 'check the host name of the URL' }),
  EAI_AGAIN: (host) => ({ reason: `the name ${host} could not be resolved just now (DNS)`, cure: 'check the network and the host name' }),
  ECONNREFUSED: (host) => ({ reason: `${host} refuses connections`, cure: 'start the server, or check host and port of the URL' }),
  EHOSTUNREACH: (host) => ({ reason: `${host} is unreachable`, cure: 'check the network' }),
  ENETUNREACH: (host) => ({ reason: `the network of ${host} is unreachable`, cure: 'check the network' }),
  CERT_HAS_EXPIRED: (host) => ({ reason: `the certificate of ${host} has expired`, cure: 'renew it, or pass --tls-skip-verify' }),
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => ({
    reason: `the certificate of ${host} is for another name`,
    cure: 'use the name in the certificate, or pass --tls-skip-verify',
  }),
  ERR_SSL_WRONG_VERSION_NUMBER: (host) => ({ reason: `${host} does not speak TLS on this port`, cure: 'use http:// in the URL' }),
  ERR_SSL_PACKET_LENGTH_TOO_LONG: (host) => ({ reason: `${host} does not speak TLS on this port`, cure: 'use http:// in the URL' }),
  UND_ERR_CONNECT_TIMEOUT: (host) => ({ reason: `no connection to ${host} within the deadline`, cure: 'check host, port and firewalls' }),
  UND_ERR_HEADERS_TIMEOUT: (host) => ({
    reason: `${host} took the request and sent no answer within the deadline`,
    cure: 'check the server, or raise --timeout',
  }),
  UND_ERR_BODY_TIMEOUT: (host) => ({ reason: `${host} stopped in the middle of an answer`, cure: 'check the server, or raise --timeout' }),
  UND_ERR_RES_EXCEEDED_MAX_SIZE: (host) => ({ reason: `${host} sent an answer of more than 64 MiB`, cure: 'check the server' }),
  UND_ERR_HEADERS_OVERFLOW: (host) => ({ reason: `${host} sent more headers than any client accepts`, cure: 'check the server' }),
  UND_ERR_SOCKET: (host) => ({
    reason: `${host} closed the connection before the answer was complete`,
    cure: 'check the server and its log; a TLS port answers plain http:// like this',
  }),
  ECONNRESET: (host) => ({
    reason: `${host} reset the connection`,
    cure: 'check the server and its log; a TLS port answers plain http:// like this',
  }),
  EPIPE: (host) => ({ reason: `${host} closed the connection while the request was being sent`, cure: 'check the server and its log' }),
}

const codesOf = (error: unknown): string[] => {
  const codes: string[] = []
  for (let current = error; current instanceof Error; current = current.cause) {
    // A DOMException has a number for a code.
    codes.push(String((current as { code?: string | number }).code ?? ''), current.name)
    if (current instanceof AggregateError) codes.push(...current.errors.flatMap(codesOf))
  }
  return codes
}

/**
 * Explains a transport failure.
 *
 * @param host host and port as the user wrote them.
 */
export const explainFailure = (error: unknown, host: string): Explanation => {
  const codes = codesOf(error)
  if (codes.some((code) => TLS_UNTRUSTED.has(code))) {
    return { reason: `the certificate of ${host} is not trusted`, cure: 'pass its authority with --ca-cert FILE, or --tls-skip-verify' }
  }
  const code = codes.find((candidate) => candidate in known)
  if (code !== undefined) return known[code]!(host)
  if (codes.some((candidate) => candidate.startsWith('HPE_') || candidate === 'HTTPParserError')) {
    return { reason: `${host} does not speak HTTP`, cure: 'check the port and whether the URL should begin with https://' }
  }
  if (codes.some((candidate) => candidate === 'TimeoutError' || candidate === 'AbortError')) {
    return { reason: `no complete answer from ${host} within the deadline`, cure: 'check the server, or raise --timeout' }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { reason: `the exchange with ${host} failed: ${message.split('\n')[0]}`, cure: 'check the server and the network' }
}

/** True when the request cannot have reached the server. */
export const neverSent = (error: unknown): boolean =>
  codesOf(error).some((code) => ['ENOTFOUND', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].includes(code))
