/** The ways in which an answer that holds secrets is garbled, and whose turn it is. */
export interface Message {
  status: number
  headers: Record<string, string | string[]>
  body: string
}

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** How an answer is garbled; `sent` is the request's body. */
export type Mutation = (answer: Message, secrets: readonly string[], sent: string) => Message

const mapped = (value: Json, change: (name: string, text: string) => Record<string, Json>): Json => {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      typeof member === 'string' ? Object.entries(change(name, member)) : [[name, mapped(member, change)] as const],
    ),
  )
}

const onSecrets = (answer: Message, secrets: readonly string[], change: (name: string, text: string) => Record<string, Json>): Message => {
  const body = mapped(JSON.parse(answer.body) as Json, (name, text) => (secrets.includes(text) ? change(name, text) : { [name]: text }))
  return { ...answer, body: JSON.stringify(body) }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const wrapped =
  (before: string): Mutation =>
  (answer, secrets) =>
    onSecrets(answer, secrets, (name, text) => ({ [name]: base64(`${before}${text}, and more`) }))

const asText = (answer: Message, body: string): Message => ({ ...answer, headers: { 'content-type': 'text/plain' }, body })

export const mutations: Record<string, Mutation> = {
  none: (answer) => answer,
  'renames the member': (answer, secrets) => onSecrets(answer, secrets, (_, text) => ({ pass_word: text })),
  'moves it out of data': (answer, secrets) =>
    onSecrets({ ...answer, body: JSON.stringify({ ...(JSON.parse(answer.body) as object), extra: secrets }) }, secrets, () => ({})),
  'answers as plain text': (answer) => asText(answer, answer.body),
  'answers the bare secret': (answer, secrets) => asText(answer, secrets[0]!),
  'quotes it in a 500': (answer, secrets) => ({
    ...answer,
    status: 500,
    body: JSON.stringify({ errors: [`internal: could not keep "${secrets.join('" and "')}", giving up`] }),
  }),
  'quotes it in a warning': (answer, secrets) => ({
    ...answer,
    body: JSON.stringify({ ...(JSON.parse(answer.body) as object), warnings: [`issued ${secrets.join(' ')}`] }),
  }),
  'copies it into a cookie': (answer, secrets) => ({
    ...answer,
    headers: {
      ...answer.headers,
      'set-cookie': `session=${encodeURIComponent(secrets[0]!)}; Path=/`,
      'x-debug': encodeURIComponent(secrets[0]!),
    },
  }),
  'echoes the request': (answer, _, sent) => ({
    ...answer,
    body: JSON.stringify({ ...(JSON.parse(answer.body) as object), request: sent, copy: answer.body }),
  }),
  'wraps it in base64 at the first place': wrapped('abc'),
  'wraps it in base64 at the second place': wrapped('abcd'),
  'wraps it in base64 at the third place': wrapped('abcde'),
  'answers the whole in base64': (answer) => asText(answer, base64(` ${answer.body}`)),
  'uses it as a name': (answer, secrets) => onSecrets(answer, secrets, (name, text) => ({ [text]: name })),
}

/** Says which mutation an answer gets, and counts them. */
export class MutationTurns {
  /** How often each mutation was applied. */
  readonly applied = new Map<string, number>()
  readonly #open = new Map<string, Set<string>>()

  /**
   * Each route goes through all mutations by itself. Of those that are still open to it the one that was applied least comes first: as many
   * answers as there are mutations get every one of them, in whichever order they come.
   *
   * @param route equal for answers to the same kind of request.
   */
  next(route: string): string {
    const left = this.#open.get(route)
    const open = left === undefined || left.size === 0 ? new Set(Object.keys(mutations)) : left
    const [name] = [...open].sort((one, other) => this.#count(one) - this.#count(other)) as [string]
    open.delete(name)
    this.#open.set(route, open)
    this.applied.set(name, this.#count(name) + 1)
    return name
  }

  #count(name: string): number {
    return this.applied.get(name) ?? 0
  }
}
