/** Certification profiles: read by name from those that ship, or from a file. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { ProfileRecord } from '../../specs/meta/results.ts'
import { requireKnown, UsageError } from '../base/usage.ts'
import type { Contract } from '../contract/contract.ts'
import { problemsOf } from '../contract/own-documents.ts'
import { packageRoot } from '../contract/package-root.ts'
import type { Deviation } from './deviations.ts'

/** A profile as a run takes it. */
export type Profile = Omit<ProfileRecord, 'certified'>

const FOLDER = join(packageRoot, 'profiles')

interface ProfileFile {
  profile: string
  title: string
  engines: string[]
  levels?: ('required' | 'advised')[]
  deviations?: { clause: string; reason: string; link?: string }[]
}

/** Names of the profiles that ship. */
export const profileNames = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => name.slice(0, -'.yaml'.length))
    .sort()

const fileOf = (name: string): string => {
  if (/[/\\]|\.ya?ml$/.test(name)) {
    if (!existsSync(name)) throw new UsageError(`--profile: ${name} does not exist`)
    return name
  }
  requireKnown('profile', [name], profileNames())
  return join(FOLDER, `${name}.yaml`)
}

/** What a profile demands, in one spelling: white space and comments of its file change nothing. */
const digestOf = ({ profile, title, engines, levels, deviations }: Required<ProfileFile>): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        profile,
        title,
        [...engines].sort(),
        [...levels].sort(),
        deviations.map(({ clause, reason }) => [clause, reason]).sort(),
      ]),
    )
    .digest('hex')

/**
 * Reads a profile.
 *
 * @param name of one that ships, or a file.
 * @throws UsageError for one that does not exist, is misshapen, or names engines or clauses that the contract does not have.
 */
export const readProfile = (name: string, contract: Pick<Contract, 'engines' | 'clauses'>): Profile => {
  const file = fileOf(name)
  let document: unknown
  try {
    document = parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`profile ${name} is not readable YAML: ${(error as Error).message.split('\n')[0]}`)
  }
  const problems = problemsOf('profile', document)
  if (problems.length > 0) throw new UsageError(`profile ${name}:\n  ${problems.join('\n  ')}`)
  const { levels = ['required'], deviations = [], ...rest } = document as ProfileFile
  requireKnown(`engine in the profile ${name}:`, rest.engines, [...contract.engines.keys()])
  const clauses = deviations.map(({ clause }) => clause)
  requireKnown(`clause in the profile ${name}:`, clauses, [...contract.clauses.keys()])
  const digest = digestOf({ ...rest, levels, deviations })
  return { name: rest.profile, title: rest.title, digest, engines: rest.engines, levels, deviations }
}

/** The deviations that a profile allows, as known ones that need not occur. */
export const allowedBy = ({ name, deviations }: Profile): Deviation[] =>
  deviations.map(({ clause, reason, link }) => ({
    clause,
    reason,
    owner: `profile ${name}`,
    occurs: 'sometimes' as const,
    ...(link === undefined ? {} : { link }),
  }))
