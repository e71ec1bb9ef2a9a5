import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import type { Found } from '../mutation/proof.ts'
import type { Learned } from '../mutation/team.ts'
import { lead } from './team-channel.ts'

/** A process as far as the one that began it sees it: `said` is what it was told. */
const member = () => {
  const said: unknown[] = []
  const child = Object.assign(new EventEmitter(), { connected: true, send: (message: unknown) => said.push(message) })
  return { child: child as unknown as ChildProcess, said, says: (message: unknown) => child.emit('message', message) }
}

const learned = { served: ['kv1.read'] } as unknown as Learned

it('tells all what each has learned, once the last has said it', () => {
  const [one, other] = [member(), member()]
  lead([one.child, other.child], () => undefined)
  one.says({ kind: 'learned', learned })
  expect([one.said, other.said]).toEqual([[], []])
  other.says({ kind: 'learned', learned })
  const taught = { kind: 'taught', parts: [learned, learned] }
  expect([one.said, other.said]).toEqual([[taught], [taught]])
})

it('gives each thing to the first that asks for it', () => {
  const [one, other] = [member(), member()]
  lead([one.child, other.child], () => undefined)
  one.says({ kind: 'claim', name: 'a-fault' })
  other.says({ kind: 'claim', name: 'a-fault' })
  other.says({ kind: 'claim', name: 'another' })
  expect(one.said).toEqual([{ kind: 'claimed', name: 'a-fault', isYours: true }])
  expect(other.said).toEqual([
    { kind: 'claimed', name: 'a-fault', isYours: false },
    { kind: 'claimed', name: 'another', isYours: true },
  ])
})

it('passes on what one of them has found, and by whom', () => {
  const [one, other] = [member(), member()]
  const found: [ChildProcess, Found][] = []
  lead([one.child, other.child], (...what) => found.push(what))
  const result = { kills: [] } as unknown as Found
  other.says({ kind: 'found', found: result })
  expect(found).toEqual([[other.child, result]])
})

it('says nothing to one that has ended', () => {
  const { child, said, says } = member()
  lead([child], () => undefined)
  Object.assign(child, { connected: false })
  says({ kind: 'claim', name: 'a-fault' })
  expect(said).toEqual([])
})
