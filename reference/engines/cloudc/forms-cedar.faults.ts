/** Faults of forms: the same thing written or shown in another way. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { reply, replyData } from '../../mutations/wrappers.ts'
import { decodedText } from './bindings.ts'
import { firstUnit } from './cedar-help.ts'
import { cloudcEngine } from './engine.ts'
import type { CloudcCall } from './provider-calls.ts'

const { rule, route, change } = faultsOf(cloudcEngine, 'cloudc')
const core = faultsOf(coreEngine, 'cloudc')

const isJson = (text: string): boolean => text.trimStart().startsWith('{')

rule(
  'cedar-no-json-in-base64',
  'CLOUDC-BIND-04',
  'bindings in base64 are taken in block syntax only, not as JSON (000, 2.5: block syntax or JSON, raw or base64-encoded)',
  {
    bindingsOf: (original) => async (text) => {
      if (!isJson(text) && isJson(decodedText(text))) throw invalid('bindings are not in block syntax')
      return original(text)
    },
  },
)

rule(
  'cedar-self-link-not-bound',
  'CLOUDC-BIND-07',
  'a resource that is named by its self-link is shown, but not bound (000, 2.5: a resource name or a self-link URL)',
  {
    boundResources: (original) => (bindings) =>
      Object.fromEntries(Object.entries(original(bindings)).filter(([resource]) => !resource.startsWith('https:'))),
  },
)

rule(
  'cedar-first-block-only',
  'CLOUDC-BIND-05',
  'of several blocks of bindings in block syntax only the first is read (000, 2.5: a set of entries, in either syntax)',
  {
    bindingsOf: (original) => async (text) => {
      const bindings = await original(text)
      return isJson(decodedText(text)) ? bindings : Object.fromEntries(Object.entries(bindings).slice(0, 1))
    },
  },
)

rule(
  'cedar-single-role-as-text',
  'CLOUDC-BIND-09',
  'a resource with one role is shown with a text, not with a list (000, 2.5: resource to a list of role strings)',
  {
    shownBindings: (original) => (bindings) =>
      Object.fromEntries(
        Object.entries(original(bindings)).map(([resource, roles]) => [
          resource,
          roles.length === 1 ? (roles[0] as unknown as string[]) : roles,
        ]),
      ),
  },
)

rule(
  'cedar-config-first-unit-only',
  'CLOUDC-CONF-05',
  'of a duration with several units, as 1h30m, the config takes the first only (000, 4.3: int seconds or duration string)',
  {
    configOf: (original) => (body, before, credentialsOf) => {
      const times = Object.entries(body).map(([field, value]) => [field, field === 'credentials' ? value : firstUnit(value)])
      return original(Object.fromEntries(times) as JsonObject, before, credentialsOf)
    },
  },
)

const asNumbers = remembered(() => new Set<string>())
change(
  'cedar-config-shown-as-written',
  'CLOUDC-CONF-02',
  'times that were written as numbers are read as numbers (000, 4.3: ttl and max_ttl are read as duration strings)',
  {
    routes: {
      'cloudc.writeConfig': (original) => async (call) => {
        const given = await original(call)
        for (const [field, value] of Object.entries(call.body)) {
          if (typeof value === 'number') asNumbers(call.state).add(field)
          else asNumbers(call.state).delete(field)
        }
        return given
      },
      'cloudc.readConfig': replyData<CloudcCall>((data, { state }) => ({
        ...data,
        ...(asNumbers(state).has('ttl') ? { ttl: state.config.ttl } : {}),
        ...(asNumbers(state).has('max_ttl') ? { max_ttl: state.config.maxTtl } : {}),
      })),
    },
  },
)

const verbs = new WeakMap<object, string>()
core.rule(
  'cedar-key-rotation-not-by-put',
  'CORE-WRITE-01',
  'rotate-key is refused with 405 where it is asked for by PUT (000, 1.6: PUT and POST are synonyms)',
  {
    effectivePath: (original) => (header, request, namespaces) => {
      verbs.set(request.headers, request.method)
      return original(header, request, namespaces)
    },
    check: (original) => (call, given) => {
      if (given.id === 'cloudc.rotateKey' && verbs.get(call.headers) === 'PUT') throw new ApiError(405, 'unsupported operation')
      original(call, given)
    },
  },
)

route(
  'cedar-lease-duration-as-asked',
  'CLOUDC-LEASE-01',
  'where a ttl is asked for as text, lease_duration is that text (000, 2.3: lease_duration, int, seconds)',
  'cloudc.createKey',
  reply<CloudcCall>((given, { body }) =>
    typeof body.ttl === 'string' && body.ttl !== ''
      ? { ...given, body: { ...(given.body as JsonObject), lease_duration: body.ttl } }
      : given,
  ),
)

rule('cedar-expiry-with-fraction', 'CLOUDC-TOK-13', 'expires_at_seconds of a token has a fraction (000, 2.5: int, epoch seconds)', {
  shownToken: (original) => (token, expiresIn, now) => ({ ...original(token, expiresIn, now), expires_at_seconds: now + expiresIn }),
})

rule(
  'cedar-scopes-by-comma',
  'CLOUDC-TOK-04',
  'several scopes are asked for as one, with commas (000, 4.3: scopes are those of the roleset; 2.5: a list of strings)',
  {
    tokenScopes: (original) => (roleset) => {
      const scopes = original(roleset)
      return scopes.length > 1 ? [scopes.join(',')] : scopes
    },
  },
)
