/** Faults at the edges: last and second elements, exactly at a limit, without one, other spellings. */
import { durationOf } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { cloudcEngine } from './engine.ts'

const { rule } = faultsOf(cloudcEngine)

rule('boundary-last-role', [], 'of several roles on a resource the last is not bound', {
  boundResources: (original) => (bindings) =>
    Object.fromEntries(
      Object.entries(original(bindings)).map(([resource, roles]) => [resource, roles.length > 1 ? roles.slice(0, -1) : roles]),
    ),
})

rule('boundary-ttl-at-max', [], 'a ttl of a key that is exactly the maximum counts as none', {
  leaseTimes: (original) => (body, config, mount) => {
    const { maxTtl } = original(body, config, mount)
    return original(durationOf(body.ttl, 'ttl', 0) === maxTtl ? { ...body, ttl: '' } : body, config, mount)
  },
})

rule('boundary-no-maximum', [], 'without a max_ttl in the configuration its ttl is the maximum', {
  leaseTimes: (original) => (body, config, mount) => original(body, { ...config, maxTtl: config.maxTtl || config.ttl }, mount),
})

rule('boundary-wrapped-base64', [], 'base64 of bindings is taken in one line only', {
  bindingsOf: (original) => (text) => {
    if (/^[A-Za-z0-9+/]+\r?\n[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text)) throw invalid('bindings are neither JSON nor in block syntax')
    return original(text)
  },
})

rule('boundary-self-link', [], 'a resource cannot be given as its self-link', {
  policyUrls: (original) => (resource) => {
    if (!resource.startsWith('//')) throw invalid(`bindings: ${resource} is no resource that can be bound`)
    return original(resource)
  },
})

rule('boundary-first-scope', [], 'a token has the first of the scopes of its roleset only', {
  tokenScopes: (original) => (roleset) => original(roleset).slice(0, 1),
})

rule('boundary-first-unit', [], 'of a duration with several units the first is read', {
  configOf: (original) => (body, before, credentialsOf) => {
    const first = (value: typeof body.ttl) => (typeof value === 'string' ? (/^\d+[a-z]+/.exec(value)?.[0] ?? value) : value)
    const times = Object.entries(body).filter(([field]) => field === 'ttl' || field === 'max_ttl')
    const cut = Object.fromEntries(times.map(([field, value]) => [field, first(value) ?? null]))
    return original({ ...body, ...cut }, before, credentialsOf)
  },
})
