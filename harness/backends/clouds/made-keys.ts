/** Keys that oracles put into a project, or take out of it, beside the providers' own interfaces. */
import { randomBytes, randomUUID } from 'node:crypto'
import type { JsonObject } from '../../base/json.ts'
import type { Project } from './gateway-state.ts'
import { algorithms } from './key-rings.ts'
import { type KeySpec, makeKey, type SigningKey } from './signing.ts'

/** A key to put in: which service it is of, and what that service calls it. */
export type MadeKey =
  | { service: 'a'; region: string; alias: string; spec: KeySpec; usage?: string }
  | { service: 'b'; name: string; spec: KeySpec }
  | { service: 'c'; name: string; algorithm: string; versions?: number }

/** A pair takes seconds to make in the larger sizes: one of each serves all keys that oracles ask for. */
const pairs = new Map<KeySpec, Promise<SigningKey>>()

const pairOf = (spec: KeySpec): Promise<SigningKey> => {
  const pair = pairs.get(spec) ?? makeKey(spec)
  pairs.set(spec, pair)
  return pair
}

/**
 * Puts a key into a project. One of service c goes into a ring that is there.
 *
 * @returns what the service calls it: `id` and `arn` at service a.
 * @throws Error where the algorithm is unknown or the ring is not there.
 */
export const putKey = async (project: Project, wanted: MadeKey): Promise<JsonObject> => {
  if (wanted.service === 'a') {
    const { region, alias, spec, usage = 'SIGN_VERIFY' } = wanted
    const id = randomUUID()
    project.regionalKeys.set(id, { id, region, usage, key: await pairOf(spec) })
    project.aliases.set(`${region} ${alias}`, id)
    return { id, arn: `arn:aws:kms:${region}:${project.accessKey.account}:key/${id}` }
  }
  if (wanted.service === 'b') {
    project.vault.keys.set(wanted.name, [{ version: randomBytes(16).toString('hex'), key: await pairOf(wanted.spec) }])
    return {}
  }
  const { name, algorithm, versions = 1 } = wanted
  const known = algorithms[algorithm]
  if (known === undefined || !project.rings.has(name.replace(/\/cryptoKeys\/.*$/, ''))) throw new Error(`no ring or algorithm for ${name}`)
  const pair = await pairOf(known.spec)
  project.ringKeys.set(name, { algorithm, versions: Array.from({ length: versions }, () => pair) })
  return {}
}

/** Takes a key out of a project: by its id, its name in the vault, or its resource name. */
export const dropKey = (project: Project, name: string): void => {
  project.regionalKeys.delete(name)
  for (const [alias, id] of project.aliases) if (id === name) project.aliases.delete(alias)
  project.vault.keys.delete(name)
  project.ringKeys.delete(name)
}
