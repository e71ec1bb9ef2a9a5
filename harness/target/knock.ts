/** The first request to a target: whether anything answers there, and what it wants of those who come in. */
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { Absent, Blocked } from '../base/errors.ts'
import { explainFailure, hungUp, nobodyListens, wantsCertificate } from './failures.ts'
import type { WireAnswer } from './http.ts'
import { PLAIN } from './learned.ts'
import type { Target } from './target.ts'
import { tlsMaterial } from './tls-material.ts'

const ALERT_DEADLINE = 2000

/**
 * What a server says that hangs up after the handshake, as TLS 1.3 does with who has no certificate: the HTTP client sees the end of the
 * connection before the alert. Resolves with undefined where the server says nothing.
 */
const alertOf = (target: Target): Promise<Error | undefined> =>
  new Promise((done) => {
    const { hostname, port } = target.http.url
    const host = hostname.replace(/^\[|\]$/g, '')
    const name = isIP(host) === 0 ? { servername: host } : {}
    const settings = { ...tlsMaterial(target.config.tls), timeout: ALERT_DEADLINE }
    const socket = connect({ host, port: Number(port || 443), ...name, ...settings })
    socket.once('error', done)
    socket.once('timeout', () => socket.destroy())
    socket.once('close', () => done(undefined))
    socket.resume()
  })

/** Over TLS and without a certificate of ours: the server may want one. */
const isAnonymous = ({ http, config }: Target): boolean => http.url.protocol === 'https:' && config.tls.clientCert === undefined

const unreachable = async (target: Target, error: unknown): Promise<Blocked> => {
  const { url, proxy } = target.http
  const mayWant = isAnonymous(target) && hungUp(error)
  const alert = mayWant && proxy === undefined ? await alertOf(target) : undefined
  const { reason, remedy } = explainFailure(alert ?? error, url.host)
  const wanted = `where it demands a client certificate, ${wantsCertificate(url.host).remedy}; else check the server and its log`
  const advice = mayWant && (alert === undefined || hungUp(alert)) ? wanted : remedy
  if (proxy === undefined) return nobodyListens(error) ? new Absent(url.origin, reason, advice) : new Blocked(reason, advice)
  return new Blocked(`${reason}, through the proxy ${proxy.origin}`, `${advice}; check the proxy, or pass --proxy none to do without`)
}

const WANTS_CERTIFICATE = /(SSL|TLS|client) certificate/i

/** Some servers finish the handshake without a certificate and refuse in words of HTTP who has none. */
const requireAdmission = (target: Target, { status, bytes }: WireAnswer): void => {
  if (status < 400 || status >= 500 || !isAnonymous(target)) return
  if (!WANTS_CERTIFICATE.test(Buffer.from(bytes.subarray(0, 4096)).toString('utf8'))) return
  const { reason, remedy } = wantsCertificate(target.http.url.host)
  throw new Blocked(`${reason} (${status})`, remedy)
}

/**
 * Sends a first request that any server answers in some way.
 *
 * @throws Blocked with the reason and the remedy if nothing answers, or if a client certificate is required.
 */
export const knock = async (target: Target): Promise<WireAnswer> => {
  const { http } = target
  const answer = await http
    .send({ method: 'GET', path: http.probePath, headers: {} }, http.probeDeadline, PLAIN)
    .catch(async (error: unknown) => {
      throw error instanceof Blocked ? error : await unreachable(target, error)
    })
  const reason = http.putsOff(answer) ? await http.probe() : undefined
  if (reason !== undefined) throw new Blocked(`${http.url.host} cannot be tested: ${reason}`, 'wait until it is ready, or see its log')
  requireAdmission(target, answer)
  return answer
}
