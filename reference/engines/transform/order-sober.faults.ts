/** Time and order: second calls, updates after use, names that are made again, what has expired, and refused writes. */
import { ApiError, invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { reply } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import type { Kind } from './state.ts'
import { beside, byRules, CODING, dataOf, type Handle, overInternalStore, withState } from './wrappers.ts'

const { rule, route, change } = faultsOf(transformEngine)

const nameOf = (call: TransformCall): string => call.params.name ?? ''
const WRITES = ['transform.writeTransformation', 'transform.writeFpe', 'transform.writeMasking', 'transform.writeTokenization']

const superseded = beside(() => new Set<string>())
const withoutSuperseded =
  (original: Handle): Handle =>
  (call) =>
    overInternalStore((store) => ({
      async byToken(owner, digests) {
        const gone = superseded(call.state)
        return new Map([...(await store.byToken(owner, digests))].filter(([digest]) => !gone.has(`${owner} ${digest}`)))
      },
    }))(original)(call)

// States: a token without a ttl never expires; its value being encoded once more does not end it.
change('sober-second-token-ends-first', ['TRANSFORM-VALIDATE-01'], 'a value that is encoded again loses the token that it had', {
  routes: {
    'transform.encode': (original) => (call) =>
      overInternalStore((store) => ({
        async put(tokens) {
          for (const { owner, value } of tokens)
            for (const { token } of await store.byValue(owner, [value])) superseded(call.state).add(`${owner} ${token}`)
          await store.put(tokens)
        },
      }))(original)(call),
    'transform.decode': withoutSuperseded,
    'transform.validate': withoutSuperseded,
  },
})

const alphabetsUsed = beside(() => new Map<string, string>())

// States: writing an alphabet that is there updates it, for what is encoded from then on.
route(
  'sober-alphabet-as-first-used',
  ['TRANSFORM-ALPHABET-12'],
  'an alphabet stays what it was when a value was coded with it first',
  CODING,
  (original) => {
    return (call) => {
      const used = alphabetsUsed(call.state)
      const wanted = new Set([...call.state.templates.values()].map(({ alphabet }) => alphabet))
      const alphabets = new Map(
        [...call.state.alphabets].map(([name, letters]) => {
          if (wanted.has(name) && !used.has(name)) used.set(name, letters)
          return [name, used.get(name) ?? letters]
        }),
      )
      return original(withState(call, { alphabets }))
    }
  },
)

const rolesDeleted = beside(() => new Map<string, string[]>())

// States: a role that is written without transformations has none; the role that had its name before is deleted.
change('sober-remade-role-has-old-list', ['TRANSFORM-ROLE-09'], 'a role made again without transformations has those of the deleted one', {
  routes: {
    'transform.deleteRole': (original) => (call) => {
      rolesDeleted(call.state).set(nameOf(call), call.state.roles.get(nameOf(call)) ?? [])
      return original(call)
    },
    'transform.writeRole': (original) => (call) => {
      const old = call.state.roles.has(nameOf(call)) ? undefined : rolesDeleted(call.state).get(nameOf(call))
      return original(old === undefined ? call : { ...call, body: { transformations: old, ...call.body } })
    },
  },
})

// States: a refused write changes nothing; neither the type of a transformation nor the rest.
route(
  'sober-refused-write-changes-roles',
  ['TRANSFORM-TOKENIZATION-03'],
  'a refused write of a transformation changes allowed_roles all the same',
  WRITES,
  (original) => {
    return async (call) => {
      const previous = call.state.transformations.get(nameOf(call))
      try {
        return await original(call)
      } catch (cause) {
        if (cause instanceof ApiError && previous !== undefined) previous.allowedRoles = call.rules.allowedRolesOf(call.body, previous)
        throw cause
      }
    }
  },
)

// States: a refused write of a store changes nothing of what is read of it.
route(
  'sober-refused-store-keeps-half',
  ['TRANSFORM-STORE-02'],
  'an update of a store that is refused leaves its new connection string',
  'transform.writeStore',
  (original) => {
    return async (call) => {
      try {
        return await original(call)
      } catch (cause) {
        const settings = call.state.stores.get(nameOf(call))?.settings
        if (settings !== undefined) settings.connectionString = textOf(call.body, 'connection_string', settings.connectionString)
        throw cause
      }
    }
  },
)

const typesOnce = beside(() => new Map<string, Kind>())

// States: a deleted transformation is gone; its name can be given to a transformation of any type.
route('sober-type-outlives-deletion', ['TRANSFORM-READ-09'], 'a name keeps the type of its deleted transformation', WRITES, (original) => {
  return async (call) => {
    const known = typesOnce(call.state)
    const before = known.get(nameOf(call))
    const own = /transformation\/(fpe|masking|tokenization)\//.exec(call.path)?.[1] ?? call.body.type
    if (before !== undefined && own !== undefined && own !== before) throw invalid('the type of a transformation cannot be changed')
    const given = await original(call)
    known.set(nameOf(call), call.state.transformations.get(nameOf(call))!.type)
    return given
  }
})

// States: an update changes the fields that are sent; tokens made before it can be decoded after it.
route(
  'sober-max-ttl-update-drops-tokens',
  ['TRANSFORM-TOKENIZATION-03'],
  'a new max_ttl makes all earlier tokens of the transformation unknown',
  'transform.writeTokenization',
  (original) => {
    return async (call) => {
      const before = call.state.transformations.get(nameOf(call))?.maxTtl
      const given = await original(call)
      const written = call.state.transformations.get(nameOf(call))
      if (before !== undefined && written !== undefined && written.maxTtl !== before) written.id = call.services.random.uuid()
      return given
    }
  },
)

// States: what was encoded can be decoded; who may use a transformation has no part in how it encodes.
rule(
  'sober-internal-tweak-of-roles',
  ['TRANSFORM-FPE-09'],
  'the internal tweak changes with allowed_roles, so that earlier values are decoded to something else',
  {
    internalTweak: (original) => (transformation) => {
      const tweak = Uint8Array.from(original(transformation))
      for (const byte of Buffer.from(transformation.allowedRoles.join(','))) tweak[byte % 7]! ^= byte
      return tweak
    },
  },
)

// States: tokenized tells whether a value has any token that has not expired.
route(
  'sober-tokenized-by-oldest',
  ['TRANSFORM-TTL-06'],
  'a value whose oldest token has expired does not count as tokenized, whatever came later',
  'transform.tokenized',
  (original) => {
    return overInternalStore((store) => ({
      async byValue(owner, digests) {
        const oldest = await Promise.all([...new Set(digests)].map(async (digest) => (await store.byValue(owner, [digest])).slice(0, 1)))
        return oldest.flat()
      },
    }))(original)
  },
)

const found = beside(() => new Set<string>())

// States: a token that has expired is no longer valid.
route(
  'sober-valid-once-valid-ever',
  ['TRANSFORM-TTL-07'],
  'a token that validate found good once is good for it after its end',
  'transform.validate',
  (original) => {
    return async (call) => {
      const given = await original(call)
      const { valid } = dataOf(given)
      const asked = `${call.body.transformation ?? ''} ${call.body.value}`
      if (valid === true) found(call.state).add(asked)
      return valid === false && found(call.state).has(asked) ? original({ ...call, rules: { ...call.rules, isAlive: () => true } }) : given
    }
  },
)

const lastTweaks = beside(() => new Map<string, string>())

// States: with the tweak source generated, the tweak has to be supplied back to decode.
change(
  'sober-generated-tweak-remembered',
  ['TRANSFORM-TWEAK-09'],
  'a value is decoded without its tweak, by the one that was generated last',
  {
    routes: {
      'transform.encode': reply<TransformCall>((given, call) => {
        const { tweak } = dataOf(given)
        if (typeof tweak === 'string') lastTweaks(call.state).set(call.params.role_name ?? '', tweak)
        return given
      }),
      'transform.decode': byRules((rules, call) => ({
        tweakOf(item) {
          const last = lastTweaks(call.state).get(call.params.role_name ?? '')
          return rules.tweakOf(item.tweak === undefined && last !== undefined ? { ...item, tweak: last } : item)
        },
      })),
    },
  },
)

// States: a role has the transformations that were written last; a list may be empty.
rule('sober-role-list-not-emptied', ['TRANSFORM-ROLE-02'], 'an update of a role to no transformations leaves those that it had', {
  roleOf: (original) => (body, previous) => {
    const written = original(body, previous)
    return written.length === 0 ? (previous ?? []) : written
  },
})
