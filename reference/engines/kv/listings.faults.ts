/** Faults of listings of both versions. */
import type { Json } from '../../core/json.ts'
import { plain } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const kv1 = faultsOf(kv1Engine, 'kv')
const kv2 = faultsOf(kv2Engine, 'kv')

const below = (directory: string, name: string): string => (directory === '' ? name : `${directory}/${name}`)

kv1.rule('list-newest-missing', 'KV-LIST-01', 'the newest name is missing in listings', {
  namesIn: (original) => (keys, directory) => original(keys, directory).slice(0, -1),
})
kv1.rule('list-whole-paths', 'KV-LIST-01', 'a listing shows whole paths', {
  namesIn: (original) => (keys, directory) => original(keys, directory).map((name) => below(directory, name)),
})
kv1.rule('list-whole-mount', 'KV-LIST-02', 'a listing shows the last segments of all keys of the mount', {
  namesIn: () => (keys) => keys.map((key) => key.slice(key.lastIndexOf('/') + 1)),
})
kv1.rule('list-text-prefix', 'KV-LIST-02', 'a directory is taken for a text prefix', {
  namesIn: (original) => (keys, directory) => {
    const parent = directory.slice(0, directory.lastIndexOf('/') + 1)
    const alike = keys.filter((key) => directory !== '' && key.startsWith(directory) && !key.startsWith(`${directory}/`))
    return [
      ...original(keys, directory),
      ...original(
        alike.map((key) => key.slice(parent.length)),
        '',
      ),
    ]
  },
})
kv1.rule('list-deep', 'KV-LIST-02', 'a listing shows the keys of directories within', {
  namesIn: (original) => (keys, directory) => [
    ...original(keys, directory),
    ...keys.filter((key) => key.startsWith(below(directory, ''))).map((key) => key.slice(key.lastIndexOf('/') + 1)),
  ],
})
kv1.rule('list-unknown-is-root', 'KV-LIST-05', 'a directory that does not exist lists the root', {
  namesIn: (original) => (keys, directory) => {
    const names = original(keys, directory)
    return names.length ? names : original(keys, '')
  },
})
kv1.rule('list-shows-values', 'KV-LIST-06', 'a listing carries the stored objects', {
  listed: () => (names, stored, directory) => ({
    key_info: Object.fromEntries(names.map((name): [string, Json] => [name, plain(stored.get(below(directory, name)) ?? null)])),
  }),
})
kv2.rule('v2-list-last-missing', 'KV-LIST-09', 'the listing of the versioned engine stops before the last name', {
  namesIn: (original) => (keys, directory) => original(keys, directory).slice(0, -1),
})
kv2.rule('v2-list-upper-case', 'KV-LIST-09', 'the listing of the versioned engine shows names in upper case', {
  namesIn: (original) => (keys, directory) => original(keys, directory).map((name) => name.toUpperCase()),
})
