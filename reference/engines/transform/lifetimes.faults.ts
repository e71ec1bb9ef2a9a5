/** Faults of how long tokens live. */
import { faultsOf } from '../../mutations/declare.ts'
import { isNested, requestBody, requestNestedAs } from '../../mutations/wrappers.ts'
import { transformEngine } from './engine.ts'
import { byRules } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

const TYPED = 'transform.writeTokenization'

rule('max-ttl-default', 'TRANSFORM-MAXTTL-01', 'without max_ttl tokens live five seconds', {
  maxTtlOf: (original) => (body, kind, previous) =>
    kind === 'tokenization' && body.max_ttl === undefined ? 5 : original(body, kind, previous),
})
rule('max-ttl-without-ttl', 'TRANSFORM-MAXTTL-02', 'max_ttl counts only where a ttl is given', {
  tokenTtl: (original) => (requested, maximum) => (requested === 0 ? 0 : original(requested, maximum)),
})
rule('max-ttl-above', 'TRANSFORM-MAXTTL-03', 'a ttl above the maximum counts', {
  tokenTtl: () => (requested, maximum) => requested || maximum,
})
rule('max-ttl-always', ['TRANSFORM-MAXTTL-04', 'TRANSFORM-MAXTTL-02'], 'every token lives as long as the maximum', {
  tokenTtl: () => (_requested, maximum) => maximum || 3600,
})
route('max-ttl-object', 'TRANSFORM-MAXTTL-05', 'an object is no maximum', TYPED, requestNestedAs('max_ttl', 0))
rule('max-ttl-minutes', 'TRANSFORM-MAXTTL-02', 'a maximum in seconds is taken for minutes', {
  maxTtlOf: (original) => (body, kind, previous) => original(body, kind, previous) * 60,
})
rule('ttl-ignored', ['TRANSFORM-TTL-02', 'TRANSFORM-TTL-07', 'TRANSFORM-MAXTTL-04'], 'ttl is ignored', { requestedTtl: () => () => 0 })
rule('ttl-text-ignored', 'TRANSFORM-TTL-07', 'a ttl with a unit is ignored', {
  requestedTtl: (original) => (item) => (/[a-z]/.test(String(item.ttl)) && item.ttl !== '1h' ? 0 : original(item)),
})
rule('ttl-zero', 'TRANSFORM-TTL-01', 'a token with a ttl has ended at once', {
  expiresAt: (original) => (ttl, now) => (ttl === 0 ? original(ttl, now) : now - 1),
})
route(
  'ttl-decodes-on',
  'TRANSFORM-TTL-02',
  'what has ended is decoded',
  'transform.decode',
  byRules(() => ({ isAlive: () => true })),
)
route(
  'ttl-valid-on',
  'TRANSFORM-TTL-03',
  'what has ended is valid',
  'transform.validate',
  byRules(() => ({ isAlive: () => true })),
)
route(
  'ttl-tokenized-on',
  'TRANSFORM-TTL-04',
  'what has ended counts as tokenized',
  'transform.tokenized',
  byRules(() => ({ isAlive: () => true })),
)
route(
  'ttl-object',
  'TRANSFORM-TTL-05',
  'what is no ttl is left out',
  'transform.encode',
  requestBody((body) => (isNested(body.ttl) || body.ttl === 'soon' ? { ...body, ttl: 0 } : body)),
)
route(
  'ttl-of-first',
  'TRANSFORM-TTL-06',
  'the first token of a value decides whether it is tokenized',
  'transform.tokenized',
  byRules((rules) => {
    const ended = new Set<string>()
    return {
      isAlive: (token, now) => {
        if (!rules.isAlive(token, now)) ended.add(token.value)
        return !ended.has(token.value) && rules.isAlive(token, now)
      },
    }
  }),
)
