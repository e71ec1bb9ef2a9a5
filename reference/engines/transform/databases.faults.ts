/** Faults in tokens that are kept in a database. */
import { faultsOf } from '../../mutations/declare.ts'
import { requestWithout } from '../../mutations/wrappers.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'
import { byStores } from './wrappers.ts'

const { route } = faultsOf(transformEngine)

route(
  'store-first-five',
  ['TRANSFORM-KEPT-01'],
  'of a batch only the first five tokens get into the database (001 4.4, stores)',
  'transform.encode',
  byStores((tokens) => ({ ...tokens, put: (all) => tokens.put(all.slice(0, 5)) })),
)

route(
  'store-without-metadata',
  ['TRANSFORM-KEPT-04'],
  'tokens in a database have no metadata (001 4.4, metadata)',
  'transform.encode',
  byStores((tokens) => ({ ...tokens, put: (all) => tokens.put(all.map((token) => ({ ...token, metadata: '' }))) })),
)

route(
  'store-tokenized-ended',
  ['TRANSFORM-KEPT-05'],
  'a value whose token in a database has ended is still tokenized (001 4.4, tokenized)',
  'transform.tokenized',
  byStores((tokens) => ({
    ...tokens,
    byValue: async (owner, digests) => (await tokens.byValue(owner, digests)).map((token) => ({ ...token, expiresAt: undefined })),
  })),
)

route(
  'store-update-drops-schema',
  ['TRANSFORM-STORE-02'],
  'a store that is written again keeps its schema (001 4.4, POST store)',
  'transform.writeStore',
  (original) => (call) => (call.state.stores.has(nameOf(call)) ? requestWithout<typeof call>('schema')(original)(call) : original(call)),
)
