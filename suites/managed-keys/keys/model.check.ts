/** Random programs of keys that are written, listed by a mount and deleted, in two namespaces; and requests that meet. */
import { check, model } from '../../../harness/checks/index.ts'
import { goodBody, readableOf, removeLater, stateOf, writeOf } from '../fixtures.ts'
import { commands, holds, type State, type World, worldFor } from './model.ts'

model<State, World>(
  'managed-keys/model',
  'MANAGED-KEYS-MODEL-01',
  'every namespace has the keys that were written and not deleted, and no other',
  { needs: { features: ['tuning'], mounts: { own: { type: 'kv1', exclusive: true } } }, runs: [4, 10] },
  {
    world: worldFor,
    initial: () => ({ keys: [null, null, null, null], listed: null }),
    commands,
    invariants: holds,
    length: 10,
    examples: [
      [
        { command: 'write', drawn: { place: 1, kind: 0, flags: 3 } },
        { command: 'write', drawn: { place: 1, kind: 0, flags: 0 } },
      ],
      [
        { command: 'write', drawn: { place: 0, kind: 0, flags: 1 } },
        { command: 'write', drawn: { place: 2, kind: 1, flags: 2 } },
        { command: 'write', drawn: { place: 0, kind: 1, flags: 0 } },
        { command: 'list', drawn: { place: 0 } },
        { command: 'remove', drawn: { place: 0, kind: 0 } },
        { command: 'remove', drawn: { place: 2, kind: 1 } },
        { command: 'unlist', drawn: null },
        { command: 'remove', drawn: { place: 0, kind: 0 } },
        { command: 'write', drawn: { place: 0, kind: 2, flags: 3 } },
      ],
    ],
  },
)

check(
  'managed-keys/race-kinds',
  'MANAGED-KEYS-RACE-01',
  'of two kinds that take one name at once, one has it',
  { kind: 'race' },
  async ({ bench, expect }) => {
    for (let round = 0; round < bench.effort(6, 10); round += 1) {
      const name = bench.fresh('key')
      const kinds = bench.random.shuffle(readableOf(bench)).slice(0, 2)
      for (const kind of kinds) removeLater(bench, kind, name)
      const answers = await Promise.all(kinds.map((kind) => bench.call(writeOf(kind), { path: { name }, body: goodBody(bench, kind) })))
      const winners = kinds.filter((_kind, index) => answers[index]!.ok)
      expect(winners, 'kinds whose key was accepted').toHaveLength(1)
      for (const kind of kinds) {
        const state = await stateOf(bench, kind, name)
        if (kind === winners[0]) expect(state, 'the key that was accepted').toMatchObject({ name })
        else expect(state, 'the key that was refused').toEqual({ status: 404 })
      }
    }
  },
)
