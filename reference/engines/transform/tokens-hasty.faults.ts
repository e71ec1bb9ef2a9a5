/** Faults of values, tokens and batches as a hurry makes them: remembered too long, taken from the item before, asked only once. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { transformEngine } from './engine.ts'
import type { KeptToken } from './token-store.ts'
import { beside, byRules, CODING, overInternalStore, replyItems } from './wrappers.ts'

const { rule, route } = faultsOf(transformEngine)

route(
  'hasty-mask-of-first-item',
  ['TRANSFORM-BATCH-03'],
  'a batch over several masking transformations masks all its items with the character of the first',
  'transform.encode',
  byRules(({ masked }) => {
    let first: string | undefined
    return {
      masked(text, character) {
        first ??= character
        return masked(text, first)
      },
    }
  }),
)

route(
  'hasty-item-takes-last-transformation',
  ['TRANSFORM-BATCH-03'],
  'an item of a batch that names no transformation takes that of the item before',
  CODING,
  byRules(({ chosenName }) => {
    let last: string | undefined
    return {
      chosenName(item, transformations) {
        if (last !== undefined && (item.transformation === undefined || item.transformation === null)) return last
        last = chosenName(item, transformations)
        return last
      },
    }
  }),
)

route(
  'hasty-metadata-of-earlier-item',
  ['TRANSFORM-BATCH-20'],
  'an item of a batch without metadata gets that of an item before it',
  'transform.encode',
  byRules(({ metadataOf }) => {
    let last = ''
    return {
      metadataOf(item) {
        last = metadataOf(item) || last
        return last
      },
    }
  }),
)

route(
  'hasty-ttl-of-earlier-item',
  ['TRANSFORM-BATCH-19'],
  'an item of a batch without ttl lives as long as the shortest before it',
  'transform.encode',
  byRules(({ requestedTtl }) => {
    let shortest = 0
    return {
      requestedTtl(item) {
        const own = requestedTtl(item)
        if (own > 0 && (shortest === 0 || own < shortest)) shortest = own
        return own === 0 ? shortest : own
      },
    }
  }),
)

route(
  'hasty-equal-results-once',
  ['TRANSFORM-BATCH-01'],
  'values of a batch that are encoded alike are answered once',
  'transform.encode',
  replyItems((items: JsonObject[]) => [...new Map(items.map((item) => [JSON.stringify(item), item])).values()]),
)

rule(
  'hasty-group-by-its-text',
  ['TRANSFORM-FORMAT-03', 'TRANSFORM-MASK-04'],
  'the group of a pattern is looked for by its text, so that an equal text before it is changed',
  {
    spansOf: (original) => (pattern, value) => {
      let from = 0
      return original(pattern, value)?.map(([start, end]) => {
        const at = value.indexOf(value.slice(start, end), from)
        from = at + end - start
        return [at, from] as const
      })
    },
  },
)

const latestOf = (tokens: KeptToken[]): KeptToken[] => [...new Map(tokens.map((token) => [token.value, token])).values()]

route(
  'hasty-tokenized-by-latest',
  ['TRANSFORM-TTL-06'],
  'a value counts as tokenized by its latest token only, though an earlier one has not ended',
  'transform.tokenized',
  overInternalStore((store) => ({ byValue: async (owner, digests) => latestOf(await store.byValue(owner, digests)) })),
)

const decodedOnce = beside(() => new Set<string>())

route(
  'hasty-decoded-outlives',
  ['TRANSFORM-TTL-07'],
  'a token that was decoded once is decoded after its end too',
  'transform.decode',
  byRules(({ isAlive }, { state }) => {
    const decoded = decodedOnce(state)
    return {
      isAlive(token, now) {
        const known = `${token.owner} ${token.token}`
        if (isAlive(token, now)) decoded.add(known)
        return decoded.has(known)
      },
    }
  }),
)

const allowedOnce = beside(() => new Set<string>())

route(
  'hasty-allowed-once',
  ['TRANSFORM-ACCESS-10'],
  'a role that used a transformation may go on using it after it was taken from the list',
  CODING,
  byRules(({ transformationAllows }, { state }) => {
    const allowed = allowedOnce(state)
    return {
      transformationAllows(transformation, role) {
        const known = `${transformation.id} ${role}`
        if (transformationAllows(transformation, role)) allowed.add(known)
        return allowed.has(known)
      },
    }
  }),
)

route(
  'hasty-batch-asks-once',
  ['TRANSFORM-BATCH-18'],
  'whether a transformation allows the role is asked until an item of the batch is allowed',
  CODING,
  byRules(({ transformationAllows }) => {
    let allowed = false
    return {
      transformationAllows(transformation, role) {
        allowed ||= transformationAllows(transformation, role)
        return allowed
      },
    }
  }),
)

route(
  'hasty-metadata-for-any-role',
  ['TRANSFORM-ACCESS-19'],
  'metadata of a token is told to roles that its transformation does not allow',
  'transform.metadata',
  byRules(() => ({ transformationAllows: () => true })),
)

route(
  'hasty-batched-time-without-offset',
  ['TRANSFORM-BATCH-22'],
  'the time at which a token of a batch ends has no offset',
  'transform.metadata',
  replyItems((items: JsonObject[]) =>
    items.map((item) =>
      typeof item.expiration_time === 'string' ? { ...item, expiration_time: item.expiration_time.replace('Z', '') } : item,
    ),
  ),
)

route(
  'hasty-composed-value',
  ['TRANSFORM-TOKEN-01'],
  'a value with combining characters is composed before it is encoded',
  'transform.encode',
  byRules(({ givenValue }) => ({ givenValue: (item) => givenValue(item).normalize('NFC') })),
)
