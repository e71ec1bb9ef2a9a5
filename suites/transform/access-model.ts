/** What models of transformations and roles have in common: who may use what, how it is written, and that it is read back. */
import { type Answer, type Bench, type CheckContext, commandsOf, type Expect, fc, type Json, textsIn } from '../../harness/checks/index.ts'

/** How many transformations and roles a program has. */
export const COUNT = 2

export interface Access {
  /** Roles that each transformation allows, by its number; absent where there is none. */
  allowed: Record<string, number[]>
  /** Transformations that each role names. */
  listed: Record<string, number[]>
  /** How often each transformation was made. */
  made: Record<string, number>
}

/** Names by their numbers. */
export interface Names {
  transformations: string[]
  roles: string[]
}

export const noAccess = (): Access => ({ allowed: {}, listed: {}, made: {} })

export const newNames = (bench: Bench): Names => ({
  transformations: Array.from({ length: COUNT }, () => bench.fresh('model')),
  roles: Array.from({ length: COUNT }, () => bench.mixedName('role')),
})

/** The number of a transformation, a role or a value. */
export const one = fc.nat(COUNT - 1)
const some = fc.uniqueArray(one, { maxLength: COUNT })

const names = (all: string[], numbers: number[]): string[] => numbers.map((number) => all[number]!)
const without = <T>(all: Record<string, T>, key: number): Record<string, T> =>
  Object.fromEntries(Object.entries(all).filter(([name]) => name !== String(key)))

/** Whether both sides allow a role to use a transformation. */
export const may = (state: Access, role: number, transformation: number): boolean =>
  (state.listed[role]?.includes(transformation) ?? false) && (state.allowed[transformation]?.includes(role) ?? false)

/** Of the clauses about both sides the one that a use decides: the role's where the transformation allows it. */
export const sideOf = (
  state: Access,
  role: number,
  transformation: number,
  [byRole, byTransformation]: readonly [string, string],
): string => (state.allowed[transformation]?.includes(role) ? byRole : byTransformation)

export const judged = (expect: Expect, answer: { ok: boolean; status: number }, allowed: boolean, what: string): void => {
  if (allowed) expect(answer.ok, `${what} where both sides allow it`).toBe(true)
  else expect(answer.ok || answer.status >= 500, `${what} where a side does not allow it`).toBe(false)
}

/**
 * Commands that write and delete transformations and roles.
 *
 * @param write writes a transformation with the names of the roles that it allows.
 */
export const accessCommands = <S extends Access, W extends Names>(
  write: (bench: Bench, world: W, name: string, roles: string[]) => Promise<Answer>,
) => {
  const on = commandsOf<S, W>()
  return {
    writeTransformation: on({
      arguments: fc.record({ transformation: one, roles: some }),
      weight: 2,
      run: (bench, { transformation, roles }, world) =>
        write(bench, world, world.transformations[transformation]!, names(world.roles, roles)),
      expects: (_state, _input, seen, expect) => expect(seen, 'a write of a transformation').toSucceed(),
      next: (state, { transformation, roles }) => ({
        ...state,
        allowed: { ...state.allowed, [transformation]: roles },
        made: {
          ...state.made,
          [transformation]: (state.made[transformation] ?? 0) + (state.allowed[transformation] === undefined ? 1 : 0),
        },
      }),
      clause: 'TRANSFORM-ACCESS-10',
    }),
    writeRole: on({
      arguments: fc.record({ role: one, transformations: some }),
      weight: 2,
      // Whether a role may name a transformation that is not there is not said.
      resolve: ({ allowed }, { role, transformations }) => ({
        role,
        transformations: transformations.filter((number) => allowed[number] !== undefined),
      }),
      run: (bench, { role, transformations }, world) =>
        bench.call('transform.writeRole', {
          path: { name: world.roles[role]! },
          body: { transformations: names(world.transformations, transformations) },
        }),
      expects: (_state, _input, seen, expect) => expect(seen, 'a write of a role').toSucceed(),
      next: (state, { role, transformations }) => ({ ...state, listed: { ...state.listed, [role]: transformations } }),
      clause: 'TRANSFORM-ACCESS-09',
    }),
    deleteTransformation: on({
      arguments: fc.record({ transformation: one }),
      run: (bench, { transformation }, world) =>
        bench.call('transform.deleteTransformation', { path: { name: world.transformations[transformation]! } }),
      expects: (state, { transformation }, seen, expect) =>
        expect(seen.ok || state.allowed[transformation] === undefined, 'the deletion').toBe(true),
      next: (state, { transformation }) => ({ ...state, allowed: without(state.allowed, transformation) }),
      clause: 'TRANSFORM-READ-07',
    }),
    deleteRole: on({
      arguments: fc.record({ role: one }),
      run: (bench, { role }, world) => bench.call('transform.deleteRole', { path: { name: world.roles[role]! } }),
      expects: (state, { role }, seen, expect) => expect(seen.ok || state.listed[role] === undefined, 'the deletion').toBe(true),
      next: (state, { role }) => ({ ...state, listed: without(state.listed, role) }),
      clause: 'TRANSFORM-ROLE-08',
    }),
  }
}

const listedNames = async (bench: Bench, operation: string, own: string[]): Promise<Json[]> => {
  const { data } = await bench.call(operation)
  return (Array.isArray(data.keys) ? data.keys : []).filter((key) => own.includes(String(key))).sort()
}

/** Transformations and roles are read and listed as the program left them. */
export const accessAgrees = async (
  { bench, expect }: Pick<CheckContext, 'bench' | 'expect'>,
  state: Access,
  world: Names,
): Promise<void> => {
  for (const [index, name] of world.transformations.entries()) {
    const read = await bench.call('transform.readTransformation', { path: { name } })
    const roles = state.allowed[index]
    await bench.decide('TRANSFORM-READ-02', () => {
      if (roles === undefined) expect(read).toHaveStatus(404)
      else expect(textsIn(read.data.allowed_roles).sort()).toEqual(names(world.roles, roles).sort())
    })
  }
  for (const [index, name] of world.roles.entries()) {
    const read = await bench.call('transform.readRole', { path: { name } })
    const listed = state.listed[index]
    await bench.decide('TRANSFORM-ROLE-03', () => {
      if (listed === undefined) expect(read).toHaveStatus(404)
      else expect(textsIn(read.data.transformations).sort()).toEqual(names(world.transformations, listed).sort())
    })
  }
  const there = (all: string[], known: Record<string, unknown>): string[] => all.filter((_name, index) => known[index] !== undefined).sort()
  const [transformations, roles] = [
    await listedNames(bench, 'transform.listTransformations', world.transformations),
    await listedNames(bench, 'transform.listRoles', world.roles),
  ]
  await bench.decide('TRANSFORM-READ-06', () => expect(transformations).toEqual(there(world.transformations, state.allowed)))
  await bench.decide('TRANSFORM-ROLE-05', () => expect(roles).toEqual(there(world.roles, state.listed)))
}
