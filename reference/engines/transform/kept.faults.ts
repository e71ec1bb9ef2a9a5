/** Faults of the tokens that stores keep. */
import { secret } from '../../core/envelope.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { filled } from './sql-kind.ts'
import type { TokenStore } from './token-store.ts'
import { byStores, dataOf } from './wrappers.ts'

const { rule, route, change } = faultsOf(transformEngine)

const USES = ['encode', 'decode', 'validate', 'tokenized', 'metadata'].map((name) => `transform.${name}`)

route(
  'kept-in-memory',
  'TRANSFORM-KEPT-01',
  'tokens of a store are kept by the service itself',
  USES,
  byStores((_tokens, call) => call.state.internalStore),
)
route(
  'kept-default-in-memory',
  'TRANSFORM-KEPT-02',
  'without a schema tokens are kept by the service itself',
  USES,
  byStores((tokens, call, { schema }) => (schema === 'public' ? call.state.internalStore : tokens)),
)
rule('kept-schema-ignored', 'TRANSFORM-KEPT-01', 'the schema of a store is ignored', {
  tableOf: (original) => (kind) => original(kind, 'public'),
})
route(
  'kept-first-of-batch',
  'TRANSFORM-KEPT-01',
  'of a batch the first token is kept',
  'transform.encode',
  byStores((tokens) => ({ ...tokens, put: (list) => tokens.put(list.slice(0, 1)) })),
)
for (const [id, title, spelt, read] of [
  ['plain', 'values are kept as they are', (value: string) => value, (text: string) => text],
  ['base64', 'values are kept in base64', (value: string) => btoa(encodeURI(value)), (text: string) => decodeURI(atob(text))],
  [
    'hex',
    'values are kept in hexadecimal digits',
    (value: string) => Buffer.from(value).toString('hex'),
    (text: string) => Buffer.from(text, 'hex').toString(),
  ],
] as const)
  rule(`kept-${id}`, 'TRANSFORM-KEPT-03', title, {
    sealed: () => (_transformation, value) => spelt(value),
    opened: () => (_transformation, text) => read(text),
  })
rule('kept-value-column', 'TRANSFORM-KEPT-03', 'values are found by themselves instead of by a digest', {
  digestOf: (original) => (transformation, purpose, text) => (purpose === 'value' ? text : original(transformation, purpose, text)),
})
rule('kept-value-in-metadata', 'TRANSFORM-KEPT-03', 'the value stands among the metadata', {
  metadataOf: (original) => (item) => `${original(item)},value=${textOf(item, 'value')}`,
})
rule('kept-without-metadata', 'TRANSFORM-KEPT-04', 'a store keeps no metadata', {
  insertion: (original) => (kind, table, tokens) =>
    original(
      kind,
      table,
      tokens.map((token) => ({ ...token, metadata: '' })),
    ),
})
rule('kept-without-end', 'TRANSFORM-KEPT-04', 'tokens of a store never end', {
  insertion: (original) => (kind, table, tokens) =>
    original(
      kind,
      table,
      tokens.map((token) => ({ ...token, expiresAt: undefined })),
    ),
})
route(
  'kept-not-tokenized',
  'TRANSFORM-KEPT-04',
  'no value of a store is tokenized',
  'transform.tokenized',
  byStores((tokens) => ({ ...tokens, byValue: async () => [] })),
)
rule('kept-deletes', 'TRANSFORM-KEPT-05', 'what has ended is deleted before tokens are looked up', {
  lookup: (original) => (kind, table, by, owner, digests) => [
    { sql: `DELETE FROM ${table} WHERE expires_at < 0`, values: [] },
    ...original(kind, table, by, owner, digests),
  ],
})
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
  byStores((tokens, call) => orElse(tokens, call.state.internalStore)),
)
route(
  'kept-later',
  ['TRANSFORM-RACE-05', 'TRANSFORM-KEPT-06', 'TRANSFORM-KEPT-09'],
  'a token is answered before it is kept',
  'transform.encode',
  byStores((tokens) => ({
    ...tokens,
    async put(list) {
      void tokens.put(list).catch(() => undefined)
    },
  })),
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
rule('kept-raw-password', 'TRANSFORM-KEPT-08', 'a password is put into the connection string as it is', {
  openedSession: () => (kind, settings, credentials) =>
    kind.open(
      filled(settings.connectionString, credentials, (value) => value),
      credentials,
    ),
})
rule('kept-encoded-password', 'TRANSFORM-KEPT-08', 'a password is percent-encoded whatever the form', {
  openedSession:
    (original) =>
    (kind, settings, { username, password }) =>
      original(kind, settings, { username, password: encodeURIComponent(password) }),
})
const given = new WeakSet<object>()
route(
  'kept-gives-up',
  'TRANSFORM-KEPT-10',
  'after a failure a store finds nothing any more',
  USES,
  byStores((tokens, call) => {
    const owner = call.state
    const failing = (error: unknown): never => {
      given.add(owner.stores)
      throw error
    }
    return {
      ...tokens,
      put: (list) => tokens.put(list).catch(failing),
      byToken: (name, digests) => (given.has(owner.stores) ? Promise.resolve(new Map()) : tokens.byToken(name, digests).catch(failing)),
    }
  }),
)

interface Made {
  value: string
  name: string
  store: string
}
const made = new Map<string, Made>()
const storeOf = (call: TransformCall): string => call.state.transformations.get(textOf(call.body, 'transformation'))?.stores[0] ?? 'none'
for (const [id, clause, title, takes] of [
  [
    'kept-of-any-store',
    'TRANSFORM-KEPT-12',
    'tokens of every store are taken',
    (token: Made, call: TransformCall) => token.store !== storeOf(call),
  ],
  [
    'kept-of-any-transformation',
    'TRANSFORM-KEPT-14',
    'tokens of every transformation of a store are taken',
    (token: Made, call: TransformCall) => token.store === storeOf(call) && token.name !== call.body.transformation,
  ],
] as const)
  change(id, clause, title, {
    routes: {
      'transform.encode': (original) => async (call) => {
        const reply = await original(call)
        const token = dataOf(reply).encoded_value
        if (typeof token === 'string' && typeof call.body.value === 'string')
          made.set(token, { value: call.body.value, name: textOf(call.body, 'transformation'), store: storeOf(call) })
        return reply
      },
      'transform.decode': insteadOfRefusal(
        (call) => secret({ decoded_value: made.get(textOf(call.body, 'value'))!.value }),
        (call) => {
          const token = typeof call.body.value === 'string' ? made.get(call.body.value) : undefined
          return token !== undefined && takes(token, call) && call.state.transformations.has(textOf(call.body, 'transformation'))
        },
      ),
    },
  })
rule('batch-first-statement', 'TRANSFORM-KEPT-04', 'of a batch that takes several statements only the first is carried out', {
  insertion: (original) => (kind, table, tokens) => original(kind, table, tokens).slice(0, 1),
})
