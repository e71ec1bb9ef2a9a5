/** What is written, read, listed and deleted by name: how each kind of it is asked for, and the clauses of its life. */
import type { Bench, CheckOptions, JsonObject } from '../../../harness/checks/index.ts'
import { newTemplate, withTransformations } from '../fixtures.ts'
import { kinds, needs, placeFor } from '../stores/place.ts'

export interface Thing {
  word: string
  /** What has to be there for it. */
  options: CheckOptions
  write: string
  read: string
  list: string
  remove: string
  clauses: {
    created: string
    again: string
    read: string
    unknown: string
    listed: string
    deleted: string
    absent: string
    recreated: string
  }
  /** Bodies that differ in every field, with what a read shows of each. */
  bodies(bench: Bench): Promise<{ body: JsonObject; shown: JsonObject }[]>
}

const same = (body: JsonObject): { body: JsonObject; shown: JsonObject } => ({ body, shown: body })

const clauses = (topic: string, numbers: Record<keyof Thing['clauses'], string>): Thing['clauses'] =>
  Object.fromEntries(
    Object.entries(numbers).map(([name, number]) => [name, number.includes('-') ? `TRANSFORM-${number}` : `TRANSFORM-${topic}-${number}`]),
  ) as Thing['clauses']

/** Alphabets of many sorts: order, case, white space and quotes, other scripts, characters of two code units. */
const ALPHABETS = [
  '0123456789',
  '9081726354',
  'zyxwvutsrqponmlkjihgfedcba',
  'aAbBcCdD',
  ' ,;"\'\\/<>&%{}[]()',
  Array.from({ length: 94 }, (_, code) => String.fromCharCode(33 + code)).join(''),
  'абвгдежзийклмнопрстуфхцчшщъыьэюя',
  'αβγδεζηθικλμνξοπρστυφχψω',
  '😀😁😂🤣😃😄😅😆😉😊😋😎',
  'a😀б1',
  Array.from({ length: 300 }, (_, code) => String.fromCharCode(0x4e00 + code)).join(''),
]

const PATTERNS = [
  '([0-9]{16})',
  '([0-9]{4})-[0-9]{4}',
  'id:([a-z]+);',
  '\\+([0-9]{6,15})',
  '"([A-F0-9]+)" \\\\ <>&',
  'ключ-(\\d{6,})',
  `(?:${'x'.repeat(600)}|y)([0-9]+)`,
  'https?://h/([0-9]{6,})\\/\\.',
  ` %2F+\\t'\`([0-9]{6,}) # A,b=c; `,
]

const OLDER = 'transform.writeTransformation'

const transformation = (
  kind: 'fpe' | 'masking',
  write: string,
  again: string,
  created: string,
  others: (index: number) => JsonObject,
): Thing => ({
  word: write === OLDER ? `older-${kind}` : kind,
  options: {},
  write,
  read: 'transform.readTransformation',
  list: 'transform.listTransformations',
  remove: 'transform.deleteTransformation',
  clauses: clauses('READ', { created, again, read: '01', unknown: '05', listed: '06', deleted: '07', absent: '08', recreated: '09' }),
  async bodies(bench) {
    const templates = [await newTemplate(bench), await newTemplate(bench), await newTemplate(bench)]
    return templates.map((template, index) => {
      const roles = Array.from({ length: index }, () => bench.mixedName('role'))
      const more = others(index)
      const { masking_character: _hidden, ...seen } = more
      return {
        body: { ...(write === OLDER ? { type: kind } : {}), template, allowed_roles: roles, ...more },
        shown: { type: kind, templates: [template], allowed_roles: roles, ...seen },
      }
    })
  },
})

