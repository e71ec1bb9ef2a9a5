/** Transformations that give tokens, and the questions that are asked about them. */
import type { Answer, Bench, JsonObject } from '../../../harness/checks/index.ts'
import { given, type Item } from '../fixtures.ts'

export interface Tokens {
  role: string
  name: string
  encode(value: string, more?: Item): Promise<Answer>
  decode(token: string, more?: Item): Promise<Answer>
  validate(token: string, more?: Item): Promise<Answer>
  tokenized(value: string, more?: Item): Promise<Answer>
  metadata(token: string, more?: Item): Promise<Answer>
  /** Makes a token as set-up. */
  token(value: string, more?: Item): Promise<string>
}

export const QUESTIONS = ['validate', 'tokenized', 'metadata'] as const

/** The requests of a role for one transformation. */
export const asking = (bench: Bench, role: string, name: string, mount?: string): Tokens => {
  const at = mount === undefined ? {} : { mount }
  const input = (value: string, more: Item = {}) => ({
    path: { role_name: role },
    body: given({ value, transformation: name, ...more }),
    ...at,
  })
  const send = (operation: string) => (value: string, more?: Item) => bench.call(`transform.${operation}`, input(value, more))
  return {
    role,
    name,
    encode: send('encode'),
    decode: send('decode'),
    validate: send('validate'),
    tokenized: send('tokenized'),
    metadata: send('metadata'),
    async token(value, more) {
      const token = String((await bench.given('transform.encode', input(value, more))).data.encoded_value)
      bench.secret(token)
      return token
    },
  }
}

/** A transformation for tokenization and a role that may use it. */
export const newTokens = async (bench: Bench, fields: JsonObject = {}, alsoAllowed: string[] = []): Promise<Tokens> => {
  const [role, name] = [bench.mixedName('role'), bench.mixedName('tokens')]
  await bench.given('transform.writeTokenization', { path: { name }, body: { allowed_roles: [role, ...alsoAllowed], ...fields } })
  await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] } })
  return asking(bench, role, name)
}

/** Two transformations of which one role may use both; each is asked by its name. */
export const twoTokens = async (bench: Bench): Promise<[own: Tokens, another: Tokens]> => {
  const own = await newTokens(bench)
  const another = await newTokens(bench, {}, [own.role])
  await bench.given('transform.writeRole', { path: { name: own.role }, body: { transformations: [own.name, another.name] } })
  return [own, another]
}

/** Something that nobody had before, kept out of every artefact. */
export const newText = (bench: Bench): string => bench.canary('value')

/** The pairs of a token's metadata, in an order of their own. */
export const pairsOf = (text: unknown): string[] =>
  String(text ?? '')
    .split(/,\s*/)
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '')
    .sort()
