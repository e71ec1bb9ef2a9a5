/** Faults of what lies next to what was asked for: other keys, versions, mounts, namespaces and grants. */
import { coreEngine } from '../../core/core-engine.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'
import { isObject } from './plain-help.ts'

const v1 = faultsOf(kv1Engine, 'kv')
const v2 = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

v1.route(
  'plain-write-below-takes-parent',
  'KV-V1-09',
  'v1: writing `a/b` removes the object `a` (000 4.1: POST or PUT `/v1/secret/<key>`, stored)',
  'kv1.write',
  (original) => async (call) => {
    const reply = await original(call)
    const segments = (call.params.path ?? '').split('/')
    for (let length = 1; length < segments.length; length += 1) call.state.objects.delete(segments.slice(0, length).join('/'))
    return reply
  },
)

v1.route(
  'plain-delete-takes-below',
  'KV-V1-01',
  'v1: deleting `a` deletes the objects below `a/` too (000 1.4: a secret is read with GET on its own `<key>`)',
  'kv1.delete',
  (original) => async (call) => {
    const reply = await original(call)
    const below = `${call.params.path ?? ''}/`
    for (const key of [...call.state.objects.keys()].filter((candidate) => candidate.startsWith(below))) call.state.objects.delete(key)
    return reply
  },
)

v2.route(
  'plain-read-any-case',
  'KV-V2-07',
  'v2: a read of a key that does not exist shows one that differs in case (000 7: 404 invalid path)',
  'kv2.read',
  (original) => (call) => {
    const path = call.params.path ?? ''
    if (call.state.keys.has(path)) return original(call)
    const similar = [...call.state.keys.keys()].find((key) => key.toLowerCase() === path.toLowerCase())
    return original(similar === undefined ? call : { ...call, params: { ...call.params, path: similar } })
  },
)

core.rule(
  'plain-mounts-shared-across-namespaces',
  'CORE-MOUNT-02',
  'v2: mounts of the same path in two namespaces hold the same objects (000 2.2: the effective path begins with the namespace)',
  {
    stateOf: (original) => (engine, others, place) => {
      const namesake = others.find(
        ({ engine: { type }, path, namespace }) => type === 'kv2' && path === place.path && namespace !== place.namespace,
      )
      return engine.type === 'kv2' && namesake ? namesake.state : original(engine, others, place)
    },
  },
)

v2.route(
  'plain-destroy-takes-older',
  'KV-V2-13',
  'v2: destroying a version destroys the older ones with it (000 1.8: destroy removes versions permanently, those named)',
  'kv2.destroyVersions',
  (original) => (call) =>
    original({ ...call, rules: { ...call.rules, chosen: (named, present) => present.filter((number) => number <= Math.max(...named)) } }),
)

v2.rule(
  'plain-list-hides-namesake-of-directory',
  'CORE-CAP-11',
  'v2: an object that is called like a directory beside it is left out of listings (000 1.5: returns the keys at the path)',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      return names.filter((name) => !names.includes(`${name}/`))
    },
  },
)

const answersByKey = remembered(() => new Map<string, Reply>())
const forgettingAnswer: (original: (typeof kv1Engine.routes)[number]['handle']) => (typeof kv1Engine.routes)[number]['handle'] =
  (original) => (call) => {
    answersByKey(call.services).delete(call.params.path ?? '')
    return original(call)
  }

v1.change(
  'plain-answers-kept-without-mount',
  'CORE-MOUNT-02',
  'v1: a read shows the object of the same key in another mount that was read before (000, introduction: mounted at any path; 1.4)',
  {
    routes: {
      'kv1.read': (original) => async (call) => {
        const answers = answersByKey(call.services)
        const key = call.params.path ?? ''
        const reply = answers.get(key) ?? (await original(call))
        answers.set(key, reply)
        return reply
      },
      'kv1.write': forgettingAnswer,
      'kv1.delete': forgettingAnswer,
    },
  },
)

core.rule('plain-key-below-data-merged', 'KV-V2-02', 'v2: the key `data/x` is taken for the key `x` (000 1.4: `/v1/secret/data/<key>`)', {
  pathBelow: (original) => (mount, path, type) => {
    const rest = original(mount, path, type)
    return type === 'kv2' ? rest.replace(/^(data\/)+/, 'data/') : rest
  },
})

v2.route(
  'plain-delete-one-takes-ten',
  'KV-V2-12',
  'v2: marking version 1 deleted marks version 10 too, numbers being compared as beginnings of text (000 1.8: delete marks versions deleted)',
  'kv2.deleteVersions',
  (original) => (call) =>
    original({
      ...call,
      rules: {
        ...call.rules,
        chosen: (named, present) => present.filter((number) => named.some((asked) => String(number).startsWith(String(asked)))),
      },
    }),
)

core.rule(
  'plain-mount-of-parent-namespace',
  'CORE-NS-07',
  'in a namespace without such a mount the key-value mount of the namespace above answers (000 2.2: effective path; 7: 404 invalid path)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const above = all.filter(
        (mount) => /^kv/.test(mount.engine.type) && mount.namespace !== namespace && namespace.startsWith(mount.namespace),
      )
      return [...own, ...above.filter(({ path }) => !own.some((mount) => mount.path === path))]
    },
  },
)

const objectsByText = remembered(() => new Map<string, JsonObject>())

v1.route(
  'plain-equal-objects-are-one',
  'KV-V1-04',
  'v1: keys that were written with the same text share one object, so that an update of one changes the others (000 4.1: stored)',
  'kv1.write',
  (original) => async (call) => {
    const { objects } = call.state
    const key = call.params.path ?? ''
    const previous: Json | undefined = objects.get(key)
    const reply = await original(call)
    const written = objects.get(key)
    const known = objectsByText(call.state)
    if (!isObject(written)) return reply
    if (isObject(previous)) {
      for (const text of [...known.keys()].filter((candidate) => known.get(candidate) === previous)) known.delete(text)
      for (const name of Object.keys(previous)) delete previous[name]
      objects.set(key, Object.assign(previous, written))
      return reply
    }
    const shared = known.get(call.text) ?? written
    known.set(call.text, shared)
    objects.set(key, shared)
    return reply
  },
)
