/** Faults of time and order: what was true before, and what comes after an update, a deletion, an expiry or a failure. */

import { invalid } from '../../core/errors.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { brokenAfterFailure, remembered } from '../../mutations/remembering.ts'
import { reply } from '../../mutations/wrappers.ts'
import type { TransformCall } from './batches.ts'
import { nameOf } from './definitions.ts'
import { transformEngine } from './engine.ts'
import { itemsOf, resultsOf, roleName, tokenIn, transformationOf, withState } from './plain-help.ts'
import type { Kind, Template } from './state.ts'

const { rule, route, change } = faultsOf(transformEngine, 'transform')

route(
  'plain-update-renews-key',
  'TRANSFORM-FPE-09',
  'an update of an fpe transformation gives it a new key, so that older values are not decoded (001 4.4: decode of what encode returned)',
  'transform.writeFpe',
  (original) => async (call) => {
    const isUpdate = call.state.transformations.has(nameOf(call))
    const given = await original(call)
    const transformation = call.state.transformations.get(nameOf(call))
    if (!isUpdate || transformation === undefined) return given
    transformation.key = call.services.random.bytes(32)
    transformation.cipher = call.rules.cipher(transformation.key)
    return given
  },
)

const templatesUsed = remembered(() => new Map<string, Template>())
route(
  'plain-encode-by-first-template',
  'TRANSFORM-TEMPLATE-13',
  'values are encoded by a template as it was when it was used first (001 4.4: POST /transform/template/:name, pattern)',
  'transform.encode',
  (original) => (call) => {
    const used = templatesUsed(call.state)
    for (const item of itemsOf(call)) {
      const name = transformationOf(call, item)?.template ?? ''
      const template = call.state.templates.get(name)
      if (template !== undefined && !used.has(name)) used.set(name, template)
    }
    return original(withState(call, { templates: new Map([...call.state.templates, ...used]) }))
  },
)

const rolesUsed = remembered(() => new Map<string, string[]>())
route(
  'plain-decode-by-first-role',
  'TRANSFORM-ACCESS-09',
  'values are decoded by the list of a role as it was at the first decoding, also when it is narrowed (001 4.4: transformations of a role)',
  'transform.decode',
  (original) => (call) => {
    const used = rolesUsed(call.state)
    const current = call.state.roles.get(roleName(call))
    if (current !== undefined && !used.has(roleName(call))) used.set(roleName(call), current)
    return original(withState(call, { roles: new Map([...call.state.roles, ...used]) }))
  },
)

const rolesGone = remembered(() => new Map<string, string[]>())
change(
  'plain-role-comes-back',
  'TRANSFORM-ROLE-09',
  'a role made anew has the transformations of the deleted one, too (001 4.4: DELETE /transform/role/:name)',
  {
    routes: {
      'transform.deleteRole': (original) => (call) => {
        const role = call.state.roles.get(nameOf(call))
        if (role !== undefined) rolesGone(call.state).set(nameOf(call), role)
        return original(call)
      },
      'transform.writeRole': (original) => async (call) => {
        const isNew = !call.state.roles.has(nameOf(call))
        const given = await original(call)
        const gone = isNew ? (rolesGone(call.state).get(nameOf(call)) ?? []) : []
        call.state.roles.set(nameOf(call), [...new Set([...(call.state.roles.get(nameOf(call)) ?? []), ...gone])])
        return given
      },
    },
  },
)

const kinds = remembered(() => new Map<string, Kind>())
route(
  'plain-type-outlives-deletion',
  'TRANSFORM-READ-09',
  'a name keeps the type of its deleted transformation, another type is refused (001 4.4: DELETE and POST /transform/transformation)',
  ['transform.writeFpe', 'transform.writeMasking', 'transform.writeTokenization', 'transform.writeTransformation'],
  (original) => async (call) => {
    const given = await original(call)
    const made = call.state.transformations.get(nameOf(call))
    const known = kinds(call.state).get(nameOf(call))
    if (made !== undefined && known !== undefined && made.type !== known) {
      call.state.transformations.delete(nameOf(call))
      throw invalid('the type of a transformation cannot be changed')
    }
    if (made !== undefined) kinds(call.state).set(nameOf(call), made.type)
    return given
  },
)

