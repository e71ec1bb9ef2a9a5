/** Faults of the conventions in the form of what is sent and shown: error bodies, envelopes, keys, help, verbs, values. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { answering, enveloped, listed, refusing } from './loose-words.ts'

const { rule } = faultsOf(coreEngine)

const errorsAs = (status: number, change: (errors: string[]) => Json) =>
  refusing(
    (given) => given === status,
    (reply) => ({ ...reply, body: change(((reply.body as JsonObject).errors ?? []) as string[]) }),
  )

rule(
  'errors-404-empty-body',
  ['CORE-ERROR-01'],
  'a 404 has no body (000 2.4: for every status >= 400)',
  refusing(
    (status) => status === 404,
    ({ status }) => ({ status }),
  ),
)

rule(
  'errors-400-single',
  ['CORE-ERROR-01'],
  'a 400 has error, a text, in the place of errors (000 2.4)',
  errorsAs(400, (errors) => ({ error: errors[0] ?? '' })),
)

rule(
  'errors-list-404',
  ['CORE-ERROR-01'],
  'an empty listing has an empty object as its body (000 2.4: errors)',
  refusing(
    (status, request) => status === 404 && request.method === 'LIST',
    ({ status }) => ({ status, body: {} }),
  ),
)

const field = (name: string, value: (given: Json) => Json, where: (method: string) => boolean = () => true) =>
  enveloped(
    ({ method }, body) => where(method) && name in body,
    (body) => ({ ...body, [name]: value(body[name] ?? null) }),
  )

const isLess = (lease: Json): boolean => lease === ''

rule(
  'lease-id-null-anew',
  ['CORE-ENV-03'],
  'lease_id is null without a lease (000 2.3: empty string when no lease)',
  field('lease_id', (lease) => (isLess(lease) ? null : lease)),
)

rule(
  'duration-list',
  ['CORE-ENV-11'],
  'lease_duration of listings is not 0 (000 2.3: 0 when no lease)',
  enveloped(
    ({ method }) => method === 'LIST',
    (body, call) => ({ ...body, lease_duration: call.mount.maxLeaseTtl }),
  ),
)

rule(
  'auth-text-anew',
  ['CORE-ENV-09'],
  'auth is an empty text (000 2.3: object or null)',
  field('auth', () => ''),
)

rule(
  'list-without-envelope',
  ['CORE-LIST-03'],
  'a listing by GET with list=true has its keys at the top (000 4.1: data.keys)',
  answering(
    ({ query }) => query.get('list') === 'true',
    (reply) => ({ ...reply, body: ((reply.body as JsonObject).data ?? null) as Json }),
  ),
)

rule(
  'keys-lower',
  ['CORE-LIST-01'],
  'keys are in lower case (000 1.5: the keys at the path)',
  listed((keys) => keys.map((name) => String(name).toLowerCase())),
)

rule(
  'keys-with-directory',
  ['KV-LIST-01', 'KV-LIST-09'],
  'keys have the directory in front (000 1.5: the keys at the path)',
  listed((keys, call) => keys.map((name) => `${call.params.directory ? `${call.params.directory.replace(/\/$/, '')}/` : ''}${name}`)),
)
