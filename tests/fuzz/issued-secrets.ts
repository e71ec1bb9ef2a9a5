/** Which operations give or take a secret, and which texts of their messages are secret, by the marks of the contract's schemas. */
import type { Contract, Operation } from '../../harness/contract/contract.ts'
import { isCredentialOperation, placedTexts } from '../../harness/contract/sensitive.ts'
import { responseSpecOf } from '../../harness/contract/validate.ts'
import { secretsIn } from '../support/secrets-in-messages.ts'

const SHORTEST = 8

const marks = (schema: unknown, seen = new Set<unknown>()): boolean => {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false
  seen.add(schema)
  return 'x-sensitive' in schema || Object.values(schema).some((below) => marks(below, seen))
}

/** Operations of the contract that give or take what a schema marks as secret. */
export const secretOperations = (contract: Contract): Operation[] =>
  [...contract.operations.values()].filter((operation) => isCredentialOperation(operation) || marks(operation.request?.schema))

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Not what stands where a value is not shown, a word that a check makes up, or the path of a file that holds the secret. */
const isTelling = (text: string): boolean =>
  text.length >= SHORTEST && /\d/.test(text) && new Set(text).size >= 6 && !/^(?:\/[\w.-]+){2,}$/.test(text)

const passwordOf = (url: string): string => /\/\/[^:@/\s]*:([^@\s]+)@/.exec(url)?.[1] ?? ''

const marked = (schema: unknown, message: string): string[] =>
  placedTexts(schema, parsed(message))
    .flatMap(({ kind, text }) => (kind === 'secret' ? [text] : kind === 'userinfo' ? [passwordOf(text)] : []))
    .filter((text) => isTelling(text) && !text.includes('{{'))

/** Secrets of one exchange: those of its answer, else those of its request. Of one that is not in the contract by the names of its members. */
export const issuedIn = (operation: Operation | undefined, sent: string, status: number, answered: string): string[] => {
  if (operation === undefined) return [...secretsIn(answered, false), ...secretsIn(sent, false)].filter(isTelling)
  const given = status < 300 ? marked(responseSpecOf(operation, status)?.schema, answered) : []
  return [...given, ...marked(operation.request?.schema, sent)]
}