rule(
  'plain-allowed-roles-only-grow',
  'TRANSFORM-ACCESS-10',
  'an update of allowed_roles adds roles and takes none away (001 4.4: allowed_roles)',
  {
    allowedRolesOf: (original) => (body, previous) => [...new Set([...(previous?.allowedRoles ?? []), ...original(body, previous)])],
  },
)

const tokensValid = remembered(() => new Set<string>())
route(
  'plain-validity-remembered',
  'TRANSFORM-TTL-03',
  'a token that was valid once stays valid beyond its ttl (001 4.4: validate returns valid; encode ttl)',
  'transform.validate',
  (original) => async (call) => {
    const given = await original(call)
    const valid = tokensValid(call.state)
    for (const [index, item] of itemsOf(call).entries()) {
      const result = resultsOf(given)[index]
      const key = `${transformationOf(call, item)?.id} ${item.value}`
      if (result?.valid === true) valid.add(key)
      else if (result?.valid === false && valid.has(key)) result.valid = true
    }
    return given
  },
)

route(
  'plain-first-token-of-value',
  'TRANSFORM-TTL-06',
  'of several tokens of a value the first alone tells whether it is tokenized, though a later one lives on (001 4.4: tokenized)',
  'transform.tokenized',
  (original) => (call) => {
    const { internalStore } = call.state
    return original(
      withState(call, {
        internalStore: {
          ...internalStore,
          byValue: async (owner, digests) => {
            const found = await Promise.all(digests.map((digest) => internalStore.byValue(owner, [digest])))
            return found.flatMap((tokens) => tokens.slice(0, 1))
          },
        },
      }),
    )
  },
)

route(
  'plain-use-prolongs-token',
  'TRANSFORM-TTL-02',
  'a token that is decoded shortly before its end lives on for half a minute (001 4.4: ttl of encode)',
  'transform.decode',
  (original) => async (call) => {
    const given = await original(call)
    for (const item of itemsOf(call)) {
      const token = await tokenIn(call, transformationOf(call, item), item.value)
      if (token?.expiresAt === undefined || !call.rules.isAlive(token, call.now())) continue
      token.expiresAt = Math.max(token.expiresAt, call.now() + 30)
    }
    return given
  },
)

route(
  'plain-store-keeps-first-connection',
  'TRANSFORM-STORE-02',
  'an update of a store does not reach its connections: credentials and schema stay the old ones (001 4.4: POST /transform/store/:name)',
  'transform.writeStore',
  (original) => async (call) => {
    const before = call.state.stores.get(nameOf(call))
    const given = await original(call)
    const after = call.state.stores.get(nameOf(call))
    if (before === undefined || after === undefined) return given
    call.state.stores.set(nameOf(call), { settings: after.settings, tokens: before.tokens })
    await after.tokens.close()
    return given
  },
)

route(
  'plain-store-never-recovers',
  'TRANSFORM-RACE-05',
  'a store whose database failed once gives no more tokens when the database is back (001 4.4: encode returns encoded_value)',
  'transform.encode',
  brokenAfterFailure<TransformCall>(
    (call) =>
      itemsOf(call)
        .map((item) => call.state.stores.get(transformationOf(call, item)?.stores[0] ?? ''))
        .find((store) => store !== undefined),
    'the store does not answer',
  ),
)

const listings = remembered(() => new Map<string, Reply>())
change(
  'plain-listing-after-deletion',
  'TRANSFORM-ROLE-08',
  'a deleted role stays in the list until a role is written (001 4.4: LIST /transform/role)',
  {
    routes: {
      'transform.listRoles': (original) => async (call) => {
        const kept = listings(call.state)
        const filter = call.rules.filterOf(call.query)
        const given = kept.get(filter) ?? (await original(call))
        kept.set(filter, given)
        return given
      },
      'transform.writeRole': reply((given, call) => {
        listings(call.state).clear()
        return given
      }),
    },
  },
)
