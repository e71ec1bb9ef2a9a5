/** Faults in what was: state that outlives its object or its change, or ends before its time. */
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'
import type { Template, Transformation } from './state.ts'
import { beside, type Handle, overInternalStore, withState } from './wrappers.ts'

const { route, change } = faultsOf(transformEngine)

const QUESTIONS = ['transform.validate', 'transform.tokenized', 'transform.metadata']

const alphabets = beside(() => new Map<string, string>())

route(
  'time-alphabet-cached',
  ['TRANSFORM-ALPHABET-13'],
  'values are coded with the characters that an alphabet had at its first use (001 4.4, alphabet)',
  ['transform.encode', 'transform.decode'],
  (original) => async (call) => {
    const given = await original(withState(call, { alphabets: new Map([...call.state.alphabets, ...alphabets(call.state)]) }))
    const names = (call.state.roles.get(call.params.role_name ?? '') ?? []).flatMap((name) => {
      const template = call.state.templates.get(call.state.transformations.get(name)?.template ?? '')
      return template === undefined ? [] : [template.alphabet]
    })
    const known = alphabets(call.state)
    for (const name of names) {
      const letters = call.state.alphabets.get(name)
      if (letters !== undefined && !known.has(name)) known.set(name, letters)
    }
    return given
  },
)

const usedRoles = beside(() => new Map<string, string[]>())

change(
  'time-decode-remembers-role',
  ['TRANSFORM-ACCESS-09'],
  'decode goes by the transformations that a role had when it first encoded (001 4.4, role)',
  {
    routes: {
      'transform.encode': (original) => (call) => {
        const name = call.params.role_name ?? ''
        const listed = call.state.roles.get(name)
        if (listed !== undefined && !usedRoles(call.state).has(name)) usedRoles(call.state).set(name, listed)
        return original(call)
      },
      'transform.decode': (original) => (call) =>
        original(withState(call, { roles: new Map([...call.state.roles, ...usedRoles(call.state)]) })),
    },
  },
)

const firstAllowed = beside(() => new Map<string, string[]>())

change(
  'time-questions-remember-allowed',
  ['TRANSFORM-ACCESS-10'],
  'questions about tokens go by the allowed_roles that a transformation was made with (001 4.4, allowed_roles)',
  {
    routes: {
      'transform.writeTokenization': (original) => async (call) => {
        const given = await original(call)
        const written = call.state.transformations.get(nameOf(call))
        if (written !== undefined && !firstAllowed(call.state).has(written.id))
          firstAllowed(call.state).set(written.id, written.allowedRoles)
        return given
      },
      ...Object.fromEntries(
        QUESTIONS.map((id) => [
          id,
          (original: Handle): Handle =>
            (call) => {
              const transformations = [...call.state.transformations].map(([name, one]): [string, Transformation] => [
                name,
                { ...one, allowedRoles: firstAllowed(call.state).get(one.id) ?? one.allowedRoles },
              ])
              return original(withState(call, { transformations: new Map(transformations) }))
            },
        ]),
      ),
    },
  },
)

const deletedRoles = beside(() => new Map<string, string[]>())

change(
  'time-role-remembered',
  ['TRANSFORM-ROLE-09'],
  'a role made again without a list has the transformations of the deleted one (001 4.4, default [])',
  {
    routes: {
      'transform.deleteRole': (original) => (call) => {
        const listed = call.state.roles.get(nameOf(call))
        if (listed !== undefined) deletedRoles(call.state).set(nameOf(call), listed)
        return original(call)
      },
      'transform.writeRole': (original) => (call) => {
        const listed = call.state.roles.has(nameOf(call)) ? undefined : deletedRoles(call.state).get(nameOf(call))
        return original(listed === undefined ? call : { ...call, body: { transformations: listed, ...call.body } })
      },
    },
  },
)

const deletedTransformations = beside(() => new Map<string, Transformation>())

change(
  'time-masking-remembered',
  ['TRANSFORM-READ-11'],
  'a masking made again has the masking character of the deleted one (001 4.4, default *)',
  {
    routes: {
      'transform.deleteTransformation': (original) => (call) => {
        const known = call.state.transformations.get(nameOf(call))
        if (known !== undefined) deletedTransformations(call.state).set(nameOf(call), known)
        return original(call)
      },
      'transform.writeMasking': (original) => (call) => {
        const known = call.state.transformations.has(nameOf(call)) ? undefined : deletedTransformations(call.state).get(nameOf(call))
        return original(known?.type === 'masking' ? { ...call, body: { masking_character: known.maskingCharacter, ...call.body } } : call)
      },
    },
  },
)

