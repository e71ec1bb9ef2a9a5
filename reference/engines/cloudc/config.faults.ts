/** Faults of the configuration. */

import { durationOf } from '../../core/durations.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { replyData, requestBody, requestNestedAs, requestWithout } from '../../faults/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import { withState } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(cloudcEngine)

change('config-refused', 'CLOUDC-CONF-01', 'the configuration cannot be written once it is there', {
  routes: {
    'cloudc.writeConfig': (original) => (call) => {
      if (call.state.config.credentials !== '') throw new ApiError(405, 'unsupported operation')
      return original(call)
    },
  },
})
rule('config-numbers', 'CLOUDC-CONF-02', 'lease times are shown as numbers', {
  shownConfig:
    () =>
    ({ ttl, maxTtl }) => ({ ttl, max_ttl: maxTtl }),
})
rule('config-unset-empty', 'CLOUDC-CONF-02', 'lease times that were never given are shown as empty texts', {
  shownConfig: (original) => (config) => {
    const shown = original(config)
    return { ttl: config.ttl ? shown.ttl! : '', max_ttl: config.maxTtl ? shown.max_ttl! : '' }
  },
})
change('config-shows-credentials', 'CLOUDC-CONF-03', 'the read shows the credentials', {
  routes: {
    'cloudc.readConfig': (original) => (call) =>
      replyData<typeof call>((data) => ({ ...data, credentials: call.state.config.credentials }))(original)(call),
  },
})
for (const [field, number, text] of [
  ['ttl', 'CLOUDC-CONF-04', 'CLOUDC-CONF-05'],
  ['max_ttl', 'CLOUDC-CONF-06', 'CLOUDC-CONF-07'],
] as const) {
  const name = field.replace('_', '-')
  route(
    `config-${name}-number-dropped`,
    number,
    `a number is ignored as ${field}`,
    'cloudc.writeConfig',
    (original) => (call) => (typeof call.body[field] === 'number' ? requestWithout<typeof call>(field)(original)(call) : original(call)),
  )
  route(
    `config-${name}-first-unit`,
    text,
    `of a ${field} in text only the first unit counts`,
    'cloudc.writeConfig',
    requestBody((body) => {
      const value = body[field]
      return typeof value === 'string' ? { ...body, [field]: /^\d+[a-z]/.exec(value)?.[0] ?? value } : body
    }),
  )
}
rule('config-ttl-default', 'CLOUDC-CONF-08', 'ttl is an hour where it was not given', {
  shownConfig: (original) => (config) => original({ ...config, ttl: config.ttl || 3600 }),
})
rule('config-max-ttl-default', 'CLOUDC-CONF-09', 'max_ttl is a day where it was not given', {
  shownConfig: (original) => (config) => original({ ...config, maxTtl: config.maxTtl || 86_400 }),
})
/** Whether a value can be read as a duration. */
const isDuration = (value: JsonObject[string]): boolean => {
  try {
    durationOf(value, 'ttl', 0)
    return true
  } catch {
    return false
  }
}
const forgiving = <C extends { body: JsonObject }>(field: string) =>
  requestBody<C>((body) => (body[field] === undefined || isDuration(body[field]) ? body : { ...body, [field]: 0 }))
route('config-bad-ttl', 'CLOUDC-CONF-10', 'a ttl other than a duration counts as none', 'cloudc.writeConfig', forgiving('ttl'))
route('config-bad-max-ttl', 'CLOUDC-CONF-11', 'a max_ttl other than a duration counts as none', 'cloudc.writeConfig', forgiving('max_ttl'))
route('config-object', 'CLOUDC-CONF-12', 'an object counts as no credentials', 'cloudc.writeConfig', requestNestedAs('credentials', ''))
rule('config-any-credentials', 'CLOUDC-CONF-13', 'credentials other than JSON are ignored, and the earlier ones used', {
  configOf: (original) => (body, before, credentialsOf) => {
    try {
      return original(body, before, credentialsOf)
    } catch {
      return before
    }
  },
})
rule('config-needs-credentials', 'CLOUDC-CONF-18', 'a configuration without credentials is refused', {
  configOf: (original) => (body, before, credentialsOf) => {
    if (body.credentials === undefined) throw new ApiError(400, 'credentials are required')
    return original(body, before, credentialsOf)
  },
})
rule('config-no-file', 'CLOUDC-CONF-15', 'a path is taken for the credentials themselves', {
  credentialsOf: (original) => (text) => {
    if (text.startsWith('@')) throw new ApiError(400, 'credentials are not those of a service account')
    return original(text)
  },
})
rule('config-echo', 'CLOUDC-CONF-17', 'the refusal of credentials quotes them', {
  credentialsOf: (original) => (text) => {
    try {
      return original(text)
    } catch {
      throw new ApiError(400, `these are not credentials: ${text}`)
    }
  },
})
const firstCredentials = remembered(() => ({ text: '' }))
change('credentials-of-first-use', 'CLOUDC-CONF-14', 'rolesets are made with the credentials that were used first, new ones never count', {
  routes: {
    'cloudc.writeRoleset': (original) => (call) => {
      const first = firstCredentials(call.state)
      first.text ||= call.state.config.credentials
      return original(withState(call, { config: { ...call.state.config, credentials: first.text } }))
    },
  },
})
rule('no-max-ttl', 'CLOUDC-CONF-02', 'a max_ttl of 0 is left out of the configuration that is read', {
  shownConfig: (original) => (config) => {
    const { max_ttl, ...rest } = original(config)
    return config.maxTtl === 0 ? rest : { ...rest, max_ttl: max_ttl ?? null }
  },
})
rule('credentials-blank', 'CLOUDC-CONF-03', 'the configuration shows credentials as an empty text', {
  shownConfig: (original) => (config) => ({ ...original(config), credentials: '' }),
})

export const faults = declared
