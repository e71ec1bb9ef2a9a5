/** `assay prove --first-contact`: faults that name no clause yet, each held against everything that may notice it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PQueue from 'p-queue'
import { UsageError } from '../base/usage.ts'
import type { Contract } from '../contract/contract.ts'
import { shownOnIt, withGoverned, withShown } from '../contract/general.ts'
import { type Candidate, type ContactRecord, checksThatMayNotice, contactRate, tryFirstContact } from '../mutation/first-contact.ts'
import { roomByLoad } from '../mutation/room.ts'
import { catalogue } from '../planning/catalogue.ts'
import { exit } from './exit.ts'
import { type OpenProof, say, withProof } from './proof-setup.ts'

export interface ContactOptions {
  seed: number
  out: string
  json?: boolean
  minRate?: number
}

/** Tries candidates of one proof, several at once, and says of each as it ends what became of it. */
export const contactAll = async ({ proof, checks, baseline }: OpenProof, candidates: Candidate[]): Promise<ContactRecord[]> => {
  const queue = new PQueue()
  const leaveRoom = roomByLoad(queue)
  const tried = candidates.map((candidate) =>
    queue.add(async () => {
      const able = checksThatMayNotice(proof.contract, checks, baseline, candidate.engine)
      const record = await tryFirstContact(proof, able, baseline, candidate)
      say(`${record.state.padEnd(9)} ${record.id} ${[record.clauses.slice(0, 3).join(' '), record.note ?? ''].join(' ').trim()}`)
      return record
    }),
  )
  return Promise.all(tried).finally(leaveRoom)
}

/**
 * Every check that may notice something in these engines: their own, and the sweeps of the others.
 *
 * @param claimed engines that are served besides, whose checks may notice it too.
 */
export const checksOver = async (contract: Contract, engines: string[], claimed = engines) => {
  const apis = new Set(engines.map((engine) => contract.engines.get(engine)?.api))
  const near = [...contract.engines.values()].filter(({ api }) => apis.has(api)).map(({ id }) => id)
  const all = await catalogue(contract, claimed, near)
  const tried = new Set(claimed.flatMap((engine) => [engine, ...shownOnIt(contract, engine)]))
  return all.filter((check) => tried.has(check.engine) || check.operation !== undefined)
}

/** Writes and prints the records; exit code 1 where the rate is below the least one asked for. */
export const concludeContact = (name: string, records: ContactRecord[], { out, json, minRate }: ContactOptions): number => {
  const { killed, relevant, percent } = contactRate(records)
  mkdirSync(out, { recursive: true })
  const file = join(out, `${name.replaceAll(' ', '-')}.json`)
  writeFileSync(file, `${JSON.stringify({ killed, relevant, percent, records }, null, 2)}\n`)
  if (json === true) process.stdout.write(`${JSON.stringify({ killed, relevant, percent, records })}\n`)
  else process.stdout.write(`${file}\n${name}: ${killed} of ${relevant} relevant killed (${percent}%)\n`)
  return minRate !== undefined && percent < minRate ? exit.failed : exit.passed
}

/**
 * Tries faults by first contact.
 *
 * @throws UsageError when there are none.
 */
export const proveFirstContact = async (
  contract: Contract,
  faults: readonly { id: string; engine: string; title: string }[],
  options: ContactOptions,
): Promise<number> => {
  if (faults.length === 0) throw new UsageError('--first-contact: no fault without clauses is selected; name some with --fault')
  const engines = withShown(contract, new Set(faults.map(({ engine }) => engine)))
  const claimed = withGoverned(contract, engines)
  const subject = { contract, engines: claimed, checks: await checksOver(contract, engines, claimed), seed: options.seed }
  const records = await withProof(subject, (open) => {
    if (open.falsePositives.length > 0) throw new Error(`the clean server is held guilty: ${open.falsePositives.join(' | ')}`)
    return contactAll(
      open,
      faults.map(({ id, engine, title }) => ({ id, engine, title, server: { faults: [id] } })),
    )
  })
  return concludeContact('first contact', records, options)
}
