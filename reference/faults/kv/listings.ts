/** Faults of listings of both versions. */
import type { Json } from '../../core/engine.ts'
import { plain } from '../../core/json.ts'
import { type Fault, fault } from '../../core/mutation.ts'
import { kv1Engine } from '../../engines/kv/kv1.ts'
import { kv2Engine } from '../../engines/kv/kv2.ts'

const below = (directory: string, name: string): string => (directory === '' ? name : `${directory}/${name}`)

export const listingFaults: Fault[] = [
  fault(
    kv1Engine,
    { id: 'kv-list-newest-missing', engine: 'kv', title: 'the newest name is missing in listings', clauses: ['KV-LIST-01'] },
    { rules: { namesIn: (original) => (keys, directory) => original(keys, directory).slice(0, -1) } },
  ),
  fault(
    kv1Engine,
    { id: 'kv-list-whole-paths', engine: 'kv', title: 'a listing shows whole paths', clauses: ['KV-LIST-01'] },
    { rules: { namesIn: (original) => (keys, directory) => original(keys, directory).map((name) => below(directory, name)) } },
  ),
  fault(
    kv1Engine,
    {
      id: 'kv-list-whole-mount',
      engine: 'kv',
      title: 'a listing shows the last segments of all keys of the mount',
      clauses: ['KV-LIST-02'],
    },
    { rules: { namesIn: () => (keys) => keys.map((key) => key.slice(key.lastIndexOf('/') + 1)) } },
  ),
  fault(
    kv1Engine,
    { id: 'kv-list-text-prefix', engine: 'kv', title: 'a directory is taken for a text prefix', clauses: ['KV-LIST-02'] },
    {
      rules: {
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
      },
    },
  ),
  fault(
    kv1Engine,
    { id: 'kv-list-deep', engine: 'kv', title: 'a listing shows the keys of directories within', clauses: ['KV-LIST-02'] },
    {
      rules: {
        namesIn: (original) => (keys, directory) => [
          ...original(keys, directory),
          ...keys.filter((key) => key.startsWith(below(directory, ''))).map((key) => key.slice(key.lastIndexOf('/') + 1)),
        ],
      },
    },
  ),
  fault(
    kv1Engine,
    { id: 'kv-list-unknown-is-root', engine: 'kv', title: 'a directory that does not exist lists the root', clauses: ['KV-LIST-05'] },
    {
      rules: {
        namesIn: (original) => (keys, directory) => {
          const names = original(keys, directory)
          return names.length ? names : original(keys, '')
        },
      },
    },
  ),
  fault(
    kv1Engine,
    { id: 'kv-list-shows-values', engine: 'kv', title: 'a listing carries the stored objects', clauses: ['KV-LIST-06'] },
    {
      rules: {
        listed: () => (names, stored, directory) => ({
          key_info: Object.fromEntries(names.map((name): [string, Json] => [name, plain(stored.get(below(directory, name)) ?? null)])),
        }),
      },
    },
  ),
  fault(
    kv2Engine,
    {
      id: 'kv-v2-list-last-missing',
      engine: 'kv',
      title: 'the listing of the versioned engine stops before the last name',
      clauses: ['KV-LIST-09'],
    },
    { rules: { namesIn: (original) => (keys, directory) => original(keys, directory).slice(0, -1) } },
  ),
  fault(
    kv2Engine,
    {
      id: 'kv-v2-list-upper-case',
      engine: 'kv',
      title: 'the listing of the versioned engine shows names in upper case',
      clauses: ['KV-LIST-09'],
    },
    { rules: { namesIn: (original) => (keys, directory) => original(keys, directory).map((name) => name.toUpperCase()) } },
  ),
]
