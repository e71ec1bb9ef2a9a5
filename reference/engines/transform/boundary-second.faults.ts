/** Faults at the edges of what may be given: nothing, the last of many, exactly the limit, and other spellings of the same. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import type { TokenStore } from './token-store.ts'
import { byStores, requestItems, withState } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

rule('boundary-empty-batch-unset', [], 'an empty batch counts as none, so that the scalar value is taken', {
  batchOf: (original) => (body) => (Array.isArray(body.batch_input) && body.batch_input.length === 0 ? undefined : original(body)),
})

const CHUNK = 32

/** A store that writes in chunks and forgets the last one unless it is full. */
const inChunks = (store: TokenStore): TokenStore => ({
  ...store,
  put: (tokens) => store.put(tokens.length > CHUNK ? tokens.slice(0, tokens.length - (tokens.length % CHUNK)) : tokens),
})

route(
  'boundary-last-chunk-lost',
  [],
  'of more than 32 tokens of a batch, those beyond the last full 32 are not kept',
  'transform.encode',
  (original) => (call) => byStores(inChunks)(original)(withState(call, { internalStore: inChunks(call.state.internalStore) })),
)

rule('boundary-tenth-group', [], 'groups of a pattern from the tenth on are left as they are', {
  spansOf: (original) => (pattern, value) => original(pattern, value)?.slice(0, 9),
})

rule('boundary-ttl-equals-maximum', [], 'a ttl that equals the maximum of the transformation is refused', {
  tokenTtl: (original) => (requested, maximum) => {
    if (maximum !== 0 && requested === maximum) throw invalid('ttl must be below max_ttl')
    return original(requested, maximum)
  },
})

route(
  'boundary-batch-ttl-unit',
  [],
  'the unit of a ttl in an item of a batch is not looked at',
  'transform.encode',
  requestItems((item) =>
    typeof item?.ttl === 'string' && /^\d+[a-z]/.test(item.ttl) ? { ...item, ttl: Number.parseInt(item.ttl, 10) } : item,
  ),
)

rule('boundary-tweak-leading-zero', [], 'a tweak whose first byte is zero is refused', {
  tweakOf: (original) => (item) => {
    const bytes = original(item)
    if (bytes[0] === 0) throw invalid('tweak must be base64 of 7 bytes')
    return bytes
  },
})

rule('boundary-filter-second-star', [], 'only the first star of a filter stands for any characters', {
  fits: (original) => (name, filter) => {
    const [before, ...rest] = filter.split('*')
    if (before === undefined || rest.length === 0) return original(name, filter)
    const after = rest.join('*')
    return name.length >= before.length + after.length && name.startsWith(before) && name.endsWith(after)
  },
})

rule('boundary-max-ttl-zero-update', [], 'an update cannot set max_ttl back to 0', {
  maxTtlOf: (original) => (body, kind, previous) => original(body, kind, previous) || (previous?.maxTtl ?? 0),
})
