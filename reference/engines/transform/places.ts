/** Where the operators apply in the transform engine. Clauses are written without their common prefix. */
import type { Json } from '../../core/json.ts'
import { applied, type Places } from '../../faults/apply.ts'
import { transformEngine } from './engine.ts'
import { except } from './excepted-pairs.ts'
import type { Kind, TransformState } from './state.ts'

const clause = (number: string): string => (number.startsWith('CORE') ? number : `TRANSFORM-${number}`)
const by = (numbers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(numbers).map(([operator, number]) => [operator, clause(number)]))

/** Operators on parameters by the word that a member's line has for what goes wrong. */
const WORDS = { ignored: 'ignored', again: 'first-kept', left: 'carried-over' }

/** A member of requests, what its mistakes break, and the value that it is taken for where it is missing or an object. */
type Member = [path: string, breaks: string, value?: Json]

const member = (name: string, operations: string[], topic: string, [path, breaks, value = '']: Member): Places => {
  const stated: Record<string, string> = Object.fromEntries(
    breaks.split(', ').map((entry) => {
      const [word = '', number = ''] = entry.split(' ')
      return [word, clause(number.includes('-') ? number : `${topic}-${number}`)]
    }),
  )
  const at = { operations, member: path }
  const place = (word: string) => (word in stated ? { [name]: { ...at, value, clauses: [stated[word]!] as [string] } } : {})
  const own: Record<string, string> = { left: stated.missing ?? '', ...stated }
  const words = Object.entries(WORDS)
  const silent = words.filter(([word]) => !own[word]).map(([, operator]) => [operator, 'nothing states it'])
  return {
    parameters: {
      [name]: {
        ...at,
        clauses: [Object.values(stated)[0]!],
        by: Object.fromEntries(words.filter(([word]) => own[word]).map(([word, operator]) => [operator, own[word]!])),
        not: Object.fromEntries(silent),
      },
    },
    needed: place('missing'),
    types: place('object'),
    texts: place('text'),
  }
}

/**
 * Members of the requests of some operations. A member that is `ignored` has no effect; written `again`, it stays as it was; `left` out, it is that
 * of another request; `missing`, it is made up, too; an `object` is taken; its `text` is changed. Numbers are of the topic's clauses.
 */
const of = (word: string, operations: string, topic: string, members: Member[]): Places[] =>
  members.map((one) =>
    member(
      `${word}/${one[0].split('.').at(-1)}`,
      operations.split(' ').map((name) => `transform.${name}`),
      topic,
      one,
    ),
  )

/** A thing that is written, read, listed and removed under its name. */
const thing = (word: string, clauses: string, things: (state: TransformState) => Map<string, unknown>): Places => {
  const [created, again, listed, deleted] = clauses.split(' ').map(clause) as [string, string, string, string]
  const operation = (verb: string): string => `transform.${verb}${word[0]!.toUpperCase()}${word.slice(1)}`
  const [write, read, remove] = [operation('write'), operation('read'), operation('delete')]
  const own = { 'new-one-lost': created, 'removal-ignored': deleted, 'read-after-removal': deleted }
  return {
    names: { [word]: { clauses: ['CORE-NAME-01'], operations: [write, read, remove] } },
    lists: { [`${word}/list`]: { clauses: [listed], operations: [`${operation('list')}s`] } },
    ...(word === 'transformation' ? {} : { memory: { [word]: { clauses: [again], by: own, write, read, remove } } }),
    neighbours: { [`${word}/deletion`]: { clauses: [deleted], operations: [remove], things } },
  }
}

const kindOf = (call: { state?: object; params: Record<string, string> }): Kind | undefined =>
  (call.state as TransformState).transformations.get(call.params.name ?? '')?.type

/** Transformations of one type, by the path of that type. */
const kind = (word: Kind, write: string, created: string, again: string): Places => ({
  memory: {
    [word]: {
      clauses: [clause(again)],
      by: by({ 'new-one-lost': created, 'removal-ignored': 'READ-07', 'read-after-removal': 'READ-07' }),
      write: `transform.${write}`,
      read: 'transform.readTransformation',
      remove: 'transform.deleteTransformation',
      when: (call) => [word, undefined].includes(kindOf(call)),
    },
  },
})

/** Members of replies with their clauses: each as `member clause`. */
const shown = (word: string, operation: string, members: string[]): Places[] =>
  members.map((one) => {
    const [path = '', number = ''] = one.split(' ')
    const name = `${word}/${path.split('.').at(-1)}-shown`
    const place = { operations: [`transform.${operation}`], member: `data.${path}`, clauses: [clause(number)] as [string] }
    return { replies: { [name]: { ...place } } }
  })

/** Who may ask for an operation, by what it does. */
const asking = (name: string, operation: string, own: Record<string, string> = {}): Places => ({
  access: { [name]: { operations: [`transform.${operation}`], clauses: ['CORE-CAP-04'], by: own } },
})

/** Numbers of requests with their clause. */
const counted = (name: string, operation: string, path: string, number: string): Places => ({
  numbers: { [name]: { operations: [`transform.${operation}`], member: path, clauses: [clause(number)] } },
})

