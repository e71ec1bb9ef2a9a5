/** Faults of time and order: what was true before, second calls, ends, updates that narrow, refusals before success. */
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, remembered } from '../../mutations/remembering.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import { BY_ROLE, batchIn, CODING, deciding, meant, nameOf, seeing, withBatch } from './north-help.ts'
import type { Template, Transformation } from './state.ts'

const { rule, route, change } = faultsOf(transformEngine, 'transform')

const dataOf = ({ body }: Reply): JsonObject => ((body as JsonObject | undefined)?.data ?? {}) as JsonObject

const ttlOf = ({ rules }: TransformCall, item: JsonObject, { maxTtl }: Transformation): number =>
  rules.tokenTtl(rules.requestedTtl(item), maxTtl)

const firstTemplates = remembered(() => new Map<string, Template>())
route(
  'north-template-as-first-used',
  'TRANSFORM-TEMPLATE-13',
  'coding goes by a template as it was at its first use, also after it was written anew (001 4.4: POST template, pattern marks what is transformed)',
  CODING,
  (original) => (call) => {
    const known = firstTemplates(call.state)
    const { templates } = call.state
    for (const item of batchIn(call) ?? [call.body]) {
      const name = meant(call, item)?.template ?? ''
      const template = templates.get(name)
      if (template !== undefined && !known.has(name)) known.set(name, template)
    }
    const used = [...templates].map(([name, template]): [string, Template] => [name, known.get(name) ?? template])
    return original(seeing(call, { templates: new Map(used) }))
  },
)

rule(
  'north-role-only-grows',
  'TRANSFORM-ROLE-02',
  'an update of a role adds its transformations to those before (001 4.4: role, transformations list; creates or updates)',
  {
    roleOf: (original) => (body, previous) => [...new Set([...(previous ?? []), ...original(body, previous)])],
  },
)

const seenRoles = remembered(() => new Set<string>())
route(
  'north-role-once-allowed-stays',
  'TRANSFORM-ACCESS-10',
  'a role that has used a transformation may go on after allowed_roles was narrowed (001 4.4: allowed_roles of the transformation)',
  BY_ROLE,
  (original) => (call) => {
    const { rules, state } = call
    const known = seenRoles(state)
    const transformationAllows = (transformation: Transformation, role: string): boolean => {
      if (rules.transformationAllows(transformation, role)) known.add(`${transformation.id} ${role}`)
      return known.has(`${transformation.id} ${role}`)
    }
    return original(deciding(call, { transformationAllows }))
  },
)

const decoded = remembered(() => new Map<string, Reply>())
route(
  'north-ended-token-decoded-once-more',
  'TRANSFORM-TTL-07',
  'a token that was decoded while it lived is decoded after its end (001 4.4: encode ttl; tokenized, valid unexpired token)',
  'transform.decode',
  (original) => async (call) => {
    const transformation = meant(call, call.body)
    if (batchIn(call) !== undefined || transformation?.type !== 'tokenization') return original(call)
    const known = decoded(call.state)
    const kind = `${transformation.id} ${String(call.body.value)}`
    try {
      const given = await original(call)
      known.set(kind, given)
      return given
    } catch (cause) {
      const before = known.get(kind)
      if (before !== undefined && cause instanceof ApiError && cause.message === 'no such token') return before
      throw cause
    }
  },
)

route(
  'north-first-token-decides-tokenized',
  'TRANSFORM-TTL-06',
  'once the first token of a value has ended it counts as not tokenized, whatever came later (001 4.4: tokenized, has a valid unexpired token)',
  'transform.tokenized',
  (original) => (call) => {
    const store = call.state.internalStore
    const byValue: typeof store.byValue = async (owner, digests) => {
      const tokens = await store.byValue(owner, digests)
      return tokens.filter((token) => tokens.find(({ value }) => value === token.value) === token)
    }
    return original(seeing(call, { internalStore: { ...store, byValue } }))
  },
)

