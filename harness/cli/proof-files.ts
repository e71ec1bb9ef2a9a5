/** What a proof leaves in its folder: proof.json and its page, with the rate of mutants where they were tried there too. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MutantRates, type ProofReport, renderProofPage } from '../../reports/index.ts'
import { jsonText } from '../../specs/meta/unseen.ts'
import { writeWhole } from '../base/whole-file.ts'

const PROOF = 'proof.json'
const RATES = 'mutant-rates.json'

const read = <T>(out: string, name: string): T | undefined => {
  const file = join(out, name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined
}

/** The checks that killed each fault, by fault id, from the proof in this folder; empty if the proof is missing or cannot be read. */
export const killersIn = (out: string): Map<string, string[]> => {
  try {
    const kills = read<ProofReport>(out, PROOF)?.kills ?? []
    return new Map(kills.filter(({ state }) => state === 'killed').map(({ fault, killedBy }) => [fault, killedBy]))
  } catch {
    return new Map()
  }
}

/**
 * Writes a proof, and in it the rates of mutants that the folder holds.
 *
 * @returns the names of both files
 */
export const writeProof = (proof: ProofReport, out: string): string[] => {
  const mutants = read<MutantRates>(out, RATES)
  const whole = mutants === undefined ? proof : { ...proof, mutants }
  const [file, page] = [join(out, PROOF), join(out, 'proof.html')]
  writeWhole(file, `${jsonText(whole, 2)}\n`)
  writeWhole(page, renderProofPage(whole))
  return [file, page]
}

/** Keeps the rates of mutants for the proof of the folder, and writes that again where it is there already. */
export const addMutants = (mutants: MutantRates, out: string): void => {
  writeWhole(join(out, RATES), `${jsonText(mutants, 2)}\n`)
  const proof = read<ProofReport>(out, PROOF)
  if (proof !== undefined) writeProof(proof, out)
}
