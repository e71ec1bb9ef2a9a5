/** The external provider: an instance that the configuration names. */
import { type AnyHandle, type BackendHandle, isModule, secretsOf } from '../base/backend-handle.ts'
import { useCredentials } from '../base/credential-guard.ts'
import type { Address, BackendKind, ProviderName, ServiceKind, Started } from './provider.ts'

const PING_DEADLINE = 10_000

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined

/**
 * Reads `backends.<name>` of a configuration: a URL (`postgresql://admin:pw@host:5432/postgres`) or an object with `url` and/or
 * `host`, `port`, `username`, `password`, `targetHost`, `targetPort`; every other string or number goes to `extra`.
 *
 * @throws Error that names what is missing.
 */
export const readAddress = (kind: Pick<ServiceKind, 'name' | 'port'>, value: string | object): Address => {
  const fields: Record<string, unknown> = typeof value === 'string' ? { url: value } : { ...value }
  const url = text(fields.url) === undefined ? undefined : new URL(text(fields.url)!)
  const { url: _url, host, port, username, password, targetHost, targetPort, ...rest } = fields
  const database = url === undefined ? '' : decodeURIComponent(url.pathname.slice(1))
  const extra: Record<string, string> = database === '' ? {} : { database }
  for (const [name, parameter] of url?.searchParams ?? []) extra[name] = parameter
  for (const [name, other] of Object.entries(rest)) if (text(other) !== undefined) extra[name] = text(other)!
  const address: Address = {
    host: text(host) ?? url?.hostname ?? '',
    port: Number(text(port) ?? (url?.port || kind.port)),
    username: text(username) ?? decodeURIComponent(url?.username ?? ''),
    password: text(password) ?? decodeURIComponent(url?.password ?? ''),
    extra,
  }
  if (text(targetHost) !== undefined) address.targetHost = text(targetHost)!
  if (text(targetPort) !== undefined) address.targetPort = Number(text(targetPort))
  if (address.host === '') throw new Error(`backends.${kind.name} names no host`)
  return address
}

export const handleOf = (name: string, provider: ProviderName, address: Address, version: string): BackendHandle => {
  useCredentials(address.password, address.extra.adminKey)
  return {
    name,
    provider,
    host: address.host,
    port: address.port,
    targetHost: address.targetHost ?? address.host,
    targetPort: address.targetPort ?? address.port,
    username: address.username,
    password: address.password,
    version,
    extra: address.extra,
  }
}

/** What a configuration says under `backends.<name>` of a system that is up; nothing of what it has not. */
export const namedInConfiguration = (handle: AnyHandle): object => {
  const { extra } = handle
  if (isModule(handle)) return { module: handle.module, environment: handle.environment, tokens: handle.tokens, ...extra }
  const { host, port, username, password } = handle
  return { host, port, ...(username === '' ? {} : { username }), ...(password === '' ? {} : { password }), ...extra }
}

/** Verifies that the named instance answers. There is nothing to stop: it is not ours. */
export const useExternal = async (kind: BackendKind, value: string | object, targetHost: string | undefined): Promise<Started> => {
  if ('attach' in kind) {
    if (typeof value === 'string') throw new Error('it is a module: name its file as `module`, and its tokens')
    const handle = await kind.attach({ ...value })
    useCredentials(...secretsOf(handle))
    return { handle, stop: async () => {} }
  }
  const address = readAddress(kind, value)
  if (targetHost !== undefined && address.targetHost === undefined && ['127.0.0.1', 'localhost', '::1'].includes(address.host))
    address.targetHost = targetHost
  useCredentials(address.password, address.extra.adminKey)
  const late = AbortSignal.timeout(PING_DEADLINE)
  const version = await Promise.race([
    kind.ping(address),
    new Promise<never>((_, reject) =>
      late.addEventListener('abort', () => reject(new Error(`no answer from ${address.host}:${address.port} within 10 s`))),
    ),
  ])
  return { handle: handleOf(kind.name, 'external', address, version), stop: async () => {} }
}
