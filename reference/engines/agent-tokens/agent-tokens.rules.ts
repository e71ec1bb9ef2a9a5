/** Decisions about agent tokens. */
import type { Json, JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import { type CallerRules, callerRules } from '../../run-management/caller-rules.ts'
import { Refusal, toOne } from '../../run-management/documents.ts'
import { type Page, type PagingRules, pageLinks, pageMeta, pagesFor, pagingRules } from '../../run-management/paging.ts'
import { type AgentToken, type Caller, digest, type World } from '../../run-management/world.ts'

/** Which answer a token is written into. */
export type Occasion = 'created' | 'shown' | 'listed'

export interface AgentTokenRules extends CallerRules, PagingRules {
  mayUsePool(caller: Caller, pool: string): boolean
  /** Whether the caller may see a token. */
  maySee(caller: Caller, token: AgentToken): boolean
  /** Whether the caller may create and destroy tokens of the pool. */
  mayManage(caller: Caller, pool: string): boolean
  /** Text of every 404: nothing in it tells a hidden resource from a missing one. */
  hiddenDetail(kind: string, id: string, exists: boolean): string
  hiddenStatus(): number
  /** The description of a create request. `wantedType` is the rule below. @throws Refusal 422 that points at what is wrong. */
  description(body: Json, wantedType: AgentTokenRules['wantedType']): string
  wantedType(type: Json | undefined): boolean
  newId(random: Random): string
  newSecret(random: Random, body: Json): string
  /** What is kept of a secret. */
  keep(secret: string): string
  createdAt(token: AgentToken): string
  lastUsedAt(token: AgentToken): string | null
  describe(token: AgentToken): string
  creator(token: AgentToken): string
  /** `attributes.token`: the secret text where the occasion allows it. */
  secretText(token: AgentToken, occasion: Occasion, secret: string | undefined): string | null | undefined
  /** Further attributes besides the contract's own. */
  extras(token: AgentToken, occasion: Occasion): JsonObject
  add(world: World, token: AgentToken): void | Promise<void>
  /** Removes a token; false when it was gone already. */
  remove(world: World, token: AgentToken): boolean | Promise<boolean>
  tokensOf(world: World, pool: string): AgentToken[]
  total(tokens: readonly AgentToken[], world: World): number
  pages(total: number, size: number): number
  links(path: string, page: Page, pages: number): JsonObject
  meta(page: Page, pages: number, total: number): JsonObject
  createdStatus(): number
  destroyedStatus(): number
}

const isObject = (value: Json | undefined): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

const object = (value: Json | undefined, pointer: string): JsonObject => {
  if (!isObject(value)) throw new Refusal(422, `${pointer} has to be an object`, pointer)
  return value
}

const timeOf = (seconds: number): string => new Date(Math.round(seconds * 1000)).toISOString()

export const agentTokenRules: AgentTokenRules = {
  ...callerRules,
  ...pagingRules,
  mayUsePool: (caller, pool) => (caller.kind === 'user' ? caller.user.rights.managePools : caller.token.poolId === pool),
  maySee: (caller, token) => (caller.kind === 'user' ? caller.user.rights.managePools : caller.token.poolId === token.poolId),
  mayManage: (caller) => caller.kind === 'user' && caller.user.rights.managePools,
  hiddenDetail: (kind) => `no such ${kind}, or it is not yours`,
  hiddenStatus: () => 404,
  description(body, wantedType) {
    const data = object(object(body, '').data, '/data')
    if (!wantedType(data.type)) throw new Refusal(422, 'data.type has to be authentication-tokens', '/data/type')
    const { description } = object(data.attributes, '/data/attributes')
    if (typeof description !== 'string' || description === '') {
      throw new Refusal(422, 'the description has to be a text', '/data/attributes/description')
    }
    return description
  },
  wantedType: (type) => type === 'authentication-tokens',
  newId: (random) => `at-${random.word(16)}`,
  newSecret: (random) => `${random.word(14)}.${random.word(64)}`,
  keep: digest,
  createdAt: (token) => timeOf(token.createdAt),
  lastUsedAt: (token) => (token.lastUsedAt === null ? null : timeOf(token.lastUsedAt)),
  describe: (token) => token.description,
  creator: (token) => token.createdBy,
  secretText: (_token, occasion, secret) => (occasion === 'created' && secret !== undefined ? secret : null),
  extras: () => ({}),
  add(world, token) {
    world.tokens.set(token.id, token)
  },
  remove: (world, token) => world.tokens.delete(token.id),
  tokensOf: (world, pool) => [...world.tokens.values()].filter(({ poolId }) => poolId === pool),
  total: (tokens) => tokens.length,
  pages: pagesFor,
  links: pageLinks,
  meta: pageMeta,
  createdStatus: () => 201,
  destroyedStatus: () => 204,
}

/** A token as a JSON:API resource. */
export const resourceOf = (rules: AgentTokenRules, token: AgentToken, occasion: Occasion, secret?: string): JsonObject => {
  const text = rules.secretText(token, occasion, secret)
  return {
    id: token.id,
    type: 'authentication-tokens',
    attributes: {
      'created-at': rules.createdAt(token),
      'last-used-at': rules.lastUsedAt(token),
      description: rules.describe(token),
      ...(text === undefined ? {} : { token: text }),
      ...rules.extras(token, occasion),
    },
    relationships: { 'created-by': toOne('users', rules.creator(token)) },
  }
}
