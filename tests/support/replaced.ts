/** A target whose answers to chosen operations are replaced before a check sees them; what prepares the target stays untouched. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { RunnableCheck } from '../../harness/checks/vocabulary.ts'
import type { Contract, Operation } from '../../harness/contract/contract.ts'
import type { CheckRun } from '../../harness/running/check-run.ts'
import { executeCheck } from '../../harness/running/repeat.ts'
import type { RunContext } from '../../harness/sending/context.ts'
import type { HttpClient, Received, WireAnswer } from '../../harness/target/http.ts'
import { learnedAnswer, type Subject } from '../../harness/target/learned.ts'
import type { Target } from '../../harness/target/target.ts'
import type { WireRequest } from '../../harness/target/wire.ts'

export type Replacement = (answer: WireAnswer) => Received

const body = (text: string, contentType = 'application/json'): Replacement => {
  const bytes = Buffer.from(text)
  return ({ status, headers }) => ({ status: status === 204 ? 200 : status, headers: { ...headers, 'content-type': contentType }, bytes })
}

const LEVELS = 20_000

/** The members of an answer's `data`, or of its body where it has none, each replaced. */
const members =
  (value: unknown): Replacement =>
  (answer) => {
    const text = Buffer.from(answer.bytes).toString('utf8')
    if (!text.startsWith('{')) return answer
    const whole = JSON.parse(text) as Record<string, unknown>
    const hollow = (object: object) => Object.fromEntries(Object.keys(object).map((name) => [name, value]))
    const { data } = whole
    const changed = typeof data === 'object' && data !== null && !Array.isArray(data) ? { ...whole, data: hollow(data) } : hollow(whole)
    return { ...answer, bytes: Buffer.from(JSON.stringify(changed)) }
  }

/** What an answer is replaced by, by name. */
export const replacements: Record<string, Replacement> = {
  null: body('null'),
  text: body('It works!', 'text/plain'),
  'a list': body('[]'),
  'an empty object': body('{}'),
  'a deep object': body(`${'{"data":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}`),
  'data that is null': body('{"data":null}'),
  'data that is a list': body('{"data":[1,null,"a"]}'),
  'empty data': body('{"data":{}}'),
  'members that are null': members(null),
  'members that are numbers': members(7),
  'members that are lists of null': members([null]),
  'members that are objects': members({ a: null }),
}

const patternOf = (contract: Contract, operation: Operation): { operation: Operation; pattern: RegExp } => {
  const base = operation.basePath ?? contract.apis.get(operation.api)?.basePath ?? ''
  const segments = operation.path.split(/(\{[^}]+\})/).map((part) => {
    if (!part.startsWith('{')) return part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
    const parameter = operation.parameters.find(({ name }) => `{${name}}` === part)
    return part === '{mount}' || parameter?.multiSegment ? '.+' : '[^/]+'
  })
  return { operation, pattern: new RegExp(`^${base}${segments.join('')}$`) }
}

/**
 * Finds the operation that a request asks for; the one with the longest fixed text where several fit.
 *
 * @param isThere says whether an operation can be at a path; default every one.
 */
export const operationFinder = (
  contract: Contract,
  isThere: (path: string, operation: Operation) => boolean = () => true,
): ((request: Pick<WireRequest, 'method' | 'path'>) => Operation | undefined) => {
  const patterns = [...contract.operations.values()]
    .map((operation) => patternOf(contract, operation))
    .sort(
      (left, right) => right.operation.path.replaceAll(/\{[^}]+\}/g, '').length - left.operation.path.replaceAll(/\{[^}]+\}/g, '').length,
    )
  return ({ method, path }) => {
    const [bare, query = ''] = path.split('?')
    const isList = method === 'LIST' || query.includes('list=true')
    const found = patterns.find(
      ({ operation, pattern }) =>
        pattern.test(bare!) &&
        isThere(bare!, operation) &&
        (isList ? operation.isList : operation.method === method || (operation.method === 'POST' && method === 'PUT')),
    )
    return found?.operation
  }
}

interface Tried {
  used: Set<string>
  replaces(operation: string): boolean
  by: Replacement
}

/** Runs checks with replaced answers. */
export class ReplacedTarget {
  readonly #context: RunContext
  readonly #current = new AsyncLocalStorage<Tried>()

  constructor(context: RunContext) {
    this.#context = context
    const operationOf = operationFinder(context.contract)
    for (const target of context.targets.values()) this.#hook(target, operationOf)
  }

  #hook(target: Target, operationOf: (request: WireRequest) => Operation | undefined): void {
    const { http } = target
    const send = async (request: WireRequest, timeout?: number, subject?: Subject): Promise<WireAnswer> => {
      const answer = await http.send(request, timeout, subject)
      const tried = this.#current.getStore()
      const operation = operationOf(request)?.id
      if (tried === undefined || operation === undefined) return answer
      tried.used.add(operation)
      return tried.replaces(operation) ? learnedAnswer(tried.by(answer), () => undefined) : answer
    }
    // The provisioner keeps the client it was built with.
    target.http = new Proxy(http, {
      get: (client, name: keyof HttpClient) => {
        const member = name === 'send' ? send : client[name]
        return typeof member === 'function' ? member.bind(client) : member
      },
    })
  }

  /** Runs one check; `operation` is the one whose answers are replaced, default every one. Tells which operations it used, too. */
  async run(check: RunnableCheck, by?: Replacement, operation?: string): Promise<CheckRun & { used: Set<string> }> {
    const used = new Set<string>()
    const tried: Tried = { used, by: by ?? ((answer) => answer), replaces: (id) => operation === undefined || id === operation }
    const run = await this.#current.run(tried, () => executeCheck(this.#context, check))
    return { ...run, used }
  }
}
