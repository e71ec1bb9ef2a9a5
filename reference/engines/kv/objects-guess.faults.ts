/** Faults of version 1 that somebody guessed from the documents: what one request does to other objects, names and times. */
import type { Route } from '../../core/engine.ts'
import { type Json, parseExact, stringify } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import type { Kv1Rules } from './kv1.rules.ts'
import { type Kv1State, kv1Engine } from './kv1.ts'

type Handle = Route<Kv1State, Kv1Rules>['handle']

const { rule, route } = faultsOf(kv1Engine, 'kv')
/** What only checks of the core decide is tried with them. */
const core = faultsOf(kv1Engine, 'core')

/** The directory that a path lies in; empty for the root. */
const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/')

route(
  'guess-last-of-directory-takes-namesake',
  ['KV-V1-01'],
  'deleting the last object of a directory also deletes the object that has the name of the directory',
  'kv1.delete',
  (original) => async (call) => {
    const reply = await original(call)
    const directory = parentOf(call.params.path ?? '')
    const { objects } = call.state
    const isEmpty = ![...objects.keys()].some((key) => key.startsWith(`${directory}/`))
    if (directory !== '' && isEmpty) objects.delete(directory)
    return reply
  },
)

/** What was read, by path without namespace, of a whole server. */
const readBefore = remembered(() => new Map<string, Json>())

const forgetting =
  (original: Handle): Handle =>
  (call) => {
    readBefore(call.services).delete(call.path)
    return original(call)
  }

core.change(
  'guess-cache-without-namespace',
  ['CORE-NS-05', 'CORE-NS-06'],
  'objects that were read are kept by a path that lacks the namespace',
  {
    routes: {
      'kv1.write': forgetting,
      'kv1.delete': forgetting,
      'kv1.read': (original) => async (call) => {
        const cache = readBefore(call.services)
        const kept = cache.get(call.path)
        if (kept !== undefined) return call.rules.shown(kept, call.mount.defaultLeaseTtl)
        const reply = await original(call)
        const stored = call.state.objects.get(call.rules.keyOf(call.params.path ?? ''))
        if (stored !== undefined) cache.set(call.path, stored)
        return reply
      },
    },
  },
)

rule(
  'guess-only-directories-count-as-empty',
  ['KV-LIST-01'],
  'the listing of a directory that holds nothing but directories is refused as empty',
  {
    namesIn: (original) => (keys, directory) => {
      const names = original(keys, directory)
      return directory !== '' && names.every((name) => name.endsWith('/')) ? [] : names
    },
  },
)

rule('guess-plus-taken-for-blank', ['KV-V1-01', 'KV-LIST-01'], 'a plus in a key is taken for a blank', {
  keyOf: (original) => (path) => original(path).replaceAll('+', ' '),
})

rule('guess-line-ends-unified', ['KV-V1-06'], 'a carriage return before a line feed is left out of stored texts', {
  replaced: (original) => (previous, written) =>
    parseExact(stringify(original(previous, written)).replace(/(?<!\\)((?:\\\\)*)\\r\\n/g, '$1\\n')),
})
