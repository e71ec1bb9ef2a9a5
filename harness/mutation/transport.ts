/** Transport faults: a broken connection must block checks, never violate a clause and never pass the gate unnoticed. */
import type { CheckDefinition } from '../checks/vocabulary.ts'
import type { Baseline } from './clean-run.ts'
import { falsePositivesOf, type ProofContext, runInstance } from './instance.ts'
import { proxyTo, type TransportFault, transportFaults } from './transport-faults.ts'

export interface TransportRecord {
  fault: string
  title: string
  /** noticed: checks were blocked or repeated and none was wrong; harmless: all went well, as it should; wrong: see `why`. */
  state: 'noticed' | 'harmless' | 'wrong'
  why?: string
}

const CHECKS = 24
/** Milliseconds, so that a hang is noticed soon; what is only slow gets the usual patience, as on a busy machine. */
const TIMEOUT = 1500
/** Checks that wait or race by themselves say little about a transport. */
const PLAIN = ['scenario', 'security']

const tryOne = async (proof: ProofContext, checks: CheckDefinition[], fault: TransportFault): Promise<TransportRecord> => {
  const record = { fault: fault.id, title: fault.title }
  const { runs, broken } = await runInstance(proof, checks, {
    through: (url) => proxyTo(url, fault),
    ...(fault.harmless === true ? {} : { timeout: TIMEOUT }),
  })
  const found = falsePositivesOf(proof.contract, runs)
  if (found.length > 0) return { ...record, state: 'wrong', why: found.join(' | ') }
  if (broken === 0) return { ...record, state: 'wrong', why: 'the transport was never broken' }
  const blocked = runs.filter((run) => run.outcome === 'blocked').length
  if (fault.harmless === true)
    return blocked === 0 ? { ...record, state: 'harmless' } : { ...record, state: 'wrong', why: `${blocked} checks were blocked` }
  const noticed = blocked > 0 || runs.some((run) => run.noise !== undefined)
  return noticed ? { ...record, state: 'noticed' } : { ...record, state: 'wrong', why: 'no check noticed' }
}

/** Tries every transport fault with the quickest checks of the selection. */
export const tryTransport = async (proof: ProofContext, all: CheckDefinition[], baseline: Baseline): Promise<TransportRecord[]> => {
  const quick = all
    .filter((check) => PLAIN.includes(check.kind) && Object.keys(check.needs).length === 0)
    .sort((left, right) => (baseline.durations.get(left.id) ?? 0) - (baseline.durations.get(right.id) ?? 0))
    .slice(0, CHECKS)
  if (quick.length === 0) return []
  return Promise.all(transportFaults.map((fault) => tryOne(proof, quick, fault)))
}
