/** Faults of who may ask: bearers and their carriers, callers without permission, secrets that outlive their token. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { anybody, changedAttributes, changedResources, objectIn } from '../../run-management/answer-changes.ts'
import { document, Refusal, readDocument, toOne } from '../../run-management/documents.ts'
import type { AgentToken, Caller } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'
import { callerId, type Handle, isLaterPage, withRules } from './west-help.ts'

const { rule, route, change } = faultsOf(agentTokens)

route(
  'west-hidden-pool-lists-nothing',
  'AGENT-TOKENS-HIDE-01',
  'who may not use a pool gets an empty list of its tokens (002 7: list, 404 caller unauthorized)',
  'agentTokens.list',
  (original) => async (call) => {
    try {
      return await original(call)
    } catch (cause) {
      if (!(cause instanceof Refusal) || cause.status !== 404 || !call.world.pools.has(call.params.agent_pool_id!)) throw cause
      const page = { number: 1, size: call.rules.defaultPageSize() }
      return document(200, { data: [], links: call.rules.links(call.path, page, 1), meta: { pagination: call.rules.meta(page, 1, 0) } })
    }
  },
)

rule(
  'west-hidden-token-told',
  'AGENT-TOKENS-HIDE-05',
  'the 404 of a token that is hidden says so (002 5.2: the same as for a missing resource)',
  {
    hiddenDetail: (original) => (kind, id, exists) =>
      kind === 'agent token' && exists ? 'this agent token belongs to a pool that you may not use' : original(kind, id, exists),
  },
)

route(
  'west-body-before-permission',
  'AGENT-TOKENS-HIDE-06',
  'who may not use a pool gets 422 for a malformed creation in it (002 5.2: 404, the same as for a missing resource)',
  'agentTokens.create',
  (original) => async (call) => {
    const { rules, world, params, headers, body } = call
    if (world.pools.has(params.agent_pool_id!)) rules.description(readDocument(headers, body, rules.acceptsMediaType), rules.wantedType)
    return original(call)
  },
)

route(
  'west-destroyed-before-check',
  'AGENT-TOKENS-HIDE-04',
  'a destroy that is refused as hidden has taken the token all the same (002 7: destroy, 404 caller unauthorized)',
  'agentTokens.destroy',
  (original) => async (call) => {
    const token = call.world.tokens.get(call.params.id!)
    try {
      return await original(call)
    } catch (cause) {
      if (token) await call.rules.remove(call.world, token)
      throw cause
    }
  },
)

const ANONYMOUS = anybody({ readRuns: false, overrideChecks: false, managePools: true })

const isAnonymous = (caller: Caller): boolean => callerId(caller) === callerId(ANONYMOUS)

const signedIn =
  (original: Handle): Handle =>
  (call) => {
    if (isAnonymous(call.caller)) throw new Refusal(call.rules.unauthenticatedStatus(), 'a valid bearer token is needed')
    return original(call)
  }

change(
  'west-destroy-without-header',
  'AGENT-TOKENS-AUTH-06',
  'a destroy without any Authorization header is carried out (002 5.1: every request sends a bearer token)',
  {
    rules: {
      bearer: (original) => (header) => (header === undefined ? '' : original(header)),
      caller: (original) => (world, bearer, recognises) => (bearer === '' ? ANONYMOUS : original(world, bearer, recognises)),
    },
    routes: { 'agentTokens.list': signedIn, 'agentTokens.create': signedIn, 'agentTokens.show': signedIn },
  },
)

change(
  'west-unknown-bearer-shows',
  'AGENT-TOKENS-AUTH-03',
  'a token is shown to a bearer that nobody has (002 7: show, 404 caller unauthorized; 5.1)',
  {
    rules: { caller: (original) => (world, bearer, recognises) => original(world, bearer, recognises) ?? ANONYMOUS },
    routes: { 'agentTokens.list': signedIn, 'agentTokens.create': signedIn, 'agentTokens.destroy': signedIn },
  },
)

const agents = remembered(() => new Map<string, Caller>())

rule(
  'west-destroyed-secret-works',
  'AGENT-TOKENS-SECRET-10',
  'a secret that was used is good for ever, its token destroyed or not (002 4: DELETE, destroy; 5.1)',
  {
    caller: (original) => (world, bearer, recognises) => {
      const found = original(world, bearer, recognises)
      if (found?.kind === 'agent') agents(world).set(bearer, found)
      return found ?? agents(world).get(bearer)
    },
  },
)

rule('west-id-is-secret', 'AGENT-TOKENS-AUTH-03', "a token's id is taken for its secret (002 5.1: bearer token; 2.2: token, secret text)", {
  recognises: (original) => (token, secret) => token.id === secret || original(token, secret),
})

route(
  'west-agent-sees-own-secret',
  'AGENT-TOKENS-SECRET-02',
  'a token that asks for itself is shown its secret (002 2.2: token, non-null only in the create response)',
  'agentTokens.show',
  changedAttributes((attributes, { caller, params, rules, headers }) =>
    caller.kind === 'agent' && caller.token.id === params.id
      ? { ...attributes, token: rules.bearer(headers.authorization) ?? null }
      : attributes,
  ),
)

route(
  'west-created-by-who-asks',
  'AGENT-TOKENS-FIELD-13',
  'a single token is shown as created by the user who asks (002 2.2: created-by)',
  'agentTokens.show',
  changedResources((resource, { caller }) =>
    caller.kind === 'user'
      ? { ...resource, relationships: { ...objectIn(resource, 'relationships'), 'created-by': toOne('users', caller.user.id) } }
      : resource,
  ),
)

route(
  'west-later-pages-unchecked',
  'AGENT-TOKENS-HIDE-01',
  'permission is asked for on the first page of a list only (002 7: list, 404 caller unauthorized)',
  'agentTokens.list',
  (original) => (call) => original(isLaterPage(call) ? withRules(call, { mayUsePool: () => true }) : call),
)

rule(
  'west-shown-once-shown-to-all',
  'AGENT-TOKENS-HIDE-02',
  'a token that was shown to somebody is shown to everybody (002 7: show, 404 caller unauthorized)',
  {
    maySee: (original) => {
      const seen = new WeakSet<AgentToken>()
      return (caller, token) => {
        if (original(caller, token)) seen.add(token)
        return seen.has(token)
      }
    },
  },
)
