/** What a run takes back at its end: leases and mounts first, beside one another, and what stays is named. */
import { expect, test } from 'vitest'
import { removeShared } from '../running/run.ts'
import type { RunContext } from '../sending/context.ts'
import type { Provisioner, UndoEntry } from '../target/provisioner.ts'
import type { Target } from '../target/target.ts'
import { stepOf } from '../target/undo.ts'
import { CleanUpTime } from './cleanup.ts'

const entryOf = (kind: string, name: string, namespace = ''): UndoEntry => ({ kind, name, namespace })

const removing = async (entries: UndoEntry[], undo: (entry: UndoEntry) => Promise<void> = async () => undefined) => {
  const done: string[] = []
  const provisioner: Pick<Provisioner, 'undo' | 'endLeases'> = {
    endLeases: async ({ name }) => void done.push(`leases of ${name}`),
    undo: async (entry) => {
      await undo(entry)
      done.push(entry.name)
    },
  }
  const target = { provisioner } as Target
  const context = {
    targets: new Map([['api', target]]),
    undo: entries.map((entry) => stepOf(target, entry)),
    leftovers: [],
    cleanUp: new CleanUpTime(new AbortController().signal),
  } as unknown as RunContext
  await removeShared(context)
  return { done, left: context.leftovers }
}

test('leases end first, then mounts go, then what they may hold on to, and namespaces after those inside them', async () => {
  const entries = [
    entryOf('namespace', 'outer'),
    entryOf('namespace', 'inner', 'outer/'),
    entryOf('object', 'key'),
    entryOf('mount', 'a'),
    entryOf('mount', 'b'),
  ]
  expect((await removing(entries)).done).toEqual(['leases of b', 'leases of a', 'b', 'a', 'key', 'inner', 'outer'])
})

test('what cannot be removed is named, one by one, and holds up nothing else', async () => {
  const { done, left } = await removing(
    [entryOf('mount', 'a'), entryOf('mount', 'b', 'team/'), entryOf('identity', 'c')],
    async (entry) => {
      if (entry.kind === 'mount') throw new Error(`status 500 for ${entry.name}`)
    },
  )
  expect(left).toEqual(['mount team/b: status 500 for b', 'mount a: status 500 for a'])
  expect(done).toContain('c')
})
