/** Faults that depend on what was asked before: the second call, after a deletion, after an update, after a refusal, before the first. */
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import type { Kv2Route } from './kv2-data.ts'
import { namedVersions } from './loose-words.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')

const replies = remembered(() => new Map<string, Reply>())

/** Handles a request and forgets what was read of its path. */
const clearing =
  (original: Kv2Route['handle']): Kv2Route['handle'] =>
  (call) => {
    replies(call.state).delete(call.params.path ?? '')
    return original(call)
  }

v2.change(
  'seq-delete-keeps-cache',
  ['KV-V2-10', 'KV-V2-08'],
  'a key that was read stays readable after delete/ or destroy/, which do not clear the cache of reads (000 1.8, delete marks versions)',
  {
    routes: {
      'kv2.read': (original) => async (call) => {
        if (call.query.get('version')) return original(call)
        const path = call.params.path ?? ''
        const reply = replies(call.state).get(path) ?? (await original(call))
        replies(call.state).set(path, reply)
        return reply
      },
      'kv2.write': clearing,
      'kv2.deleteLatest': clearing,
      'kv2.deleteMetadata': clearing,
      'kv2.undeleteVersions': clearing,
    },
  },
)

const restored = remembered(() => new Set<number>())

v2.route(
  'seq-undelete-once',
  ['KV-V2-09'],
  'a version that was restored once cannot be restored again after a second deletion (000 1.8, undelete restores versions)',
  'kv2.undeleteVersions',
  (original) => async (call) => {
    const record = call.state.keys.get(call.params.path ?? '')
    if (!record) return original(call)
    const seen = restored(record)
    const named = namedVersions(call.body)
    const versions = named.filter((number) => !seen.has(number))
    if (named.length > 0 && versions.length === 0) return call.rules.done()
    const reply = await original({ ...call, body: { ...call.body, versions } })
    for (const number of versions) seen.add(number)
    return reply
  },
)

v2.rule(
  'seq-destroy-spares-deleted',
  ['KV-V2-11'],
  'a version that is deleted already is not destroyed, so that undelete restores it (000 1.8)',
  {
    destroyed: (original) => (version) => (version.deletedAt === undefined ? original(version) : version),
  },
)

const destroyedNumbers = remembered(() => new Map<string, Set<number>>())

v2.change(
  'seq-destroyed-numbers-stay',
  ['KV-V2-14'],
  'a version of a key written anew is destroyed where the forgotten key had one of that number destroyed (000 1.4 and 4.1, stored)',
  {
    routes: {
      'kv2.destroyVersions': (original) => async (call) => {
        const reply = await original(call)
        const [path, all] = [call.params.path ?? '', destroyedNumbers(call.state)]
        if (call.state.keys.has(path)) all.set(path, new Set([...(all.get(path) ?? []), ...namedVersions(call.body)]))
        return reply
      },
      'kv2.write': (original) => async (call) => {
        const reply = await original(call)
        const path = call.params.path ?? ''
        const record = call.state.keys.get(path)
        const version = record?.versions.get(record.current)
        if (record && version && destroyedNumbers(call.state).get(path)?.has(record.current)) version.destroyed = true
        return reply
      },
    },
  },
)

const firstTexts = remembered(() => new Map<string, string>())

v1.route(
  'seq-back-to-first-value',
  ['KV-V1-04'],
  'a write of the object that a key had first is left out as unchanged, though others came between (000 4.1, stored)',
  'kv1.write',
  (original) => (call) => {
    const path = call.params.path ?? ''
    const firsts = firstTexts(call.state)
    if (call.state.objects.has(path) && firsts.get(path) === call.text) return call.rules.written()
    if (!call.state.objects.has(path)) firsts.set(path, call.text)
    return original(call)
  },
)
