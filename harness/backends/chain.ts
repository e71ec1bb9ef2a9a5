/** The provider chain: for every backend the first provider that works, or the reason why none does. */
import type { AnyHandle } from '../base/backend-handle.ts'
import { anySignal } from '../base/shared-signal.ts'
import { isOnPath } from '../oracles/programs.ts'
import { useExternal } from './addresses.ts'
import { kindOf, kinds, serviceKindOf } from './backend-kinds.ts'
import { removeContainer } from './containers.ts'
import { killProcesses, removeFolder } from './private-instance.ts'
import {
  type BackendEntry,
  type BackendJournal,
  type BackendKind,
  type Missing,
  type ProviderName,
  providers,
  type Started,
  type Tool,
} from './provider.ts'

export interface BackendOptions {
  /** `backends.<name>` of the configuration: a URL or an object (see `readAddress`). */
  external: Record<string, string | object>
  /** Address of this machine as the target sees it; absent where the target runs on this machine. */
  targetHost?: string
  /** The server was started by somebody else: it cannot be told of backends that are started now. */
  runsAlready?: boolean
  journal: BackendJournal
  onProgress(message: string): void
  signal: AbortSignal
}

export interface Backends {
  handles: Record<string, AnyHandle>
  missing: Record<string, Missing>
  /** Stops and removes all that was started; safe to call twice. */
  stop(): Promise<void>
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Providers that may be used at all: `ASSAY_PROVIDERS=local,embedded` narrows them, e.g. to try one. */
const allowedProviders = (): readonly ProviderName[] => {
  const wanted = process.env.ASSAY_PROVIDERS?.split(',')
  return wanted === undefined ? providers : providers.filter((provider) => wanted.includes(provider))
}

/** The tools that a backend is useless without and that are not here. */
const lackingTools = (kind: BackendKind): Tool[] => (kind.tools ?? []).filter(({ program }) => !isOnPath(program))

const withoutTools = (tools: Tool[]): string => `without ${tools.map(({ program }) => program).join(' and ')} on the PATH`

const startOne = async (kind: BackendKind, options: BackendOptions): Promise<Started | Missing> => {
  const lacking = lackingTools(kind)
  if (lacking.length > 0)
    return {
      reason: `${kind.name} is not to be had ${withoutTools(lacking)}: nothing on it could be judged`,
      remedy: `apt-get install ${lacking.flatMap(({ packages }) => packages).join(' ')}`,
    }
  const named = options.external[kind.name]
  if (named !== undefined) {
    try {
      return await useExternal(kind, named, options.targetHost)
    } catch (error) {
      return {
        reason: `backends.${kind.name} of the configuration cannot be used: ${message(error)}`,
        remedy: `correct backends.${kind.name}`,
      }
    }
  }
  if (kind.toldBeforehand === true && options.runsAlready === true)
    return {
      reason: `${kind.name} has to be named to the server before it starts`,
      remedy: `start the server with what npx assay backends --up ${kind.name} prints, and name it in backends.${kind.name}`,
    }
  const reasons: string[] = []
  for (const name of allowedProviders()) {
    if (name === 'external') continue
    const provider = kind.providers[name]
    if (provider === undefined) continue
    const found = await provider.find()
    if (!found.available) {
      reasons.push(`${name}: ${found.detail}`)
      continue
    }
    options.signal.throwIfAborted()
    options.onProgress(`starting ${kind.name} (${name})`)
    const signal = anySignal([options.signal, AbortSignal.timeout(provider.deadline)])
    try {
      const context = { journal: options.journal, targetHost: options.targetHost, signal, onProgress: options.onProgress }
      const started = await provider.start(context)
      options.onProgress(`${kind.name} ${started.handle.version} is up (${name})`)
      return started
    } catch (error) {
      options.signal.throwIfAborted()
      reasons.push(`${name}: ${message(error)}`)
    }
  }
  if (reasons.length === 0) reasons.push(`none of the providers ${allowedProviders().join(', ')} exists for it`)
  return { reason: `${kind.name} is not to be had (${reasons.join('; ')})`, remedy: kind.remedy }
}

/**
 * Starts the named backends side by side.
 *
 * @param names e.g. `['postgres', 'sshd/users']`, the latter a part that not every instance has; unknown names are reported as missing.
 * @throws the abort reason of `options.signal`, after everything started was stopped.
 */
export const startBackends = async (names: string[], options: BackendOptions): Promise<Backends> => {
  const handles: Record<string, AnyHandle> = {}
  const missing: Record<string, Missing> = {}
  const stoppers: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    await Promise.allSettled(stoppers.splice(0).map((one) => one()))
  }
  const one = async (name: string): Promise<void> => {
    const kind = kinds.find((candidate) => candidate.name === name)
    if (kind === undefined) {
      missing[name] = { reason: `no provider can start ${name}`, remedy: `name one in backends.${name}` }
      return
    }
    const result = await startOne(kind, options)
    if ('reason' in result) {
      missing[name] = result
      options.onProgress(`${result.reason}; ${result.remedy}`)
    } else {
      handles[name] = result.handle
      stoppers.push(result.stop)
    }
  }
  /** A part of an instance stands under its own name; without the instance it is missing for the same reason. */
  const divide = (name: string): void => {
    const [whole, part] = name.split('/') as [string, string?]
    if (part === undefined) return
    const handle = handles[whole]
    if (handle?.extra[part] !== undefined) handles[name] = handle
    else missing[name] = missing[whole] ?? serviceKindOf(whole).parts![part]!
  }
  const outcomes = await Promise.allSettled([...new Set(names.map((name) => name.split('/')[0]!))].map(one))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  names.forEach(divide)
  return { handles, missing, stop }
}

/** Removes what an entry of the journal names; what is gone already is fine. */
export const removeBackendEntry = async (entry: BackendEntry): Promise<void> => {
  if (entry.kind === 'backend-container') return removeContainer(entry.id)
  if (entry.kind === 'backend-process') return killProcesses(entry.folder, [entry.pid])
  await killProcesses(entry.path, [])
  removeFolder(entry.path)
}

/** An instance that a configuration names, verified. Throws if it does not answer or the backend is unknown. */
export const connectExternal = async (name: string, value: string | object, targetHost?: string): Promise<AnyHandle> => {
  return (await useExternal(kindOf(name), value, targetHost)).handle
}

export interface ChainRow {
  backend: string
  providers: { provider: ProviderName; available: boolean; detail: string }[]
  /** The provider that a run would use. */
  chosen: ProviderName | undefined
  remedy: string
}

/** What each provider finds on this machine, without starting anything: the table of `assay backends`. */
export const describeChain = async (external: Record<string, string | object> = {}): Promise<ChainRow[]> =>
  Promise.all(
    kinds.map(async (kind) => {
      const named = external[kind.name] !== undefined
      const rows: ChainRow['providers'] = [
        { provider: 'external', available: named, detail: named ? `backends.${kind.name} of the configuration` : 'not configured' },
      ]
      for (const name of providers) {
        if (name === 'external') continue
        const provider = kind.providers[name]
        rows.push({ provider: name, ...(provider === undefined ? { available: false, detail: 'does not exist' } : await provider.find()) })
      }
      const lacking = lackingTools(kind)
      if (lacking.length > 0)
        for (const row of rows) if (row.available) Object.assign(row, { available: false, detail: `useless ${withoutTools(lacking)}` })
      return { backend: kind.name, providers: rows, chosen: rows.find((row) => row.available)?.provider, remedy: kind.remedy }
    }),
  )
