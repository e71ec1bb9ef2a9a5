/** Faults at the edges of what may be given: nothing, the last of many, exactly the limit, and other spellings of the same. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import type { TokenStore } from './token-store.ts'
import { byStores, requestItems, withState } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

const CHUNK = 32

/** A store that writes in chunks and forgets the last one unless it is full. */
const inChunks = (store: TokenStore): TokenStore => ({
  ...store,
  put: (tokens) => store.put(tokens.length > CHUNK ? tokens.slice(0, tokens.length - (tokens.length % CHUNK)) : tokens),
})

route(
  'boundary-last-chunk-lost',
  'TRANSFORM-KEPT-01',
  'of more than 32 tokens of a batch, those beyond the last full 32 are not kept',
  'transform.encode',
  (original) => (call) => byStores(inChunks)(original)(withState(call, { internalStore: inChunks(call.state.internalStore) })),
)

route(
  'boundary-batch-ttl-unit',
  'TRANSFORM-MAXTTL-02',
  'the unit of a ttl in an item of a batch is not looked at',
  'transform.encode',
  requestItems((item) =>
    typeof item?.ttl === 'string' && /^\d+[a-z]/.test(item.ttl) ? { ...item, ttl: Number.parseInt(item.ttl, 10) } : item,
  ),
)

rule('boundary-tweak-leading-zero', 'TRANSFORM-TWEAK-03', 'a tweak whose first byte is zero is refused', {
  tweakOf: (original) => (item) => {
    const bytes = original(item)
    if (bytes[0] === 0) throw invalid('tweak must be base64 of 7 bytes')
    return bytes
  },
})

rule('boundary-filter-second-star', 'TRANSFORM-FILTER-04', 'only the first star of a filter stands for any characters', {
  fits: (original) => (name, filter) => {
    const [before, ...rest] = filter.split('*')
    if (before === undefined || rest.length === 0) return original(name, filter)
    const after = rest.join('*')
    return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after)
  },
})

rule('boundary-max-ttl-zero-update', 'TRANSFORM-TOKENIZATION-03', 'an update cannot set max_ttl back to 0', {
  maxTtlOf: (original) => (body, kind, previous) => original(body, kind, previous) || (previous?.maxTtl ?? 0),
})
