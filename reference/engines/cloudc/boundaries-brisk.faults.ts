/** Faults that show with none, one, the third or the last of something, or exactly at a limit. */
import { coreEngine } from '../../core/core-engine.ts'
import { durationOf } from '../../core/durations.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { decodedText } from './bindings.ts'
import { cloudcEngine } from './engine.ts'

const { rule, route } = faultsOf(cloudcEngine)
const core = faultsOf(coreEngine, 'cloudc')

const NAMED = ['writeRoleset', 'readRoleset', 'deleteRoleset', 'rotate', 'rotateKey', 'readToken', 'createToken', 'readKey', 'createKey']
const LONGEST_NAME = 30
const PAGE = 30
const BODY_LIMIT = 1024 * 1024
const DAY_S = 86_400

const askedTtl = (body: JsonObject): number => durationOf(body.ttl, 'ttl', 0)

rule(
  'third-resource-unbound',
  ['CLOUDC-BIND-05'],
  'the account gets its roles on the first two resources of the bindings only (000 2.5: a set of entries, each with roles)',
  { boundResources: (original) => (bindings) => Object.fromEntries(Object.entries(original(bindings)).slice(0, 2)) },
)

route(
  'name-cut-at-30',
  ['CORE-NAME-01'],
  'names are cut after 30 characters, so that longer ones become one roleset (000 4.3: roleset/:name, LIST data.keys)',
  NAMED.map((operation) => `cloudc.${operation}`),
  (original) => (call) => {
    const params = Object.fromEntries(Object.entries(call.params).map(([field, value]) => [field, value.slice(0, LONGEST_NAME)]))
    return original({ ...call, params })
  },
)

route(
  'list-one-page',
  ['CLOUDC-SET-14'],
  'a listing holds the first 30 names only (000 4.3, LIST rolesets: data.keys; 000 1: returns the keys at the path)',
  'cloudc.listRolesets',
  replyData((data) => ({ ...data, keys: Array.isArray(data.keys) ? data.keys.slice(0, PAGE) : [] })),
)

rule(
  'ttl-at-maximum-refused',
  ['CLOUDC-LEASE-02'],
  'a key with a ttl of exactly the max_ttl of the configuration is refused (000 4.3: POST key accepts ttl; max TTL from config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      if (config.maxTtl > 0 && askedTtl(body) >= config.maxTtl) throw invalid('ttl must be below max_ttl')
      return original(body, config, mount)
    },
  },
)

rule(
  'ttl-alone-ignored',
  ['CLOUDC-LEASE-03'],
  'the ttl of the configuration counts only where it has a max_ttl too (000 4.3: keys have TTL and max TTL from engine config)',
  { leaseTimes: (original) => (body, config, mount) => original(body, config.maxTtl === 0 ? { ...config, ttl: 0 } : config, mount) },
)

rule(
  'max-ttl-alone-ignored',
  ['CLOUDC-LEASE-05'],
  'without a ttl in configuration and request the max_ttl of the configuration is not applied (000 4.3: max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) =>
      original(body, config.ttl === 0 && askedTtl(body) === 0 ? { ...config, maxTtl: 0 } : config, mount),
  },
)

rule(
  'scopes-never-emptied',
  ['CLOUDC-SET-20'],
  'an update with an empty list of token_scopes leaves the scopes (000 4.3, POST roleset: create or update, token_scopes array)',
  {
    scopesOf: (original) => (body, type) => {
      const scopes = original(body, type)
      return scopes?.length === 0 ? undefined : scopes
    },
  },
)

rule(
  'one-role-as-text',
  ['CLOUDC-BIND-09'],
  'a resource with one role shows the role and no list (000 2.5: mapping each resource string to a list of role strings)',
  {
    shownRoleset: (original) => (roleset, bindings) => ({
      ...original(roleset, bindings),
      bindings: Object.fromEntries(Object.entries(bindings).map(([name, roles]) => [name, roles.length === 1 ? roles.join() : roles])),
    }),
  },
)

rule(
  'first-block-only',
  ['CLOUDC-BIND-05'],
  'of several blocks of bindings in block syntax only the first is read (000 2.5: text in block syntax or JSON, a set of entries)',
  {
    bindingsOf: (original) => async (text) => {
      const bindings = await original(text)
      return decodedText(text).trim().startsWith('{') ? bindings : Object.fromEntries(Object.entries(bindings).slice(0, 1))
    },
  },
)

core.rule(
  'roleset-body-one-megabyte',
  ['CORE-LIMIT-01'],
  'a roleset written with a body of more than a megabyte is refused (000 8: maximum request size 32 MB)',
  {
    parseBody: (original) => (bytes, request) => {
      if (/\/roleset\/[^/]+$/.test(request.path) && bytes.length > BODY_LIMIT) throw new ApiError(413, 'the body is too large')
      return original(bytes, request)
    },
  },
)

rule(
  'empty-ttl-is-maximum',
  ['CLOUDC-LEASE-03'],
  'a ttl of empty text gives a key its longest time (000 4.3: ttl default "" meaning the system default)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const times = original(body, config, mount)
      return body.ttl === '' ? { ...times, ttl: times.maxTtl } : times
    },
  },
)

rule(
  'config-days-lost',
  ['CLOUDC-CONF-07'],
  'times of a day and more are shown without their whole days (000 4.3, GET config: data.ttl, data.max_ttl as duration strings)',
  { shownConfig: (original) => (config) => original({ ...config, ttl: config.ttl % DAY_S, maxTtl: config.maxTtl % DAY_S }) },
)
