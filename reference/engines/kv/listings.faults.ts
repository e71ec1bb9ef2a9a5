/** Faults of listings of both versions. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Json, plain } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const one = faultsOf(kv1Engine, 'kv')
const two = faultsOf(kv2Engine, 'kv')
const core = faultsOf(coreEngine, 'kv')

const below = (directory: string, name: string): string => (directory === '' ? name : `${directory}/${name}`)
one.rule('list-newest-missing', 'KV-LIST-01', 'the newest name is missing in listings', {
  namesIn: (original) => (keys, directory) => original(keys, directory).slice(0, -1),
})
one.rule('list-unknown-is-root', 'KV-LIST-05', 'a directory that does not exist lists the root', {
  namesIn: (original) => (keys, directory) => {
    const names = original(keys, directory)
    return names.length ? names : original(keys, '')
  },
})
one.rule('list-shows-values', 'KV-LIST-06', 'a listing carries the stored objects', {
  listed: () => (names, stored, directory) => ({
    key_info: Object.fromEntries(names.map((name): [string, Json] => [name, plain(stored.get(below(directory, name)) ?? null)])),
  }),
})

one.rule('list-without-default', 'KV-LIST-01', 'a key called default is in no listing', {
  namesIn: (original) => (keys, directory) => original(keys, directory).filter((name) => name !== 'default'),
})
one.rule('list-directory-of-one', 'KV-LIST-03', 'a directory of one key is named without its slash', {
  namesIn: (original) => (keys, directory) =>
    original(keys, directory).map((name) =>
      name.endsWith('/') && original(keys, below(directory, name.slice(0, -1))).length === 1 ? name.slice(0, -1) : name,
    ),
})

export const faults = [...one.declared, ...two.declared, ...core.declared]