const newest = beside(() => new Map<string, string>())

change(
  'time-former-token-ends',
  ['TRANSFORM-TTL-06', 'TRANSFORM-RACE-01'],
  'a new token for a value ends the one it had (001 4.4, encode)',
  {
    routes: {
      'transform.encode': (original) => (call) => {
        const { rules, state } = call
        return original({
          ...call,
          rules: {
            ...rules,
            sealed: (transformation, value, random) => {
              const sealed = rules.sealed(transformation, value, random)
              newest(state).set(rules.digestOf(transformation, 'value', value), sealed)
              return sealed
            },
          },
        })
      },
      'transform.decode': (original) => (call) => {
        const { rules, state } = call
        return original({
          ...call,
          rules: {
            ...rules,
            opened: (transformation, sealed) => {
              const value = rules.opened(transformation, sealed)
              const latest = newest(state).get(rules.digestOf(transformation, 'value', value))
              if (latest !== undefined && latest !== sealed) throw invalid('no such token')
              return value
            },
          },
        })
      },
    },
  },
)

route(
  'time-tokenized-first-token',
  ['TRANSFORM-TTL-06'],
  'a value whose first token has ended is not tokenized, though it has another (001 4.4, tokenized)',
  'transform.tokenized',
  overInternalStore((internalStore) => ({
    byValue: async (owner, digests) => {
      const found = await internalStore.byValue(owner, digests)
      return found.filter((token, index) => found.findIndex(({ value }) => value === token.value) === index)
    },
  })),
)

const listed = beside(() => ({ count: -1, names: [] as string[] }))

route(
  'time-listing-cached',
  ['TRANSFORM-TEMPLATE-05'],
  'a listing of templates that has as many names as the last one is the last one (001 4.4, LIST template)',
  'transform.listTemplates',
  (original) => (call) => {
    const cache = listed(call.state)
    if (cache.count !== call.state.templates.size)
      Object.assign(cache, { count: call.state.templates.size, names: [...call.state.templates.keys()] })
    return original({ ...call, rules: { ...call.rules, templateNames: () => cache.names } })
  },
)

const copies = beside(() => new Map<string, Template>())

change(
  'time-template-fixed',
  ['TRANSFORM-TEMPLATE-18'],
  'a transformation goes by its template as it was when the transformation was last written (001 4.4, template)',
  {
    routes: {
      'transform.writeMasking': (original) => async (call) => {
        const given = await original(call)
        const template = call.state.templates.get(call.state.transformations.get(nameOf(call))?.template ?? '')
        if (template !== undefined) copies(call.state).set(nameOf(call), template)
        return given
      },
      'transform.encode': (original) => (call) => {
        const transformations = [...call.state.transformations].map(([name, one]): [string, Transformation] => [
          name,
          copies(call.state).has(name) ? { ...one, template: `${name} ` } : one,
        ])
        const fixed = [...copies(call.state)].map(([name, template]): [string, Template] => [`${name} `, template])
        return original(
          withState(call, { transformations: new Map(transformations), templates: new Map([...call.state.templates, ...fixed]) }),
        )
      },
    },
  },
)

const lastTweak = beside((): { tweak?: Uint8Array } => ({}))

route(
  'time-tweak-of-former',
  ['TRANSFORM-TWEAK-10'],
  'encode returns the tweak that was generated before the one it used (001 4.4, generated tweak)',
  'transform.encode',
  (original) => (call) => {
    const { rules, state } = call
    return original({
      ...call,
      rules: {
        ...rules,
        shownTweak: (tweak) => {
          const former = lastTweak(state).tweak ?? tweak
          lastTweak(state).tweak = tweak
          return rules.shownTweak(former)
        },
      },
    })
  },
)

route(
  'time-concurrent-role-lost',
  ['TRANSFORM-ROLE-01'],
  'of roles that are written at once only one stays (001 4.4, POST role)',
  'transform.writeRole',
  (original) => async (call) => {
    const roles = new Map(call.state.roles)
    await new Promise((done) => setTimeout(done, 15))
    const given = await original(withState(call, { roles }))
    call.state.roles = roles
    return given
  },
)
