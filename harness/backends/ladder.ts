/** The ladder: for every backend the first rung that works, or the reason why none does. */
import type { BackendHandle } from '../base/backend-handle.ts'
import { isOnPath } from '../oracles/processes.ts'
import { useExternal } from './addresses.ts'
import { removeContainer } from './containers.ts'
import { mariadb } from './mariadb.ts'
import { postgres } from './postgres.ts'
import { killProcesses, removeFolder } from './processes.ts'
import { rabbitmq } from './rabbitmq.ts'
import { sshd } from './sshd.ts'
import {
  type BackendEntry,
  type BackendJournal,
  type BackendKind,
  type Missing,
  type ProviderName,
  rungs,
  type Started,
  type Tool,
} from './types.ts'

export const kinds: readonly BackendKind[] = [postgres, mariadb, rabbitmq, sshd]

export interface BackendOptions {
  /** `backends.<name>` of the configuration: a URL or an object (see `readAddress`). */
  external: Record<string, string | object>
  /** Address of this machine as the target sees it; absent where the target runs on this machine. */
  targetHost?: string
  journal: BackendJournal
  onProgress(message: string): void
  signal: AbortSignal
}

export interface Backends {
  handles: Record<string, BackendHandle>
  missing: Record<string, Missing>
  /** Stops and removes all that was started; safe to call twice. */
  stop(): Promise<void>
}

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Rungs that may be used at all: `ASSAY_RUNGS=local,embedded` narrows them, e.g. to try one. */
const allowedRungs = (): readonly ProviderName[] => {
  const wanted = process.env.ASSAY_RUNGS?.split(',')
  return wanted === undefined ? rungs : rungs.filter((rung) => wanted.includes(rung))
}

/** The tools that a backend is useless without and that are not here. */
const lackingTools = (kind: BackendKind): Tool[] => (kind.tools ?? []).filter(({ program }) => !isOnPath(program))

const withoutTools = (tools: Tool[]): string => `without ${tools.map(({ program }) => program).join(' and ')} on the PATH`

const climb = async (kind: BackendKind, options: BackendOptions): Promise<Started | Missing> => {
  const lacking = lackingTools(kind)
  if (lacking.length > 0)
    return {
      reason: `${kind.name} is not to be had ${withoutTools(lacking)}: nothing on it could be judged`,
      cure: `apt-get install ${lacking.flatMap(({ packages }) => packages).join(' ')}`,
    }
  const named = options.external[kind.name]
  if (named !== undefined) {
    try {
      return await useExternal(kind, named, options.targetHost)
    } catch (error) {
      return {
        reason: `backends.${kind.name} of the configuration cannot be used: ${message(error)}`,
        cure: `correct backends.${kind.name}`,
      }
    }
  }
  const reasons: string[] = []
  for (const name of allowedRungs()) {
    if (name === 'external') continue
    const rung = kind.rungs[name]
    if (rung === undefined) continue
    const found = await rung.find()
    if (!found.available) {
      reasons.push(`${name}: ${found.detail}`)
      continue
    }
    options.signal.throwIfAborted()
    options.onProgress(`starting ${kind.name} (${name})`)
    const signal = AbortSignal.any([options.signal, AbortSignal.timeout(rung.deadline)])
    try {
      const context = { journal: options.journal, targetHost: options.targetHost, signal, onProgress: options.onProgress }
      const started = await rung.start(context)
      options.onProgress(`${kind.name} ${started.handle.version} is up (${name})`)
      return started
    } catch (error) {
      options.signal.throwIfAborted()
      reasons.push(`${name}: ${message(error)}`)
    }
  }
  if (reasons.length === 0) reasons.push(`none of the rungs ${allowedRungs().join(', ')} exists for it`)
  return { reason: `${kind.name} is not to be had (${reasons.join('; ')})`, cure: kind.cure }
}

/**
 * Starts the named backends side by side.
 *
 * @param names e.g. `['postgres', 'rabbitmq']`; unknown names are reported as missing.
 * @throws the abort reason of `options.signal`, after everything started was stopped.
 */
export const startBackends = async (names: string[], options: BackendOptions): Promise<Backends> => {
  const handles: Record<string, BackendHandle> = {}
  const missing: Record<string, Missing> = {}
  const stoppers: (() => Promise<void>)[] = []
  const stop = async (): Promise<void> => {
    await Promise.allSettled(stoppers.splice(0).map((one) => one()))
  }
  const one = async (name: string): Promise<void> => {
    const kind = kinds.find((candidate) => candidate.name === name)
    if (kind === undefined) {
      missing[name] = { reason: `nobody knows how to start ${name}`, cure: `name one in backends.${name}` }
      return
    }
    const result = await climb(kind, options)
    if ('reason' in result) {
      missing[name] = result
      options.onProgress(`${result.reason}; ${result.cure}`)
    } else {
      handles[name] = result.handle
      stoppers.push(result.stop)
    }
  }
  const outcomes = await Promise.allSettled([...new Set(names)].map(one))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) {
    await stop()
    throw failed.reason
  }
  return { handles, missing, stop }
}

/** Removes what an entry of the journal names; what is gone already is fine. */
export const removeBackendEntry = async (entry: BackendEntry): Promise<void> => {
  if (entry.kind === 'backend-container') return removeContainer(entry.id)
  if (entry.kind === 'backend-process') return killProcesses(entry.folder, [entry.pid])
  await killProcesses(entry.path, [])
  removeFolder(entry.path)
}

/** An instance that a configuration names, verified. Throws where it does not answer, or nobody knows the kind. */
export const connectExternal = async (name: string, value: string | object, targetHost?: string): Promise<BackendHandle> => {
  const kind = kinds.find((candidate) => candidate.name === name)
  if (kind === undefined) throw new Error(`nobody knows what ${name} is`)
  return (await useExternal(kind, value, targetHost)).handle
}

export interface LadderRow {
  backend: string
  rungs: { provider: ProviderName; available: boolean; detail: string }[]
  /** The rung that a run would use. */
  chosen: ProviderName | undefined
  cure: string
}

/** What each rung finds on this machine, without starting anything: the table of `assay backends`. */
export const describeLadder = async (external: Record<string, string | object> = {}): Promise<LadderRow[]> =>
  Promise.all(
    kinds.map(async (kind) => {
      const named = external[kind.name] !== undefined
      const rows: LadderRow['rungs'] = [
        { provider: 'external', available: named, detail: named ? `backends.${kind.name} of the configuration` : 'not configured' },
      ]
      for (const name of rungs) {
        if (name === 'external') continue
        const rung = kind.rungs[name]
        rows.push({ provider: name, ...(rung === undefined ? { available: false, detail: 'does not exist' } : await rung.find()) })
      }
      const lacking = lackingTools(kind)
      if (lacking.length > 0)
        for (const row of rows) if (row.available) Object.assign(row, { available: false, detail: `useless ${withoutTools(lacking)}` })
      return { backend: kind.name, rungs: rows, chosen: rows.find((row) => row.available)?.provider, cure: kind.cure }
    }),
  )
