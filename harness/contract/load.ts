/** The contract in memory: as the build read it, where the specs are still the same, else read from them. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Contract } from './contract.ts'
import { packageRoot } from './package-root.ts'
import { contractIn, digestOfSpecs } from './snapshot.ts'

const SPECS = join(packageRoot, 'specs')
/** Beside what is built; sources have none. */
const SNAPSHOT = fileURLToPath(new URL('../../specs/contract.json', import.meta.url))

/** What the build read; undefined where there is none, or the specs have changed since. */
const fromBuild = (): Contract | undefined =>
  existsSync(SNAPSHOT) ? contractIn(readFileSync(SNAPSHOT, 'utf8'), SPECS, digestOfSpecs(SPECS)) : undefined

const load = async (root: string): Promise<Contract> =>
  (root === SPECS ? fromBuild() : undefined) ?? (await import('./read-specs.ts')).readSpecs(root)

const loaded = new Map<string, Promise<Contract>>()

/**
 * Loads the contract.
 *
 * @param root folder of the specs; default the package's own. A contract is read once per process.
 */
export const loadContract = (root: string = SPECS): Promise<Contract> => {
  const known = loaded.get(root) ?? load(root)
  loaded.set(root, known)
  return known
}
