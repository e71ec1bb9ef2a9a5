/** The provisioner that asks a user's executable or URL for fixtures, identities and mounts; see specs/meta/need.schema.json. */
import PQueue from 'p-queue'
import { Blocked } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { UsageError } from '../../base/usage.ts'
import type { Identity } from '../exchange.ts'
import type { Provisioner, ProvisionerContext, UndoEntry } from '../provisioner.ts'
import type { TlsOptions } from '../tls-material.ts'
import { type Ask, askExecutable, askUrl } from './command-call.ts'
import { configuredFixtures } from './static.ts'

export interface CommandOptions {
  /** Executable with its arguments, or a URL. */
  command?: string[] | string
}

/** Needs put at once: an executable is a process each. */
const AT_ONCE = 4

const askOf = ({ command }: CommandOptions, { timeout, learn }: ProvisionerContext, tls: TlsOptions): Ask => {
  if (typeof command === 'string') {
    if (!URL.canParse(command)) throw new UsageError('provisioner.command is not a URL: give one such as http://127.0.0.1:8080/needs')
    return askUrl(command, timeout, tls, learn)
  }
  if (!Array.isArray(command) || command.length === 0) {
    throw new UsageError('provisioner.command: give an executable with its arguments, or a URL')
  }
  return askExecutable(command, timeout, learn)
}

const misshapen = (what: string, wanted: string): Blocked =>
  new Blocked(`the provisioner's answer to the need for ${what} has no ${wanted}`, 'see the protocol in specs/meta/need.schema.json')

const textIn = (answer: JsonObject, key: string, pattern: RegExp, what: string): string => {
  const value = answer[key]
  if (typeof value !== 'string' || !pattern.test(value)) throw misshapen(what, `usable ${key}`)
  return value
}

/**
 * Builds the provisioner.
 *
 * @param tls how a URL's certificate is judged; the target's own settings.
 * @throws UsageError where neither executable nor URL is given.
 */
export const commandProvisioner = (context: ProvisionerContext, options: CommandOptions, tls: TlsOptions = {}): Provisioner => {
  const ask = askOf(options, context, tls)
  const queue = new PQueue({ concurrency: AT_ONCE })
  const fixtureOf = configuredFixtures(context)
  const prepared = new Map<string, Identity | Blocked>()

  // What removes something comes first: its time runs while it waits, and what is made waits for as long as it takes.
  const put = async (need: JsonObject): Promise<JsonObject> =>
    (await queue.add(() => ask(need), { priority: need.action === 'undo' ? 1 : 0 })) as JsonObject

  const provide = async (
    kind: string,
    purpose: string,
    parameters: JsonObject,
  ): Promise<{ answer: JsonObject; what: string; undo?: UndoEntry }> => {
    const what = `${kind} ${JSON.stringify(purpose)}`
    const answer = await put({ action: 'provide', run: context.run, kind, purpose, parameters })
    if (answer.unavailable !== undefined) {
      const reason = typeof answer.unavailable === 'string' ? answer.unavailable : 'no reason given'
      throw new Blocked(`the provisioner cannot provide the ${what}: ${reason}`, `teach the provisioner command to provide the ${what}`)
    }
    if (answer.undo === undefined || answer.undo === null || answer.undo === '') return { answer, what }
    if (typeof answer.undo !== 'string') throw misshapen(what, 'undo that is a text')
    const undo = { kind: 'command', name: answer.undo, namespace: '' }
    context.journal(undo)
    return { answer, what, undo }
  }

  const identity = async (name: string, parameters: JsonObject): Promise<{ identity: Identity; undo?: UndoEntry }> => {
    const { answer, what, undo } = await provide('identity', name, parameters)
    const token = textIn(answer, 'token', /^[\x21-\x7e]+$/, what)
    context.secret(token)
    const shown = typeof answer.displayName === 'string' ? { displayName: answer.displayName } : {}
    return { identity: { name, token, ...shown }, ...(undo === undefined ? {} : { undo }) }
  }

  return {
    kind: 'command',
    features: new Set(['identities', 'mounts', 'tuning']),
    async mount({ type, name, exclusive, namespace, config }) {
      const parameters: JsonObject = { name, exclusive, namespace, ...(config === undefined ? {} : { config: { ...config } }) }
      const { answer, what, undo } = await provide('mount', type, parameters)
      const path = textIn(answer, 'path', /^[^/]/, what).replace(/\/$/, '')
      return { path, ...(undo === undefined ? {} : { undo }) }
    },
    async tune({ type, path, namespace }, config) {
      await provide('tuning', type, { path, namespace, config: { ...config } })
    },
    async identity({ name, displayName, namespace, grants, further, ttl }) {
      if (ttl !== undefined) throw new Blocked('the command provisioner cannot make a token that expires', 'use --provisioner sys')
      const allowed = [grants, ...further].flat().map(({ path, capabilities }) => ({ path, capabilities: [...capabilities] }))
      return identity(name, { grants: allowed, namespace, ...(displayName === undefined ? {} : { displayName }) })
    },
    namespace: async () => {
      throw new Blocked('the command provisioner cannot make namespaces', 'use --provisioner sys')
    },
    async fixture(purpose, parameters) {
      if (context.fixtures[purpose] !== undefined) return { fixture: fixtureOf(purpose) }
      const { answer, what, undo } = await provide('fixture', purpose, parameters)
      if (!isObject(answer.fixture)) throw misshapen(what, 'fixture that is an object')
      return { fixture: answer.fixture, ...(undo === undefined ? {} : { undo }) }
    },
    async prepare(names) {
      const undo: UndoEntry[] = []
      for (const name of names.filter((wanted) => context.identities[wanted] === undefined)) {
        try {
          const made = await identity(name, {})
          prepared.set(name, made.identity)
          if (made.undo !== undefined) undo.push(made.undo)
        } catch (error) {
          if (!(error instanceof Blocked)) throw error
          prepared.set(name, error)
        }
      }
      return undo
    },
    named(name) {
      const found = context.identities[name] ?? prepared.get(name)
      if (found instanceof Blocked) throw found
      if (found !== undefined) return found
      throw new Blocked(`the identity ${JSON.stringify(name)} is not configured`, `set identities.${name} in the configuration`)
    },
    lease: async () => {
      throw new Blocked('the command provisioner cannot call lease endpoints', 'use --provisioner sys')
    },
    async undo(entry) {
      await put({ action: 'undo', undo: entry.name })
    },
    async endToken(entry) {
      await put({ action: 'undo', undo: entry.name })
      return true
    },
    leftovers: async () => [],
  }
}