const TWEAK = 'AQEBAQEBAQ=='
const NOWHERE = 'postgresql://{{username}}:{{password}}@127.0.0.1:9/none'
const CODING = 'encode decode'
const QUESTIONS = ['validate', 'tokenized', 'metadata']

const PLACES: Places[] = [
  thing('alphabet', 'ALPHABET-01 ALPHABET-02 ALPHABET-05 ALPHABET-06', ({ alphabets }) => alphabets),
  thing('template', 'TEMPLATE-01 TEMPLATE-02 TEMPLATE-05 TEMPLATE-06', ({ templates }) => templates),
  thing('transformation', 'READ-01 FPE-09 READ-06 READ-07', ({ transformations }) => transformations),
  thing('role', 'ROLE-01 ROLE-02 ROLE-05 ROLE-08', ({ roles }) => roles),
  thing('store', 'STORE-01 STORE-02 STORE-05 STORE-06', ({ stores }) => stores),
  kind('fpe', 'writeFpe', 'FPE-01', 'FPE-09'),
  kind('masking', 'writeMasking', 'MASKING-01', 'MASKING-08'),
  kind('tokenization', 'writeTokenization', 'TOKENIZATION-01', 'TOKENIZATION-03'),

  ...of('alphabet', 'writeAlphabet', 'ALPHABET', [['alphabet', 'again 02, missing 07, object 08, text 03', '0123456789']]),
  ...of('template', 'writeTemplate', 'TEMPLATE', [
    ['type', 'missing 07, object 08', 'regex'],
    ['pattern', 'again 02, missing 09, object 11, text 03', '(.*)'],
    ['alphabet', 'ignored 03, again 02, object 12'],
  ]),
  ...of('fpe', 'writeFpe', 'FPE', [
    ['template', 'again 09, missing 02, object 03', 'none'],
    ['tweak_source', 'ignored 05, again 09, missing 04, object 06', 'internal'],
    ['allowed_roles', 'ignored READ-02, again ACCESS-10, left 07, object 08', []],
  ]),
  ...of('masking', 'writeMasking', 'MASKING', [
    ['template', 'again 08, missing 02, object 03', 'none'],
    ['masking_character', 'ignored MASK-02, again 08, missing 04, object 05', 'x'],
    ['allowed_roles', 'ignored READ-02, again 08, left 06, object 07', []],
  ]),
  ...of('older', 'writeTransformation', 'TYPED', [
    ['type', 'missing 04, object 05', 'fpe'],
    ['template', 'again FPE-09, missing 06, object 07', 'none'],
    ['tweak_source', 'ignored 01, again FPE-09, missing 08, object 09', 'internal'],
    ['masking_character', 'ignored 02, again MASKING-08, missing 10, object 14', 'x'],
    ['allowed_roles', 'ignored 01, again READ-02, left 11, object 13', []],
  ]),
  ...of('tokenization', 'writeTokenization', 'TOKENIZATION', [
    ['allowed_roles', 'ignored READ-02, again ACCESS-10, left 02, object 04', []],
    ['stores', 'ignored KEPT-01, missing 06, object 05', ['none']],
    ['max_ttl', 'ignored MAXTTL-02, again 03, missing MAXTTL-01, object MAXTTL-05', 5],
  ]),
  ...of('role', 'writeRole', 'ROLE', [['transformations', 'ignored 03, again 02, left 06, object 07', []]]),
  ...of('store', 'writeStore', 'STORE', [
    ['type', 'missing 07, object 08', 'sql'],
    ['connection_string', 'again 02, missing 11, object 14, text 03', NOWHERE],
    ['username', 'again 02, missing 12, object 15', 'nobody'],
    ['password', 'again 02, missing 13, object 16, text KEPT-20', 'nothing'],
    ['schema', 'ignored KEPT-01, again 02, left KEPT-02, object 17', 'public'],
    ['supported_transformations', 'left 09, object 21', ['tokenization']],
    ['max_open_connections', 'ignored POOL-01, again 02, missing POOL-02, object 18', 16],
    ['max_idle_connections', 'ignored POOL-03, again 02, missing POOL-04, object 19', 12],
    ['max_connection_lifetime', 'ignored POOL-05, again 02, object 20', 0],
  ]),
  ...of('schema', 'makeSchema', 'SCHEMA', [
    ['username', 'missing 04, object 06', 'nobody'],
    ['password', 'again 15, missing 05, object 07', 'nothing'],
    ['transformation_type', 'ignored 03, again 03, missing 01, object 08', 'fpe'],
  ]),
  ...of('encode', 'encode', 'ENCODE', [
    ['value', 'missing 02, object 03, text TOKEN-01', '1234567890123456'],
    ['transformation', 'ignored ACCESS-08, again ACCESS-08, left ACCESS-07, object 04'],
    ['tweak', 'again FORMAT-06, missing TWEAK-01, object TWEAK-15', TWEAK],
    ['ttl', 'ignored TTL-02, again TTL-07, left MAXTTL-01, object TTL-05', 0],
    ['metadata', 'ignored METADATA-01, again METADATA-03, object METADATA-08, text METADATA-01'],
  ]),
  ...of('decode', 'decode', 'DECODE', [
    ['value', 'missing 02, object 03, text TOKEN-05', '1234567890123456'],
    ['transformation', 'ignored ACCESS-08, again ACCESS-08, object 04'],
    ['tweak', 'again FORMAT-12, missing TWEAK-02, object TWEAK-16', TWEAK],
  ]),
  ...of('validate', 'validate', 'VALIDATE', [['value', 'again 03, missing 09, object 06, text 03', 'none']]),
  ...of('tokenized', 'tokenized', 'TOKENIZED', [['value', 'again 02, object VALIDATE-06, text 02', 'none']]),
  ...of('metadata', 'metadata', 'METADATA', [['value', 'again 03, left 10, object VALIDATE-06, text 06', 'none']]),
  ...QUESTIONS.flatMap((name) => of(name, name, 'VALIDATE', [['transformation', 'object 07']])),
  ...of('batch', 'encode', 'BATCH', [
    ['batch_input.value', 'again 02, left 05, text 21'],
    ['batch_input.ttl', 'ignored 19, again 19, left 19'],
    ['batch_input.metadata', 'ignored 20, again 20, left 20, text 20'],
  ]),
  ...of('batches', CODING, 'BATCH', [
    ['batch_input.transformation', 'ignored 03, again 03, left 03'],
    ['batch_input.tweak', 'again 04, left 07'],
  ]),
  ...of('batch-decode', 'decode', 'BATCH', [['batch_input.value', 'again 08']]),

  ...shown('alphabet', 'readAlphabet', ['alphabet ALPHABET-03']),
  ...shown('template', 'readTemplate', ['pattern TEMPLATE-03', 'type TEMPLATE-03', 'alphabet TEMPLATE-03']),
  ...shown('role', 'readRole', ['transformations ROLE-03']),
  ...shown('transformation', 'readTransformation', ['type READ-01', 'allowed_roles READ-02', 'templates READ-03', 'tweak_source READ-04']),
  ...shown('store', 'readStore', ['connection_string STORE-03', 'supported_transformations STORE-09']),
  ...shown('encode', 'encode', ['encoded_value FORMAT-01', 'tweak TWEAK-10']),
  ...shown('batch', 'encode', ['batch_results.encoded_value BATCH-21', 'batch_results.tweak BATCH-16']),
  ...shown('decode', 'decode', ['decoded_value FORMAT-04']),
  ...shown('batch-decode', 'decode', ['batch_results.encoded_value BATCH-08']),
  ...shown('validate', 'validate', ['valid VALIDATE-01']),
  ...shown('tokenized', 'tokenized', ['tokenized TOKENIZED-01']),
  ...shown('metadata', 'metadata', ['metadata METADATA-01', 'expiration_time METADATA-02']),
  {
    lists: {
      'batch/results': {
        operations: ['transform.encode'],
        member: 'data.batch_results',
        clauses: ['TRANSFORM-BATCH-11'],
      },
    },
  },
  {
    lists: {
      'batch/decoded': {
        operations: ['transform.decode'],
        member: 'data.batch_results',
        clauses: ['TRANSFORM-BATCH-08'],
      },
    },
  },

  counted('encode/ttl', 'encode', 'ttl', 'METADATA-02'),
  counted('batch/ttl', 'encode', 'batch_input.ttl', 'BATCH-19'),
  counted('tokenization/max_ttl', 'writeTokenization', 'max_ttl', 'MAXTTL-02'),
  counted('store/max_open', 'writeStore', 'max_open_connections', 'POOL-01'),
  counted('store/max_idle', 'writeStore', 'max_idle_connections', 'POOL-03'),
  counted('store/max_lifetime', 'writeStore', 'max_connection_lifetime', 'POOL-05'),

  asking('template/read', 'readTemplate', { anyone: 'CORE-CAP-01', 'list-is-enough': 'CORE-CAP-20', 'update-is-enough': 'CORE-CAP-05' }),
  asking('alphabet/listing', 'listAlphabets', {
    anyone: 'CORE-CAP-17',
    'read-is-enough': 'CORE-CAP-12',
    'update-is-enough': 'CORE-CAP-12',
  }),
  asking('role/write', 'writeRole'),
  asking('transformation/removal', 'deleteTransformation', {
    anyone: 'CORE-CAP-18',
    'read-is-enough': 'CORE-CAP-21',
    'list-is-enough': 'CORE-CAP-21',
    'update-is-enough': 'CORE-CAP-13',
  }),
  ...[...CODING.split(' '), ...QUESTIONS].map((name) => asking(`${name}/use`, name)),
]

const families = new Map<string, object>()
for (const places of PLACES)
  for (const [family, named] of Object.entries(places)) families.set(family, { ...families.get(family), ...named })

export const faults = applied(transformEngine, { ...Object.fromEntries(families), except })
