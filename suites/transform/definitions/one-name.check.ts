/** Alphabets, templates, roles and transformations of the same names, alone in a mount: each listing holds what is of its kind, and all of it. */
import { check, type JsonObject, textsIn } from '../../../harness/checks/index.ts'
import { listsSorted, shownOf } from './things.ts'

const KINDS = ['alphabet', 'template', 'transformation', 'role'] as const
type Kind = (typeof KINDS)[number]

const OPERATIONS: Record<Kind, { read: string; list: string; remove: string; clause: string }> = {
  alphabet: {
    read: 'transform.readAlphabet',
    list: 'transform.listAlphabets',
    remove: 'transform.deleteAlphabet',
    clause: 'TRANSFORM-ALPHABET-05',
  },
  template: {
    read: 'transform.readTemplate',
    list: 'transform.listTemplates',
    remove: 'transform.deleteTemplate',
    clause: 'TRANSFORM-TEMPLATE-05',
  },
  transformation: {
    read: 'transform.readTransformation',
    list: 'transform.listTransformations',
    remove: 'transform.deleteTransformation',
    clause: 'TRANSFORM-READ-06',
  },
  role: { read: 'transform.readRole', list: 'transform.listRoles', remove: 'transform.deleteRole', clause: 'TRANSFORM-ROLE-05' },
}

interface Write {
  kind: Kind
  /** Number of the name. */
  name: number
  operation: string
  body: JsonObject
  shown: JsonObject
}

const plain = (body: JsonObject): { body: JsonObject; shown: JsonObject } => ({ body, shown: body })

/** What is written, in an order that every server takes; the last ones write again. Each kind has a name that another one does not have. */
const writesOf = (names: readonly string[]): Write[] => {
  const [one, two, three, four] = names as [string, string, string, string]
  const write = (kind: Kind, name: number, operation: string, { body, shown }: { body: JsonObject; shown: JsonObject }): Write => ({
    kind,
    name,
    operation: `transform.${operation}`,
    body,
    shown,
  })
  const alphabet = (name: number, letters: string) => write('alphabet', name, 'writeAlphabet', plain({ alphabet: letters }))
  const template = (name: number, pattern: string, of: string) =>
    write('template', name, 'writeTemplate', plain({ type: 'regex', pattern, alphabet: of }))
  const role = (name: number, transformations: string[]) => write('role', name, 'writeRole', plain({ transformations }))
  const fpe = (name: number, roles: string[]) =>
    write('transformation', name, 'writeFpe', {
      body: { template: one, tweak_source: 'internal', allowed_roles: roles },
      shown: { type: 'fpe', templates: [one], tweak_source: 'internal', allowed_roles: roles },
    })
  const masking = (name: number, of: string) =>
    write('transformation', name, 'writeMasking', {
      body: { template: of, allowed_roles: [two] },
      shown: { type: 'masking', templates: [of], allowed_roles: [two] },
    })
  const tokenization = (name: number, roles: string[]) =>
    write('transformation', name, 'writeTokenization', {
      body: { allowed_roles: roles },
      shown: { type: 'tokenization', allowed_roles: roles },
    })
  return [
    alphabet(0, '0123456789'),
    alphabet(1, 'abcdefghij'),
    template(0, '([0-9]{16})', one),
    template(1, 'id:([0-9]+)', one),
    template(2, '([a-j]+)', two),
    fpe(0, [one]),
    masking(1, two),
    tokenization(3, [one, two]),
    role(0, [one]),
    role(1, [two, four]),
    role(2, []),
    role(0, [one, two]),
    fpe(0, [one, two]),
    tokenization(3, []),
    masking(1, three),
    // Used by nothing: they go while what has their names stays.
    alphabet(2, 'qrstuvwxyz'),
    template(3, 'z([0-9]+)', one),
  ]
}

check(
  'transform/one-name-for-all',
  ['TRANSFORM-APART-01', ...KINDS.map((kind) => OPERATIONS[kind].clause)],
  'what has a name in common with things of other kinds is read, listed and deleted by itself',
  { needs: { mounts: { transform: { type: 'transform' } } } },
  async ({ bench, expect }) => {
    const first = bench.mixedName('any')
    const names = [first, `${first}-2`, bench.mixedName('other'), bench.fresh('last')]
    const known: Record<Kind, (JsonObject | undefined)[]> = { alphabet: [], template: [], transformation: [], role: [] }
    const keysOf = async (kind: Kind, method: string): Promise<string[]> => {
      const { keys } = (await bench.call(OPERATIONS[kind].list, { method })).data
      return textsIn(keys)
    }
    // A server may have some of its own.
    const builtIn = Object.fromEntries(await Promise.all(KINDS.map(async (kind) => [kind, await keysOf(kind, 'LIST')])))
    const agrees = async (when: string): Promise<void> => {
      for (const kind of KINDS) {
        const { read, list, clause } = OPERATIONS[kind]
        for (const [index, name] of names.entries()) {
          const answer = await bench.call(read, { path: { name } })
          const shown = known[kind][index]
          await bench.decide('TRANSFORM-APART-01', () => {
            if (shown === undefined) expect(answer, `a ${kind} of a name that others have, ${when}`).toHaveStatus(404)
            else expect(shownOf(answer.data, shown), `the ${kind}, ${when}`).toEqual(listsSorted(shown))
          })
        }
        const there = names.filter((_name, index) => known[kind][index] !== undefined)
        for (const method of ['LIST', 'GET']) {
          const keys = await keysOf(kind, method)
          await bench.decide(clause, () =>
            expect(keys.sort(), `${list} by ${method}, ${when}`).toEqual([...builtIn[kind]!, ...there].sort()),
          )
        }
      }
    }
    // Each of these is good where no other kind has its name.
    const done = async (operation: string, name: number, body?: JsonObject): Promise<void> => {
      const answer = await bench.call(operation, { path: { name: names[name]! }, ...(body === undefined ? {} : { body }) })
      await bench.decide('TRANSFORM-APART-01', () => expect(answer, `${operation} of a name that other kinds have`).toSucceed())
    }
    for (const { kind, name, operation, body, shown } of writesOf(names)) {
      await done(operation, name, body)
      known[kind][name] = shown
      await agrees(`after ${operation}`)
    }
    const remove = async (kind: Kind, name: number): Promise<void> => {
      await done(OPERATIONS[kind].remove, name)
      known[kind][name] = undefined
      await agrees(`after ${OPERATIONS[kind].remove}`)
    }
    await remove('alphabet', 2)
    await remove('template', 3)
    // What is used goes last.
    for (const kind of ['role', 'transformation', 'template', 'alphabet'] as const) for (const name of [1, 0]) await remove(kind, name)
  },
)