const lastTweaks = remembered(() => new Map<string, string>())
change(
  'north-last-generated-tweak-remembered',
  'TRANSFORM-TWEAK-09',
  'decode without a tweak takes the one that was generated last (001 4.4: a tweak may be returned and must be supplied back to decode)',
  {
    routes: {
      'transform.encode': (original) => async (call) => {
        const given = await original(call)
        const items = batchIn(call)
        const data = dataOf(given)
        const results = items === undefined ? [data] : (data.batch_results as JsonObject[])
        for (const [index, item] of (items ?? [call.body]).entries()) {
          const transformation = meant(call, item)
          const tweak = results[index]?.tweak
          if (transformation !== undefined && typeof tweak === 'string') lastTweaks(call.state).set(transformation.id, tweak)
        }
        return given
      },
      'transform.decode': (original) => (call) => {
        const completed = (item: JsonObject): JsonObject => {
          const transformation = meant(call, item)
          const last = transformation?.tweakSource === 'generated' ? lastTweaks(call.state).get(transformation.id) : undefined
          return last === undefined ? item : { tweak: last, ...item }
        }
        if (batchIn(call) !== undefined) return original(withBatch(call, (items) => items.map(completed)))
        return original({ ...call, body: completed(call.body) })
      },
    },
  },
)

route(
  'north-updated-store-keeps-login',
  'TRANSFORM-KEPT-15',
  'a store that is updated at the same connection string goes on with user, password and schema before (001 4.4: POST store, username, password, schema)',
  'transform.writeStore',
  (original) => async (call) => {
    const { stores } = call.state
    const previous = stores.get(nameOf(call))
    const given = await original(call)
    const current = stores.get(nameOf(call))
    if (previous?.settings.connectionString === current?.settings.connectionString && previous !== undefined && current !== undefined)
      stores.set(nameOf(call), { settings: current.settings, tokens: previous.tokens })
    return given
  },
)

const lifetimes = remembered(() => new Map<string, number>())
change(
  'north-decoding-renews-token',
  'TRANSFORM-TTL-07',
  'each decoding lets the ttl of a token begin anew (001 4.4: encode ttl; metadata, expiration_time)',
  {
    routes: {
      'transform.encode': (original) => async (call) => {
        const given = await original(call)
        const transformation = meant(call, call.body)
        const token = dataOf(given).encoded_value
        if (transformation?.type !== 'tokenization' || typeof token !== 'string') return given
        lifetimes(call.state).set(call.rules.digestOf(transformation, 'token', token), ttlOf(call, call.body, transformation))
        return given
      },
      'transform.decode': (original) => async (call) => {
        const given = await original(call)
        const transformation = meant(call, call.body)
        if (transformation?.type !== 'tokenization' || typeof call.body.value !== 'string') return given
        const digest = call.rules.digestOf(transformation, 'token', call.body.value)
        const ttl = lifetimes(call.state).get(digest) ?? 0
        const token = (await call.state.internalStore.byToken(transformation.id, [digest])).get(digest)
        if (token !== undefined && ttl > 0) token.expiresAt = call.now() + ttl
        return given
      },
    },
  },
)

const used = remembered(() => new Set<string>())
const changeable = (original: (call: TransformCall) => Reply | Promise<Reply>) => (call: TransformCall) => {
  const { rules, state } = call
  const mayBecome: typeof rules.mayBecome = (previous, kind) => !used(state).has(previous.id) || rules.mayBecome(previous, kind)
  return original(deciding(call, { mayBecome }))
}
change(
  'north-type-changes-before-first-use',
  'TRANSFORM-TYPED-12',
  'a transformation that has encoded nothing yet takes another type (001 4.4: type immutable)',
  {
    routes: {
      'transform.encode': (original) => (call) => {
        for (const item of batchIn(call) ?? [call.body]) used(call.state).add(meant(call, item)?.id ?? '')
        return original(call)
      },
      'transform.writeFpe': changeable,
      'transform.writeMasking': changeable,
      'transform.writeTokenization': changeable,
      'transform.writeTransformation': changeable,
    },
  },
)

route(
  'north-refused-template-update-stores-alphabet',
  'TRANSFORM-TEMPLATE-02',
  'an update of a template that is refused for its type or pattern has stored its alphabet (000 7: 400, invalid request; 001 4.4: type only regex)',
  'transform.writeTemplate',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      const previous = call.state.templates.get(nameOf(call))
      const { alphabet } = call.body
      if (cause instanceof ApiError && previous !== undefined && typeof alphabet === 'string')
        call.state.templates.set(nameOf(call), { ...previous, alphabet })
      throw cause
    }
  },
)

const storeMeant = (call: TransformCall) => {
  const transformation = meant(call, batchIn(call)?.[0] ?? call.body)
  return call.state.stores.get(transformation?.stores[0] ?? '')
}
route(
  'north-store-fails-for-good',
  'TRANSFORM-SCHEMA-02',
  'a store that failed once, its schema not made yet, fails until it is written anew (001 4.4: store/:name/schema; encode)',
  'transform.encode',
  brokenAfterFailure(storeMeant, 'the store is out of order'),
)
