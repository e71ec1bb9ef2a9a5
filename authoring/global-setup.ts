/**
 * Set-up of the whole Vitest process: the target and its backends, which stay up while files are watched.
 *
 * Environment: ASSAY_URL (with ASSAY_TOKEN, ASSAY_DIALECT, ASSAY_API), else ASSAY_CONFIG or assay.config.*, else the reference server
 * (ASSAY_DIALECT, ASSAY_FAULT: ids of seeded faults). ASSAY_SEED, default 1; ASSAY_EFFORT, default standard.
 */
import type { TestProject } from 'vitest/node'
import { startBackends } from '../harness/backends/chain.ts'
import { requireKnown, UsageError } from '../harness/base/usage.ts'
import { Journal } from '../harness/cleanup/journal.ts'
import { configFrom, requireKnownNames } from '../harness/cli/configuration.ts'
import { type Embedded, operatorSettings, startEmbedded } from '../harness/cli/embedded.ts'
import { seedNumber } from '../harness/cli/flags.ts'
import { removeAbandoned } from '../harness/cli/leftovers.ts'
import { namedMutations } from '../harness/cli/mutations.ts'
import type { Contract } from '../harness/contract/contract.ts'
import { loadContract } from '../harness/contract/load.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { backendsOf } from '../harness/planning/plan.ts'
import { addSettings, serverSettingsOf } from '../harness/running/server-settings.ts'
import { externalOf, localJournal } from '../harness/running/used-backends.ts'
import type { Effort } from '../harness/target/configured-names.ts'
import { readConfig } from '../harness/target/run-configuration.ts'
import type { Provided } from './provided.ts'

const EFFORTS: Effort[] = ['quick', 'standard', 'thorough']

const say = (text: string): void => void process.stderr.write(`assay: ${text}\n`)

/** A variable of the environment; an empty one counts as absent. */
const given = (name: string): string | undefined => process.env[name] || undefined

const seedGiven = (text: string): number => {
  try {
    return seedNumber(text)
  } catch (error) {
    throw new UsageError(`ASSAY_SEED: ${(error as Error).message}`)
  }
}

const isEffort = (text: string): text is Effort => EFFORTS.some((known) => known === text)

const effortGiven = (text: string): Effort => {
  if (isEffort(text)) return text
  throw new UsageError(`ASSAY_EFFORT: expected ${EFFORTS.join(', ')}, not ${text}`)
}

const settings = () => {
  const [dialect, api, config] = [given('ASSAY_DIALECT'), given('ASSAY_API'), given('ASSAY_CONFIG')]
  return {
    seed: seedGiven(given('ASSAY_SEED') ?? '1'),
    effort: effortGiven(given('ASSAY_EFFORT') ?? 'standard'),
    out: '',
    ...(dialect === undefined ? {} : { dialect }),
    ...(api === undefined ? {} : { api }),
    ...(config === undefined ? {} : { config }),
  }
}

type Settings = ReturnType<typeof settings>

const reference = (contract: Contract, { dialect }: Settings): Promise<Embedded> => {
  const { faults } = namedMutations({ fault: given('ASSAY_FAULT')?.split(',') ?? [] })
  return startEmbedded(contract, { faults, ...(dialect === undefined ? {} : { dialect }) })
}

/** The filters of the command line, which Vitest does not hand out; undefined without filters. */
const filtersOf = ({ vitest }: TestProject): string[] | undefined => {
  const found: unknown = Reflect.get(vitest, 'filenamePattern')
  return Array.isArray(found) ? found.map(String) : undefined
}

/** The backends of the engines whose files were asked for. */
const wantedBackends = async (project: TestProject, contract: Contract): Promise<string[]> => {
  const { testFiles } = await project.globTestFiles(filtersOf(project))
  const all = [...contract.engines.keys()]
  const asked = all.filter((engine) => testFiles.some((file) => file.includes(`/suites/${engine}/`)))
  const engines = testFiles.some((file) => file.includes('/authoring/')) ? all : asked
  return backendsOf(await catalogue(contract, all, engines))
}

const start = async (project: TestProject): Promise<() => Promise<void>> => {
  const wanted = settings()
  const contract = await loadContract()
  requireKnown('api in ASSAY_API', wanted.api === undefined ? [] : [wanted.api], [...contract.apis.keys()])
  const url = given('ASSAY_URL')
  const named = url !== undefined || wanted.config !== undefined || (await readConfig(undefined, process.cwd())) !== undefined
  if (named && given('ASSAY_FAULT') !== undefined) throw new UsageError('ASSAY_FAULT is for the reference server: leave out ASSAY_URL')
  await removeAbandoned()
  const embedded = named ? undefined : await reference(contract, wanted)
  const config = embedded?.config ?? (await configFrom(url, wanted))
  if (embedded === undefined) requireKnownNames(contract, config)
  const abort = new AbortController()
  const journal = new Journal('authoring')
  const backends = await startBackends(await wantedBackends(project, contract), {
    ...externalOf(config.targets[0]?.backends ?? {}),
    journal: localJournal(journal),
    onProgress: say,
    signal: abort.signal,
  })
  const needed = serverSettingsOf(backends.handles)
  addSettings(config, needed)
  await embedded?.reference.operate(operatorSettings(needed))
  const provided: Provided = {
    config,
    seed: wanted.seed,
    effort: wanted.effort,
    backends: backends.handles,
    missingBackends: backends.missing,
    claimsAll: embedded === undefined,
  }
  project.provide('assay', provided)
  return async () => {
    await backends.stop()
    journal.close()
    await embedded?.reference.close()
  }
}

/** Starts what the checks run against; what it returns takes that away. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  try {
    return await start(project)
  } catch (error) {
    // A user's mistake needs its message only.
    if (error instanceof UsageError) error.stack = ''
    throw error
  }
}
