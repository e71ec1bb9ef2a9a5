/** Random programs of rolesets, tokens, keys and rotations, held against what is at the provider. */
import { model } from '../../harness/checks/index.ts'
import { needs } from './fixtures.ts'
import { commands, holds, type State, type World, worldFor } from './model.ts'

model<State, World>(
  'cloudc/model',
  'CLOUDC-MODEL-01',
  'the provider has what the rolesets and their leases stand for, and nothing else',
  { ...needs({ features: ['leases'] }), runs: [4, 8] },
  {
    world: worldFor,
    initial: () => ({ sets: [null, null], keys: [] }),
    commands,
    invariants: holds,
    length: 9,
    examples: [
      [
        { command: 'write', drawn: { set: 0, version: 0 } },
        { command: 'write', drawn: { set: 1, version: 1 } },
        { command: 'key', drawn: null },
        { command: 'key', drawn: null },
        { command: 'revoke', drawn: { key: 0 } },
        { command: 'rotateKey', drawn: null },
        { command: 'rotate', drawn: { set: 0 } },
        { command: 'token', drawn: null },
        { command: 'write', drawn: { set: 0, version: 2 } },
      ],
      [
        { command: 'write', drawn: { set: 1, version: 0 } },
        { command: 'key', drawn: null },
        { command: 'rotate', drawn: { set: 1 } },
        { command: 'key', drawn: null },
        { command: 'write', drawn: { set: 1, version: 2 } },
        { command: 'key', drawn: null },
        { command: 'remove', drawn: { set: 1 } },
        { command: 'write', drawn: { set: 1, version: 2 } },
        { command: 'key', drawn: null },
      ],
    ],
  },
)
