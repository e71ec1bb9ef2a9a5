/** What a proof leaves in its folder: proof.json and its page, with the rate of mutants where they were tried there too. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MutantRates, type ProofReport, renderProofPage } from '../../reports/index.ts'
import { jsonText } from '../../specs/meta/unseen.ts'
import { writeWhole } from '../base/whole-file.ts'
import { packageRoot } from '../contract/package-root.ts'

const PROOF = 'proof.json'
const RATES = 'mutant-rates.json'

/** By fault id the check that killed it last, below the folder of the sources: `npm run killers` writes it. */
export const LAST_KILLERS = 'authoring/last-killers.json'

const read = <T>(out: string, name: string): T | undefined => {
  const file = join(out, name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as T) : undefined
}

/** What a folder has under a name, or nothing where that is missing or cannot be read. */
const readIfGood = <T>(folder: string, name: string): T | undefined => {
  try {
    return read<T>(folder, name)
  } catch {
    return undefined
  }
}

/**
 * The checks that killed each fault, by fault id: those of the proof in a folder, where there is one, and else those that the sources remember.
 *
 * @param sources folder of the sources
 */
export const knownKillers = (out: string, sources = packageRoot): Map<string, string[]> => {
  const known = new Map(Object.entries(readIfGood<Record<string, string>>(sources, LAST_KILLERS) ?? {}).map(([fault, by]) => [fault, [by]]))
  for (const { fault, state, killedBy } of readIfGood<ProofReport>(out, PROOF)?.kills ?? [])
    if (state === 'killed') known.set(fault, killedBy)
  return known
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
