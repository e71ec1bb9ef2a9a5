/** A contract as one text of JSON, so that a start parses no YAML and resolves no reference. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import type { Contract, EngineSpec } from './contract.ts'

/** The member that stands for an object which is in several places: its number in the list of those. */
const SHARED = '$shared'

interface Snapshot {
  /** Of the specs that it was made from. */
  digest: string
  shared: Json[]
  contract: Record<keyof Contract, [string, JsonObject][]>
}

/** A digest of what a folder of specs holds, names and contents. */
export const digestOfSpecs = (root: string): string => {
  const files = readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ya?ml|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  const digest = createHash('sha256')
  for (const file of files.sort())
    digest.update(relative(root, file).replaceAll('\\', '/')).update('\0').update(readFileSync(file)).update('\0')
  return digest.digest('hex')
}

/** Objects that are in more than one place, as a resolved reference is. */
const sharedIn = (root: unknown): Map<object, number> => {
  const met = new Set<object>()
  const shared = new Map<object, number>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if (met.has(value)) {
      if (!shared.has(value)) shared.set(value, shared.size)
      return
    }
    met.add(value)
    for (const member of Object.values(value)) visit(member)
  }
  visit(root)
  return shared
}

/**
 * A contract as text. Schemas that are one object stay one.
 *
 * @param root folder of the specs that it was read from.
 */
export const snapshotOf = (contract: Contract, root: string): string => {
  const engines = new Map(
    [...contract.engines].map(([id, engine]) => [id, { ...engine, folder: relative(root, engine.folder).replaceAll('\\', '/') }]),
  )
  const entries = Object.fromEntries(Object.entries({ ...contract, engines }).map(([name, map]) => [name, [...map]]))
  const shared = sharedIn(entries)
  const within = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(written)
    return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, written(member)])) : value
  }
  const written = (value: unknown): unknown => {
    const place = typeof value === 'object' && value !== null ? shared.get(value) : undefined
    return place === undefined ? within(value) : { [SHARED]: place }
  }
  return JSON.stringify({ digest: digestOfSpecs(root), shared: [...shared.keys()].map(within), contract: written(entries) })
}

/**
 * The contract of a text of `snapshotOf`; undefined where that was made from other specs.
 *
 * @param root folder of the specs now, and `digest` theirs.
 */
export const contractIn = (text: string, root: string, digest: string): Contract | undefined => {
  const snapshot = JSON.parse(text) as Snapshot
  if (snapshot.digest !== digest) return undefined
  const { shared } = snapshot
  // JSON made each of these once: what names one gets that one.
  const linked = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (SHARED in value) return shared[(value as { [SHARED]: number })[SHARED]]
    for (const [name, member] of Object.entries(value)) if (typeof member === 'object') Reflect.set(value, name, linked(member))
    return value
  }
  for (const value of shared) linked(value)
  const maps = Object.fromEntries(
    Object.entries(snapshot.contract).map(([name, entries]) => [name, new Map(linked(entries) as [string, unknown][])]),
  )
  const contract = maps as unknown as Contract
  for (const engine of contract.engines.values() as Iterable<EngineSpec>) engine.folder = join(root, engine.folder)
  return contract
}