export const things: Thing[] = [
  {
    word: 'alphabet',
    options: {},
    write: 'transform.writeAlphabet',
    read: 'transform.readAlphabet',
    list: 'transform.listAlphabets',
    remove: 'transform.deleteAlphabet',
    clauses: clauses('ALPHABET', {
      created: '01',
      again: '02',
      read: '03',
      unknown: '04',
      listed: '05',
      deleted: '06',
      absent: '09',
      recreated: '12',
    }),
    bodies: async () => ALPHABETS.map((alphabet) => same({ alphabet })),
  },
  {
    word: 'template',
    options: {},
    write: 'transform.writeTemplate',
    read: 'transform.readTemplate',
    list: 'transform.listTemplates',
    remove: 'transform.deleteTemplate',
    clauses: clauses('TEMPLATE', {
      created: '01',
      again: '02',
      read: '03',
      unknown: '04',
      listed: '05',
      deleted: '06',
      absent: '10',
      recreated: '13',
    }),
    async bodies(bench) {
      const names: string[] = []
      for (const alphabet of ['0123456789', 'abcdef']) {
        names.push(bench.mixedName('alphabet'))
        await bench.given('transform.writeAlphabet', { path: { name: names.at(-1)! }, body: { alphabet } })
      }
      return PATTERNS.map((pattern, index) => same({ type: 'regex', pattern, alphabet: names[index % 2]! }))
    },
  },
  {
    word: 'role',
    options: {},
    write: 'transform.writeRole',
    read: 'transform.readRole',
    list: 'transform.listRoles',
    remove: 'transform.deleteRole',
    clauses: clauses('ROLE', {
      created: '01',
      again: '02',
      read: '03',
      unknown: '04',
      listed: '05',
      deleted: '08',
      absent: '10',
      recreated: '01',
    }),
    async bodies(bench) {
      const lists = [
        [],
        [bench.mixedName('one')],
        [bench.mixedName('z'), bench.fresh('a'), bench.mixedName('m')],
        Array.from({ length: 25 }, (_, place) => `${place % 3}-${bench.mixedName('of-many')}`),
      ]
      const all = []
      for (const list of lists) all.push(same({ transformations: await withTransformations(bench, list) }))
      return all
    },
  },
  transformation('fpe', 'transform.writeFpe', 'FPE-09', 'FPE-01', (index) => ({
    tweak_source: ['supplied', 'generated', 'internal'][index]!,
  })),
  transformation('masking', 'transform.writeMasking', 'MASKING-08', 'MASKING-01', (index) => ({
    masking_character: ['*', '#', 'x'][index]!,
  })),
  transformation('fpe', OLDER, 'FPE-09', 'TYPED-01', (index) => ({ tweak_source: ['internal', 'generated', 'supplied'][index]! })),
  transformation('masking', OLDER, 'MASKING-08', 'TYPED-02', (index) => ({ masking_character: ['x', '*', '#'][index]! })),
  ...kinds.map(
    (kind): Thing => ({
      word: `${kind.id}-store`,
      options: needs(kind),
      write: 'transform.writeStore',
      read: 'transform.readStore',
      list: 'transform.listStores',
      remove: 'transform.deleteStore',
      clauses: clauses('STORE', {
        created: '01',
        again: '02',
        read: '03',
        unknown: '04',
        listed: '05',
        deleted: '06',
        absent: '22',
        recreated: '23',
      }),
      bodies: (bench) =>
        bench.memo('stores', async () => {
          const places = [await placeFor(bench, kind), await placeFor(bench, kind)]
          return places.map(({ body }) => ({ body, shown: { type: 'sql', connection_string: body.connection_string! } }))
        }),
    }),
  ),
]

/** Fields with their lists sorted: the order of roles and transformations means nothing. */
export const listsSorted = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, Array.isArray(value) ? [...value].sort() : value]))

/** What a read shows of the members that were written, with its lists sorted. */
export const shownOf = (data: JsonObject, shown: JsonObject): JsonObject =>
  listsSorted(Object.fromEntries(Object.keys(shown).map((name) => [name, data[name] ?? null])))
