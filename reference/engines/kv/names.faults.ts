/** Faults of names: alike, deep, many, composed, with blanks. */
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { namesIn } from './directory.ts'
import { kv1Engine } from './kv1.ts'
import { kv2Engine } from './kv2.ts'

const one = faultsOf(kv1Engine, 'kv')

const two = faultsOf(kv2Engine, 'kv')

one.rule('boundary-list-fifty', 'KV-LIST-01', 'a listing ends after fifty names', {
  namesIn: (original) => (keys, directory) => original(keys, directory).sort().slice(0, 50),
})
two.rule('boundary-list-deep', 'KV-LIST-09', 'a listing knows five levels of directories', {
  namesIn: (original) => (keys, directory) =>
    original(
      keys.filter((key) => key.split('/').length <= 5),
      directory,
    ),
})
one.rule('boundary-list-prefix', ['KV-LIST-01', 'KV-LIST-02'], 'a listing shows what is in directories whose names begin alike', {
  namesIn: () => (keys, directory) =>
    namesIn(
      keys
        .filter((key) => key.startsWith(directory) && key.length > directory.length)
        .map((key) => key.slice(directory.length).replace(/^\//, '')),
      '',
    ),
})
two.route('boundary-read-other-case', 'KV-V2-07', 'a key that is absent is read by its case variant', 'kv2.read', (original) => (call) => {
  const path = call.params.path ?? ''
  const alike = [...call.state.keys.keys()].find((key) => key.toLowerCase() === path.toLowerCase())
  return original(call.state.keys.has(path) || alike === undefined ? call : { ...call, params: { ...call.params, path: alike } })
})
two.rule('boundary-list-key-and-directory', 'KV-LIST-09', 'a key is not listed beside the directory of its name', {
  namesIn: (original) => (keys, directory) => {
    const names = original(keys, directory)
    return names.filter((name) => !names.includes(`${name}/`))
  },
})
one.rule('shape-key-trimmed', ['KV-LIST-01', 'KV-V1-01'], 'blanks at the ends of a key are dropped', {
  keyOf: (original) => (path) => original(path).trim(),
})
two.rule('shape-key-composed', ['KV-LIST-09', 'KV-V2-02'], 'keys that differ in how an accent is composed are one', {
  keyOf: (original) => (path) => original(path).normalize('NFC'),
})
one.route(
  'shape-get-list-full-paths',
  ['CORE-LIST-02', 'KV-LIST-01'],
  'GET with list=true names whole paths',
  'kv1.list',
  (original) => (call) =>
    call.query.get('list') === 'true' && call.params.directory
      ? replyData((data) => ({ ...data, keys: (data.keys as string[]).map((name) => `${call.params.directory ?? ''}/${name}`) }))(
          original as never,
        )(call)
      : original(call),
)
