/** Transformations that give tokens, and the questions that are asked about them. */
import type { Answer, Bench, JsonObject } from '../../../harness/checks/index.ts'
import { given, type How, type Item } from '../fixtures.ts'

export interface Tokens {
  role: string
  name: string
  encode(value: string, more?: Item, how?: How): Promise<Answer>
  decode(token: string, more?: Item): Promise<Answer>
  validate(token: string, more?: Item): Promise<Answer>
  tokenized(value: string, more?: Item): Promise<Answer>
  metadata(token: string, more?: Item, how?: How): Promise<Answer>
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
  const send = (operation: string) => (value: string, more?: Item, how?: How) =>
    bench.call(`transform.${operation}`, { ...input(value, more), ...how })
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

/** Texts that a server which tidies up would write otherwise: composed, of full width, with blanks, in capitals, as a number, as what they look like. */
export const ODD_TEXTS = [
  'a',
  ' ',
  '0',
  '{{value}}',
  "'; DROP TABLE tokens; --",
  'null',
  'true',
  '[]',
  'é',
  'e\u0301',
  '\u212B ﬁ ①',
  '１２３',
  ' \ta  b\r\n',
  'İıßẞ',
  '0012.50',
  '1e3',
  'a%20b+c&amp;d',
  '\uFEFFa\u200B\u00AD',
  'a,b=c;d',
  '"q"\\n',
  '𝒳😀'.repeat(40),
]

/** Texts that differ, and are one to who folds case or accents, puts characters in normal form, reads numbers, or pads with blanks. */
export const ALIKE = [
  ['A', 'a'],
  ['\u00e9', 'e\u0301'],
  ['\u00e9', 'e'],
  ['ß', 'ss'],
  ['007', '7'],
  ['x\t', 'x '],
  ['１', '1'],
] as const

/** Metadata whose values hold what a server may take for something else. */
export const ODD_METADATA = [
  'plain=1',
  'rate=100%41',
  'path=/a/b?c#d',
  'price=$$5',
  'Case=UPPER',
  'digest=YWJjZA==',
  'rule=a=b=c',
  'twice==x',
  'number=007',
  'fraction=1.50',
  'truth=TRUE',
  'nothing=null',
  'sum=a+b',
  'tag=<b>&amp;</b>',
  'quoted="a b"',
  "quote=it's",
  'json={"a":1}',
  'time=12:30:00',
  'back=a\\\\b',
  'row=a;b',
  'name=Zoë 😀',
  '__proto__=1',
  `long=${'x'.repeat(1_000)}`,
  'a=1,A=2,ab=3',
  'z=1,b=1,a=1',
  Array.from({ length: 40 }, (_, place) => `key${place}=value${place}`).join(','),
]
