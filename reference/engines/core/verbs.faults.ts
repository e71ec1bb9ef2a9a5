/** Faults that tell apart what is one: verbs that are synonyms, and entries that are equally absent. */
import { coreEngine } from '../../core/core-engine.ts'

import { empty } from '../../core/envelope.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { isEngineRoute } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)
const ssh = faultsOf(coreEngine, 'ssh')
const transform = faultsOf(coreEngine, 'transform')

const written = remembered(() => new Set<string>())

rule('deleted-still-exists', 'CORE-CAP-19', 'what was written once counts as existing after its deletion: to write it again needs update', {
  finish: (original) => (call, route, reply) => {
    if (call.method === 'POST' && isEngineRoute(route)) written(call.state as object).add(call.path)
    return original(call, route, reply)
  },
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed === 'create' && call && written(call.state as object).has(call.path) ? 'update' : needed, call),
})

const puts = new WeakSet<object>()

rule('put-is-update', 'CORE-CAP-19', 'a write by PUT needs update even where the object is new, and update is enough for it', {
  isListing: (original) => (method, query) => {
    if (method === 'PUT') puts.add(query)
    return original(method, query)
  },
  capabilityGranted: (original) => (granted, needed, call) =>
    original(granted, needed === 'create' && call && puts.has(call.query) ? 'update' : needed, call),
})

rule('help-absolute-after-slash', 'CORE-HELP-03', 'the paths of a help answer are absolute where the path asked ends in a slash', {
  helpPath: (original) => (relative, queried) =>
    queried.endsWith('/') ? `/${queried.slice(0, -1)}${original(relative, queried)}` : original(relative, queried),
})

transform.rule(
  'list-parameter-alone',
  ['TRANSFORM-FILTER-02', 'TRANSFORM-FILTER-03'],
  'GET with list=true is no listing where another query parameter stands beside it',
  {
    isListing: () => (method, query) => method === 'LIST' || (method === 'GET' && query.toString() === 'list=true'),
  },
)

/** Changes what PUT is answered with. */
const answeringPut = (change: (reply: Reply) => Reply): Parameters<typeof rule>[3] => ({
  isListing: (original) => (method, query) => {
    if (method === 'PUT') puts.add(query)
    return original(method, query)
  },
  finish: (original) => (call, route, reply) =>
    original(call, route, puts.has(call.query) && isEngineRoute(route) && reply.status === 200 ? change(reply) : reply),
})

ssh.rule('put-answers-nothing', 'CORE-WRITE-01', 'what PUT does is answered with nothing', answeringPut(empty))

ssh.rule(
  'put-lease-doubled',
  'CORE-WRITE-01',
  'the lease of what PUT gives lasts twice as long',
  answeringPut((reply) => {
    const body = reply.body as JsonObject
    return typeof body.lease_duration === 'number' ? { ...reply, body: { ...body, lease_duration: body.lease_duration * 2 } } : reply
  }),
)
