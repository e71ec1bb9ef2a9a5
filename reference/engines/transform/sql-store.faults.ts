/** Faults of tokens that are kept in databases. */
import { secret } from '../../core/envelope.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../faults/declare.ts'
import { insteadOfRefusal } from '../../faults/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import type { KeptToken, TokenStore } from './token-store.ts'
import { after, all, beside, byStores, CODING, dataOf, QUESTIONS } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(transformEngine)

const USES = [...CODING, ...QUESTIONS]
const ENCODE = 'transform.encode'

route(
  'default-kept-in-memory',
  'TRANSFORM-KEPT-02',
  'without a schema tokens are kept by the service itself',
  USES,
  byStores((tokens, { state }, { schema }) => (schema === 'public' ? state.internalStore : tokens)),
)
rule('schema-ignored', 'TRANSFORM-KEPT-01', 'the schema of a store is ignored', {
  tableOf: (original) => (kind) => original(kind, 'public'),
})
/** A store that puts other tokens. */
const putting = (change: (tokens: readonly KeptToken[]) => readonly KeptToken[]) =>
  byStores((tokens) => ({ ...tokens, put: (list) => tokens.put(change(list)) }))
route(
  'batch-last-part-lost',
  'TRANSFORM-KEPT-04',
  'of more than 32 tokens of a batch, those beyond the last full 32 are not kept',
  ENCODE,
  putting((list) => (list.length > 32 ? list.slice(0, list.length - (list.length % 32)) : list)),
)
rule('batch-first-statement', 'TRANSFORM-KEPT-04', 'of a batch that takes several statements only the first is carried out', {
  insertion: (original) => (kind, table, tokens) => original(kind, table, tokens).slice(0, 1),
})
for (const [id, form] of [
  ['plain', 'utf8'],
  ['base64', 'base64'],
  ['hexadecimal', 'hex'],
] as const)
  rule(`kept-${id}`, 'TRANSFORM-KEPT-03', `values are kept in ${id} form`, {
    sealed: () => (_transformation, value) => Buffer.from(value).toString(form),
    opened: () => (_transformation, text) => Buffer.from(text, form).toString(),
  })
route(
  'kept-without-end',
  'TRANSFORM-KEPT-04',
  'tokens of a store never end',
  ENCODE,
  putting((list) => list.map((token) => ({ ...token, expiresAt: undefined }))),
)
rule('kept-purges', 'TRANSFORM-KEPT-05', 'what has ended is deleted before tokens are made', {
  insertion: (original) => (kind, table, tokens) => [
    { sql: `DELETE FROM ${table} WHERE expires_at < 0`, values: [] },
    ...original(kind, table, tokens),
  ],
})
rule('kept-makes-tables', 'TRANSFORM-KEPT-05', 'the table is made when tokens are', {
  insertion: (original) => (kind, table, tokens) => [...kind.creation(table), ...original(kind, table, tokens)],
})

/** Whatever fails is done by another store. */
const orElse = (tokens: TokenStore, other: TokenStore): TokenStore => ({
  ...tokens,
  put: (list) => tokens.put(list).catch(() => other.put(list)),
  byToken: (owner, digests) => tokens.byToken(owner, digests).catch(() => other.byToken(owner, digests)),
  byValue: (owner, digests) => tokens.byValue(owner, digests).catch(() => other.byValue(owner, digests)),
})
route(
  'kept-elsewhere-on-failure',
  ['TRANSFORM-KEPT-06', 'TRANSFORM-KEPT-09', 'TRANSFORM-KEPT-15'],
  'the service itself keeps what the database does not take',
  USES,
  byStores((tokens, { state }) => orElse(tokens, state.internalStore)),
)
route(
  'kept-later',
  ['TRANSFORM-RACE-05', 'TRANSFORM-KEPT-06', 'TRANSFORM-KEPT-09'],
  'a token is answered before it is kept',
  ENCODE,
  byStores((tokens) => ({ ...tokens, put: async (list) => void tokens.put(list).catch(() => undefined) })),
)
change('kept-in-two-steps', 'TRANSFORM-KEPT-07', 'what fails for want of UPDATE has made a token already', {
  rules: {
    insertion: (original) => (kind, table, tokens) => [
      ...original(kind, table, tokens),
      { sql: `UPDATE ${table} SET metadata = metadata WHERE owner = ''`, values: [] },
    ],
    openedSession: (original) => async (kind, settings, credentials) => {
      const session = await original(kind, settings, credentials)
      return {
        ...session,
        async run(statements) {
          let found: Awaited<ReturnType<typeof session.run>> = []
          for (const statement of statements) found = await session.run([statement])
          return found
        },
      }
    },
  },
})
/** Stores by what failed once. */
const failed = beside(() => ({ read: false, write: new Set<string>() }))
route(
  'gives-up-after-failure',
  'TRANSFORM-KEPT-10',
  'after a failure a store finds nothing any more',
  USES,
  byStores((tokens, { state }) => {
    const failing = (error: unknown): never => {
      failed(state).read = true
      throw error
    }
    return {
      ...tokens,
      put: (list) => tokens.put(list).catch(failing),
      byToken: (name, digests) => (failed(state).read ? Promise.resolve(new Map()) : tokens.byToken(name, digests).catch(failing)),
    }
  }),
)

const made = beside(() => new Map<string, { value: string; name: string; store: string }>())
const storeOf = ({ state, body }: TransformCall): string => state.transformations.get(textOf(body, 'transformation'))?.stores[0] ?? 'none'
for (const [id, clause, title, takes] of [
  [
    'store',
    'TRANSFORM-KEPT-12',
    'tokens of every store are taken',
    (store: string, _name: string, call: TransformCall) => store !== storeOf(call),
  ],
  [
    'transformation',
    'TRANSFORM-KEPT-14',
    'tokens of every transformation of a store are taken',
    (store: string, name: string, call: TransformCall) => store === storeOf(call) && name !== call.body.transformation,
  ],
] as const)
  change(`of-any-${id}`, clause, title, {
    routes: {
      ...all(
        [ENCODE],
        after((state, _name, call, reply) => {
          const { encoded_value: token } = dataOf(reply)
          if (typeof token === 'string' && typeof call.body.value === 'string')
            made(state).set(token, { value: call.body.value, name: textOf(call.body, 'transformation'), store: storeOf(call) })
        }),
      ),
      'transform.decode': insteadOfRefusal(
        (call) => secret({ decoded_value: made(call.state).get(textOf(call.body, 'value'))!.value }),
        (call) => {
          const token = made(call.state).get(String(call.body.value))
          return (
            token !== undefined &&
            takes(token.store, token.name, call) &&
            call.state.transformations.has(textOf(call.body, 'transformation'))
          )
        },
      ),
    },
  })

export const faults = declared
