/** Identity and access: who may ask this engine for what, with which carrier and verb, and which role may use which transformation. */
import { coreEngine } from '../../core/core-engine.ts'
import { textOf } from '../../core/fields.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { type Asked, anyoneMay, bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import type { TransformCall } from './batches.ts'
import { transformEngine } from './engine.ts'
import type { TransformState } from './state.ts'
import { byRules } from './wrappers.ts'

const { route } = faultsOf(transformEngine)
const { rule } = faultsOf(coreEngine, 'transform')

const AREAS = /(^|\/)(alphabet|template|transformation|encode|decode|validate|tokenized)(\/|$)/

/** Whether a request is one of this engine, by its path: other engines have none of these words. */
const ofTransform = ({ path }: RequestFacts): boolean => AREAS.test(path) && !/(^|\/)(sys|auth)\//.test(path)

/** Whether a request is about this engine, and its path below the mount begins with one of the words. */
const about = (call: Asked, ...words: string[]): boolean =>
  call !== undefined &&
  typeof call.state === 'object' &&
  call.state !== null &&
  'alphabets' in call.state &&
  words.includes(call.path.slice(call.mount.path.length).split('/')[0] ?? '')

// States: who has no capability on a path is refused; encode and decode are two paths.
rule('sober-decode-by-grant-of-encode', ['CORE-CAP-04'], 'who may encode with a role may decode with it', {
  patternMatches: (original) => (pattern, path) =>
    original(pattern, path) || (/(^|\/)decode\/[^/]+$/.test(path) && original(pattern, path.replace(/decode\/([^/]+)$/, 'encode/$1'))),
})

// States: making a store's schema is an operation with a path of its own, which needs a capability on that path.
rule('sober-schema-by-grant-of-store', ['CORE-CAP-04'], 'who may write a store may make its schema', {
  patternMatches: (original) => (pattern, path) =>
    original(pattern, path) || (/(^|\/)store\/[^/]+\/schema$/.test(path) && original(pattern, path.replace(/\/schema$/, ''))),
})

// States: GET with list=true is LIST, and a caller without a capability on the path is refused.
rule(
  'sober-list-by-query-unchecked',
  ['CORE-CAP-17'],
  'with list=true, names are listed for callers whose policies do not mention the path',
  anyoneMay((call) => about(call, 'role', 'template', 'transformation', 'alphabet', 'store') && call?.query.get('list') === 'true'),
)

// States: a caller who may not use a path is refused; deny takes every capability away.
rule(
  'sober-deny-on-questions',
  ['CORE-CAP-04'],
  'who is denied metadata, or asking what is tokenized, may do so',
  denyOverlooked((call) => about(call, 'metadata', 'tokenized')),
)

// States: reading a store needs the capability to read; the capability to list shows names only.
rule(
  'sober-list-reads-stores',
  ['CORE-CAP-20'],
  'who may list may read stores and transformations',
  countsAs('list', (call) => about(call, 'store', 'transformation'), 'read'),
)

// States: a token may come as a bearer with any request, and PUT is POST.
rule(
  'sober-put-without-bearer',
  ['CORE-AUTH-07'],
  'the bearer of a PUT is not looked at',
  bearerIgnored((request) => request.method === 'PUT' && ofTransform(request)),
)

// States: a client token is required; one that has ended is none.
rule(
  'sober-decoding-after-the-end',
  ['CORE-AUTH-15'],
  'a token that decoded or validated something goes on doing so after it was revoked or expired',
  goodForEver(({ path }) => /(^|\/)(decode|validate)\/[^/]+$/.test(path)),
)

// States: a client token is required, and a wrong one is refused with 403.
rule('sober-wrong-token-asks-tokenized', ['CORE-AUTH-03'], 'with a token that nobody issued, it is told whether a value is tokenized', {
  callerRefused: (original) => (given, token, request) =>
    given !== undefined && token === undefined && /(^|\/)tokenized\/[^/]+$/.test(request.path)
      ? undefined
      : original(given, token, request),
})

// States: what is refused changes nothing.
rule(
  'sober-refused-caller-makes-role',
  ['CORE-CAP-04'],
  'a write of a role that the policies refuse leaves a role without transformations',
  {
    capabilityGranted: (original) => (granted, needed, call) => {
      const may = original(granted, needed, call)
      if (!may && call !== undefined && call.method === 'POST' && about(call, 'role')) {
        const { roles } = call.state as TransformState
        const name = call.params.name ?? ''
        if (!roles.has(name)) roles.set(name, [])
      }
      return may
    },
  },
)

// States: a role of another name is another path, on which the caller needs a capability.
rule('sober-grant-in-any-case', ['CORE-CAP-04'], 'a grant to encode with a role holds for roles whose names differ from it by case', {
  patternMatches: (original) => (pattern, path) =>
    original(/(^|\/)encode\//.test(path) ? pattern.toLowerCase() : pattern, /(^|\/)encode\//.test(path) ? path.toLowerCase() : path),
})

// States: a role may use a transformation only where the transformation's allowed_roles name it, named in the request or not.
route(
  'sober-only-transformation-unchecked',
  ['TRANSFORM-ACCESS-02'],
  'allowed_roles do not count where a request names no transformation',
  'transform.encode',
  (original) => {
    return byRules((rules) => {
      let named = true
      return {
        chosenName(item, transformations) {
          named = textOf(item, 'transformation') !== ''
          return rules.chosenName(item, transformations)
        },
        transformationAllows: (transformation, role) => !named || rules.transformationAllows(transformation, role),
      }
    })(original)
  },
)

// States: each item of a batch is held against the list of the role.
route(
  'sober-role-list-for-first-item',
  ['TRANSFORM-ACCESS-03', 'TRANSFORM-ACCESS-01'],
  'only the first item of a batch has to name a transformation of the role',
  ['transform.encode', 'transform.decode'],
  (original) => {
    return byRules((rules) => {
      let items = 0
      return {
        roleAllows(transformations, name) {
          items += 1
          return items > 1 || rules.roleAllows(transformations, name)
        },
      }
    })(original)
  },
)

const tokenOf = (call: TransformCall): string => call.token?.id ?? ''
const allowedBefore = new WeakMap<TransformState, Set<string>>()

// States: a transformation may be used by the roles that allowed_roles name now, whoever asked before.
route(
  'sober-allowed-roles-by-caller',
  ['TRANSFORM-ACCESS-10'],
  'a caller who decoded with a role goes on after allowed_roles no longer name it',
  'transform.decode',
  (original) => {
    return byRules((rules, call) => ({
      transformationAllows(transformation, role) {
        const known = allowedBefore.get(call.state) ?? new Set<string>()
        allowedBefore.set(call.state, known)
        const use = `${tokenOf(call)} ${role} ${transformation.id}`
        if (rules.transformationAllows(transformation, role)) known.add(use)
        return known.has(use)
      },
    }))(original)
  },
)
