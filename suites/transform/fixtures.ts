/** Transformations with all they need, made for one check. */
import { type Answer, asObject, type Bench, type JsonObject } from '../../harness/checks/index.ts'

export type TemplateKind = 'fpe' | 'masking'

export const DIGITS = '0123456789'
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
/** Large enough that a text of 32 of them comes twice by chance never: halves of 16 have 10^24 values. */
export const WORDS = `${DIGITS}${LETTERS}`

/** Fields of requests that a caller chooses. */
export interface Item {
  [member: string]: string | number | undefined
  value?: string
  transformation?: string
  tweak?: string
}

/** For a request that the contract leaves open. */
export const OBSERVING = { observing: true } as const
export type How = Partial<typeof OBSERVING>

/** A transformation that one role may use. */
export interface Scheme {
  role: string
  /** Of the transformation. */
  name: string
  template: string
  /** Characters of the alphabet. */
  letters: string[]
  /** Base64 of seven bytes where the caller gives the tweak; sent with `encode` and `decode` unless told otherwise. */
  tweak: string | undefined
  /** Fields of a request for a value of this transformation. */
  item(value: string, more?: Item): JsonObject
  encode(value: string, more?: Item, how?: How): Promise<Answer>
  decode(value: string, more?: Item, how?: How): Promise<Answer>
  /** Encodes as set-up; the value of the answer. */
  encoded(value: string, more?: Item): Promise<string>
}

export interface SchemeOptions {
  /** Default: digits. */
  letters?: string
  /** Default: the whole value, of characters of the alphabet. */
  pattern?: string
  /** Further fields of the transformation. */
  fields?: JsonObject
  /** Of another mount than the check's own. */
  mount?: string
  /** Roles that may use it besides its own. */
  alsoAllowed?: string[]
}

const on = (mount: string | undefined): { mount?: string } => (mount === undefined ? {} : { mount })

/** Takes out the members that are undefined. */
export const given = (item: Item): JsonObject =>
  Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as JsonObject

export const newTweak = (bench: Bench, length = 7): string => Buffer.from(bench.random.bytes(length)).toString('base64')

/** Characters of an alphabet, at random; kept out of every artefact. */
export const newValue = (bench: Bench, letters: readonly string[] | string, length: number): string => {
  const value = Array.from({ length }, () => bench.random.pick([...letters])).join('')
  bench.secret(value)
  return value
}

/** The characters of an alphabet as a class of a regular expression. */
export const classOf = (letters: string): string =>
  `[${[...letters].map((letter) => (/[\^\-\]\\[&~]/.test(letter) ? `\\${letter}` : letter)).join('')}]`

export const newAlphabet = async (bench: Bench, letters: string, mount?: string): Promise<string> => {
  const name = bench.mixedName('alphabet')
  await bench.given('transform.writeAlphabet', { path: { name }, body: { alphabet: letters }, ...on(mount) })
  return name
}

/** A template with an alphabet of its own. */
export const newTemplate = async (bench: Bench, letters = DIGITS, pattern = `(${classOf(letters)}+)`, mount?: string): Promise<string> => {
  const name = bench.mixedName('template')
  const alphabet = await newAlphabet(bench, letters, mount)
  await bench.given('transform.writeTemplate', { path: { name }, body: { type: 'regex', pattern, alphabet }, ...on(mount) })
  return name
}

export const newRole = async (bench: Bench, transformations: string[], mount?: string): Promise<string> => {
  const name = bench.mixedName('role')
  await bench.given('transform.writeRole', { path: { name }, body: { transformations }, ...on(mount) })
  return name
}

export const WRITES: Record<TemplateKind, string> = { fpe: 'transform.writeFpe', masking: 'transform.writeMasking' }

/** Makes a transformation with these fields; answers its name. */
export const newTransformation = async (bench: Bench, kind: TemplateKind, fields: JsonObject, mount?: string): Promise<string> => {
  const name = bench.fresh(kind)
  await bench.given(WRITES[kind], { path: { name }, body: fields, ...on(mount) })
  return name
}

/** Makes a tokenization under each of these names that the target takes, for a role to list; answers the names that are there. */
export const withTransformations = async (bench: Bench, names: string[], mount?: string): Promise<string[]> => {
  const made: string[] = []
  for (const name of names)
    if ((await bench.call('transform.writeTokenization', { path: { name }, body: { allowed_roles: [] }, ...on(mount) })).ok) made.push(name)
  return made
}

/** The requests of a role for one transformation. */
export const using = (
  bench: Bench,
  role: string,
  name: string,
  tweak?: string,
  mount?: string,
): Pick<Scheme, 'item' | 'encode' | 'decode' | 'encoded'> => {
  const item = (value: string, more: Item = {}): JsonObject => given({ value, transformation: name, tweak, ...more })
  const send = (operation: string) => (value: string, more?: Item, how?: How) =>
    bench.call(operation, { path: { role_name: role }, body: item(value, more), ...on(mount), ...how })
  return {
    item,
    encode: send('transform.encode'),
    decode: send('transform.decode'),
    async encoded(value, more) {
      const answer = await bench.given('transform.encode', { path: { role_name: role }, body: item(value, more), ...on(mount) })
      return String(answer.data.encoded_value)
    },
  }
}

/** A transformation with its template and alphabet, and a role that may use it. */
export const newScheme = async (bench: Bench, kind: TemplateKind = 'fpe', options: SchemeOptions = {}): Promise<Scheme> => {
  const { letters = DIGITS, pattern, fields = {}, mount, alsoAllowed = [] } = options
  const template = await newTemplate(bench, letters, pattern, mount)
  const role = bench.mixedName('role')
  const name = await newTransformation(bench, kind, { template, allowed_roles: [role, ...alsoAllowed], ...fields }, mount)
  await bench.given('transform.writeRole', { path: { name: role }, body: { transformations: [name] }, ...on(mount) })
  const tweak = kind === 'fpe' && (fields.tweak_source ?? 'supplied') === 'supplied' ? newTweak(bench) : undefined
  return { role, name, template, letters: [...letters], tweak, ...using(bench, role, name, tweak, mount) }
}

/** What an answer to a batch holds, item by item; none where it was refused as a whole. */
export const resultsOf = (answer: Answer): JsonObject[] =>
  Array.isArray(answer.data.batch_results) ? answer.data.batch_results.map(asObject) : []

/** The plaintext of a decoded item, which stands under either name. */
export const plaintextOf = (result: JsonObject | undefined): unknown => result?.decoded_value ?? result?.encoded_value

/** The tweak that an answer or an item returns; nothing where none is returned, which the contract allows of generated ones. */
export const tweakIn = (data: JsonObject | undefined): string | undefined =>
  typeof data?.tweak === 'string' && data.tweak !== '' ? data.tweak : undefined

/** Names that are close to a name and are not it. */
export const nearNames = (name: string): string[] =>
  [
    `${name}-2`,
    name.slice(0, -1),
    `a-${name}`,
    `${name}0`,
    `${name.slice(0, 4)}.+`,
    `${name.slice(0, -1)}.`,
    `${name.slice(0, -1)}_`,
    `${name.slice(0, -1)}%`,
  ].filter((other) => other !== name)
