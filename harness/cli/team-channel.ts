/** How processes that prove together speak: each with the one that began them. */
import type { ChildProcess } from 'node:child_process'
import type { Found } from '../mutation/proof.ts'
import type { Learned, Team } from '../mutation/team.ts'

type ToLeader = { kind: 'learned'; learned: Learned } | { kind: 'claim'; name: string } | { kind: 'found'; found: Found }
type ToMember = { kind: 'taught'; parts: Learned[] } | { kind: 'claimed'; name: string; isYours: boolean }

/** What these processes learn is told to all once all have said it, and what they claim is granted once; `found` is told what each found. */
export const lead = (members: readonly ChildProcess[], found: (member: ChildProcess, found: Found) => void): void => {
  const parts: Learned[] = []
  const claimed = new Set<string>()
  const tell = (member: ChildProcess, message: ToMember): void => {
    // One that has ended meanwhile needs no answer.
    if (member.connected) member.send(message, () => undefined)
  }
  for (const member of members)
    member.on('message', (message) => {
      const said = message as ToLeader
      if (said.kind === 'found') found(member, said.found)
      else if (said.kind === 'claim') {
        tell(member, { kind: 'claimed', name: said.name, isYours: !claimed.has(said.name) })
        claimed.add(said.name)
      } else {
        parts.push(said.learned)
        if (parts.length === members.length) for (const one of members) tell(one, { kind: 'taught', parts })
      }
    })
}

const send = (message: ToLeader): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send!(message, (error: Error | null) => (error === null ? resolve() : reject(error)))
  })

/** Hands what this process found to the one that began it, as the last thing that it says. */
export const handOver = async (found: Found): Promise<void> => {
  await send({ kind: 'found', found })
  process.channel?.unref()
}

/**
 * This process as one of several.
 *
 * @param index its number, from 1.
 * @throws Error from whatever waits for an answer when the one that began it is gone.
 */
export const memberOf = (index: number, of: number): Team => {
  const waiting = new Map<string, { resolve(message: ToMember): void; reject(error: Error): void }>()
  process.on('message', (message) => {
    const said = message as ToMember
    const key = said.kind === 'taught' ? said.kind : said.name
    waiting.get(key)?.resolve(said)
    waiting.delete(key)
  })
  process.once('disconnect', () => {
    for (const { reject } of waiting.values()) reject(new Error('the proof was ended'))
  })
  const ask = async (key: string, message: ToLeader): Promise<ToMember> => {
    const answered = new Promise<ToMember>((resolve, reject) => waiting.set(key, { resolve, reject }))
    await send(message)
    return answered
  }
  return {
    index,
    of,
    async learn(learned) {
      const said = await ask('taught', { kind: 'learned', learned })
      return said.kind === 'taught' ? said.parts : []
    },
    async claim(name) {
      const said = await ask(name, { kind: 'claim', name })
      return said.kind === 'claimed' && said.isYours
    },
  }
}
