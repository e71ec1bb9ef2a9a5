/** Faults of the cloud-C engine: empty, zero, one, several, exactly at the limit, and what is left out. */
import { durationOf } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { cloudcEngine } from './engine.ts'
import { mapBindings, nameOf } from './haze-help.ts'

const { rule, route } = faultsOf(cloudcEngine, 'cloudc')

rule(
  'haze-first-role-only-granted',
  'CLOUDC-BIND-06',
  'of several roles of a resource only the first is granted (000, 2.5: a list of role names)',
  {
    boundResources: (original) => (bindings) => mapBindings(original(bindings), ([resource, roles]) => [[resource, roles.slice(0, 1)]]),
  },
)

rule(
  'haze-ttl-at-maximum-refused',
  'CLOUDC-LEASE-02',
  'a key with a ttl of exactly max_ttl is refused (000, 4.3: keys have max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      if (config.maxTtl > 0 && durationOf(body.ttl, 'ttl', 0) === config.maxTtl) throw invalid('ttl is not below max_ttl')
      return original(body, config, mount)
    },
  },
)

rule(
  'haze-default-beyond-maximum',
  'CLOUDC-LEASE-05',
  'without any ttl a key gets the system default, beyond the max_ttl of the engine (000, 4.3: max TTL from engine config)',
  {
    leaseTimes: (original) => (body, config, mount) =>
      body.ttl === undefined && config.ttl === 0 ? original(body, { ...config, maxTtl: 0 }, mount) : original(body, config, mount),
  },
)

route(
  'haze-token-ttl-within-maximum',
  'CLOUDC-TOK-08',
  'access tokens are said to end at the max_ttl of the engine where that is below an hour (000, 4.3: TTL settings do not apply; 8: fixed one hour)',
  ['cloudc.readToken', 'cloudc.createToken'],
  replyData((data, { state }) => {
    const over = Math.max(0, Number(data.token_ttl) - (state.config.maxTtl || Number(data.token_ttl)))
    return { ...data, token_ttl: Number(data.token_ttl) - over, expires_at_seconds: Number(data.expires_at_seconds) - over }
  }),
)

route(
  'haze-project-from-credentials',
  'CLOUDC-SET-06',
  'a roleset without project is created in the project of the credentials (000, 4.3: project is required)',
  'cloudc.writeRoleset',
  (original) => (call) => {
    const { credentials } = call.state.config
    if (call.body.project !== undefined || credentials === '' || call.state.rolesets.has(nameOf(call))) return original(call)
    const { project_id: project, client_email: email } = JSON.parse(credentials) as { project_id?: string; client_email: string }
    return original({ ...call, body: { ...call.body, project: project ?? email.split('@')[1]?.split('.')[0] ?? '' } })
  },
)

rule(
  'haze-no-bindings-for-keys',
  'CLOUDC-SET-07',
  'a roleset of type service_account_key is created without bindings (000, 4.3: bindings are required)',
  {
    bindingsTextOf: (original) => (body, before) =>
      before === undefined && textOf(body, 'secret_type') === 'service_account_key' && textOf(body, 'bindings') === ''
        ? ''
        : original(body, before),
    bindingsOf: (original) => async (text) => (text === '' ? {} : original(text)),
  },
)

rule(
  'haze-zero-times-not-shown',
  'CLOUDC-CONF-02',
  'times of 0 are left out of the configuration that is read (000, 4.3: data.ttl and data.max_ttl)',
  {
    shownConfig: (original) => (config) =>
      Object.fromEntries(Object.entries(original(config)).filter(([name]) => (name === 'ttl' ? config.ttl : config.maxTtl) > 0)),
  },
)

rule(
  'haze-request-within-engine-ttl',
  'CLOUDC-LEASE-02',
  'the ttl of a request for a key is cut at the ttl of the engine (000, 4.3: only max_ttl is a maximum)',
  {
    leaseTimes: (original) => (body, config, mount) => {
      const { ttl, maxTtl } = original(body, config, mount)
      return { ttl: Math.min(ttl, config.ttl || ttl), maxTtl }
    },
  },
)

rule(
  'haze-maximum-alone-sets-ttl',
  'CLOUDC-LEASE-04',
  'a first max_ttl without ttl sets the ttl, too (000, 4.3: ttl has the default 0 / "0s")',
  {
    configOf: (original) => (body, before, credentialsOf) =>
      original(body.ttl === undefined && before.ttl === 0 ? { ...body, ttl: body.max_ttl ?? 0 } : body, before, credentialsOf),
  },
)
