/** Says in words why an exchange did not happen, and what to do about it. */

export interface Explanation {
  reason: string
  remedy: string
}

const TLS_UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_UNTRUSTED',
])

/** Of a server that requires a client certificate. */
export const wantsCertificate = (host: string): Explanation => ({
  reason: `${host} demands a client certificate that it accepts`,
  remedy: 'pass one with --client-cert FILE and --client-key FILE',
})

const refusesCertificate = (host: string): Explanation => ({
  reason: `${host} does not accept the client certificate`,
  remedy: 'pass one that it accepts with --client-cert FILE and --client-key FILE',
})

/** Of a server whose newest version is older than any that is still used. */
const speaksOldTls = (host: string): Explanation => ({
  reason: `${host} speaks no version of TLS that is in use: 1.2 is the least`,
  remedy: 'have the server speak TLS 1.2 or 1.3',
})

const known: Record<string, (host: string) => Explanation> = {
  // TLS 1.3 says that one is missing; before it, servers say that the one they got, none, is bad, or only that the handshake failed.
  ERR_SSL_ALERT_CERTIFICATE_REQUIRED: wantsCertificate,
  ERR_SSL_ALERT_BAD_CERTIFICATE: wantsCertificate,
  ERR_SSL_ALERT_UNKNOWN_CA: refusesCertificate,
  ERR_SSL_ALERT_UNSUPPORTED_CERTIFICATE: refusesCertificate,
  ERR_SSL_ALERT_CERTIFICATE_REVOKED: refusesCertificate,
  ERR_SSL_ALERT_CERTIFICATE_EXPIRED: refusesCertificate,
  ERR_SSL_ALERT_CERTIFICATE_UNKNOWN: refusesCertificate,
  ERR_SSL_ALERT_HANDSHAKE_FAILURE: (host) => ({
    reason: `${host} ended the TLS handshake`,
    remedy: 'where it demands a client certificate, pass --client-cert FILE and --client-key FILE; else check its TLS versions and ciphers',
  }),
  ERR_SSL_ALERT_PROTOCOL_VERSION: speaksOldTls,
  ERR_SSL_UNSUPPORTED_PROTOCOL: speaksOldTls,
  ENOTFOUND: (host) => ({ reason: `the name ${host} does not resolve (DNS)`, remedy: 'check the host name of the URL' }),
  EAI_AGAIN: (host) => ({ reason: `the name ${host} could not be resolved just now (DNS)`, remedy: 'check the network and the host name' }),
  ECONNREFUSED: (host) => ({ reason: `${host} refuses connections`, remedy: 'start the server, or check host and port of the URL' }),
  EHOSTUNREACH: (host) => ({ reason: `${host} is unreachable`, remedy: 'check the network' }),
  ENETUNREACH: (host) => ({ reason: `the network of ${host} is unreachable`, remedy: 'check the network' }),
  CERT_HAS_EXPIRED: (host) => ({ reason: `the certificate of ${host} has expired`, remedy: 'renew it, or pass --tls-skip-verify' }),
  ERR_TLS_CERT_ALTNAME_INVALID: (host) => ({
    reason: `the certificate of ${host} is for another name`,
    remedy: 'use the name in the certificate, or pass --tls-skip-verify',
  }),
  ERR_SSL_WRONG_VERSION_NUMBER: (host) => ({ reason: `${host} does not speak TLS on this port`, remedy: 'use http:// in the URL' }),
  ERR_SSL_PACKET_LENGTH_TOO_LONG: (host) => ({ reason: `${host} does not speak TLS on this port`, remedy: 'use http:// in the URL' }),
  UND_ERR_CONNECT_TIMEOUT: (host) => ({ reason: `no connection to ${host} within the deadline`, remedy: 'check host, port and firewalls' }),
  UND_ERR_HEADERS_TIMEOUT: (host) => ({
    reason: `${host} took the request and sent no answer within the deadline`,
    remedy: 'check the server, or raise --timeout',
  }),
  UND_ERR_BODY_TIMEOUT: (host) => ({
    reason: `${host} stopped in the middle of an answer`,
    remedy: 'check the server, or raise --timeout',
  }),
  UND_ERR_RES_EXCEEDED_MAX_SIZE: (host) => ({ reason: `${host} sent an answer of more than 40 MiB`, remedy: 'check the server' }),
  UND_ERR_HEADERS_OVERFLOW: (host) => ({ reason: `${host} sent more headers than any client accepts`, remedy: 'check the server' }),
  UND_ERR_SOCKET: (host) => ({
    reason: `${host} closed the connection before the answer was complete`,
    remedy: 'check the server and its log; a TLS port answers plain http:// like this',
  }),
  ECONNRESET: (host) => ({
    reason: `${host} reset the connection`,
    remedy: 'check the server and its log; a TLS port answers plain http:// like this',
  }),
  EPIPE: (host) => ({ reason: `${host} closed the connection while the request was being sent`, remedy: 'check the server and its log' }),
}

/** What the codes of all errors of TLS begin with. */
const TLS = 'ERR_SSL_'

/** An alert without the version that OpenSSL puts before it, which releases name differently (`SSLV3`, `SSL/TLS`). */
const withoutVersion = (code: string): string => code.replace(/^ERR_SSL_[A-Z0-9/]+_ALERT_/, `${TLS}ALERT_`)

const codesOf = (error: unknown): string[] => {
  const codes: string[] = []
  for (let current = error; current instanceof Error; current = current.cause) {
    // A DOMException has a number for a code.
    codes.push(withoutVersion(String((current as { code?: string | number }).code ?? '')), current.name)
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
    return { reason: `the certificate of ${host} is not trusted`, remedy: 'pass its authority with --ca-cert FILE, or --tls-skip-verify' }
  }
  const code = codes.find((candidate) => candidate in known)
  if (code !== undefined) return known[code]!(host)
  const message = error instanceof Error ? error.message : String(error)
  const refused = /^Proxy response \((\d+)\)/.exec(message)?.[1]
  if (refused !== undefined) {
    const login = refused === '407' ? 'put its user name and password into its URL' : 'check its rules'
    return { reason: `the proxy answers ${refused} when asked for a way to ${host}`, remedy: login }
  }
  if (codes.some((candidate) => candidate.startsWith('HPE_') || candidate === 'HTTPParserError')) {
    return { reason: `${host} does not speak HTTP`, remedy: 'check the port and whether the URL should begin with https://' }
  }
  const tls = codes.find((candidate) => candidate.startsWith(TLS))
  if (tls !== undefined) {
    const words = tls.slice(TLS.length).toLowerCase().replaceAll('_', ' ')
    return { reason: `the TLS handshake with ${host} failed: ${words}`, remedy: 'check its TLS versions, ciphers and certificate' }
  }
  if (codes.some((candidate) => candidate === 'TimeoutError' || candidate === 'AbortError')) {
    return { reason: `no complete answer from ${host} within the deadline`, remedy: 'check the server, or raise --timeout' }
  }
  return { reason: `the exchange with ${host} failed: ${message.split('\n')[0]}`, remedy: 'check the server and the network' }
}

/** True when the server, or what stands before it, ended the connection without a word. */
export const hungUp = (error: unknown): boolean => codesOf(error).some((code) => ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code))

/** True when the request cannot have reached the server. */
export const neverSent = (error: unknown): boolean =>
  codesOf(error).some((code) => ['ENOTFOUND', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'].includes(code))

const NOBODY = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Whether a request failed because nothing listens there. */
export const nobodyListens = (error: unknown): boolean => codesOf(error).some((code) => NOBODY.has(code))
