/** The embedded target: the reference server on loopback, and the configuration that leads to it. */
import { readFileSync } from 'node:fs'
import type { Fault, Variant } from '../../reference/core/mutation.ts'
import type { LateSettings } from '../../reference/core/operator.ts'
import type { Reference } from '../../reference/index.ts'
import { startInThread, type ThreadedReference } from '../../reference/threaded.ts'
import type { ServerSettings } from '../base/backend-handle.ts'
import type { JsonObject } from '../base/json.ts'
import { UsageError } from '../base/usage.ts'
import type { Contract } from '../contract/contract.ts'
import { completeRun, completeTarget, type RunConfig, type TargetConfig } from '../target/run-configuration.ts'

/** What a run needs of a reference server, whichever thread it is in. */
type Server = Pick<Reference, 'url' | 'rootToken' | 'unsealKey' | 'hits' | 'close'> &
  Partial<Pick<ThreadedReference, 'reached' | 'counts'>> & { operate(settings: LateSettings): void | Promise<void> }

export interface Embedded {
  reference: Server
  config: RunConfig
  rootToken: string
}

export interface EmbeddedOptions {
  dialect?: string
  faults?: Fault[]
  variants?: Variant[]
  /** In a thread of its own: a long run then uses two cores. Default false, which starts sooner. */
  thread?: boolean
  /** The module that the thread runs, where it is another, and the mutant that is switched on in it. */
  entry?: URL
  mutant?: string
  /** Claimed engines; default all that the contract has. */
  engines?: string[]
}

/** Thorough runs of all engines with real backends take a while on a small machine. */
const LONGEST_RUN = '2h'

/** The administrative namespace that the reference server has from the start. */
export const ADMINISTRATIVE_NAMESPACE = 'admin/'

/** Identities that the control endpoint hands out for the API without token endpoints. */
const IDENTITIES = ['owner', 'colleague', 'stranger', 'reader']

const identitiesFrom = async (url: string): Promise<TargetConfig['identities']> => {
  const { Agent, request } = await import('undici')
  const agent = new Agent()
  const identities: TargetConfig['identities'] = {}
  try {
    for (const purpose of IDENTITIES) {
      const body = JSON.stringify({ action: 'provide', run: 'embedded', kind: 'identity', purpose })
      const answer = await request(url, { method: 'POST', body, headers: { 'content-type': 'application/json' }, dispatcher: agent })
      const { token, displayName } = (await answer.body.json()) as { token: string; displayName: string }
      identities[purpose === 'owner' ? 'root' : purpose] = { token, displayName }
    }
  } finally {
    await agent.close()
  }
  return identities
}

const startServer = async (
  dialect: 'native' | 'vault',
  { faults = [], variants = [], thread, entry, mutant }: EmbeddedOptions,
): Promise<Server> => {
  const idsOf = (all: { id: string }[]): string[] => all.map(({ id }) => id)
  if (thread === true)
    return startInThread({ dialect, faults: idsOf(faults), variants: idsOf(variants), ...(mutant === undefined ? {} : { mutant }) }, entry)
  // Nobody else needs it: a run against a URL does not, and the thread loads its own.
  const { createReference } = await import('../../reference/index.ts')
  return createReference({ dialect, tls: false, faults, variants }).listen()
}

/** Settings of backends as the reference server takes them. @throws UsageError where the authority's file cannot be read. */
export const operatorSettings = ({ libraries = {}, cloud }: ServerSettings): LateSettings => {
  if (cloud === undefined) return { libraries }
  try {
    return { libraries, cloud: { proxy: cloud.proxy, caPem: readFileSync(cloud.caFile, 'utf8') } }
  } catch (error) {
    throw new UsageError(`the authority of the cloud proxy cannot be read: ${(error as Error).message}`)
  }
}

/** Starts a reference server and describes it as a target. */
export const startEmbedded = async (contract: Contract, options: EmbeddedOptions = {}): Promise<Embedded> => {
  const dialect = options.dialect ?? 'native'
  if (dialect !== 'native' && dialect !== 'vault') throw new UsageError(`the reference server speaks native and vault, not ${dialect}`)
  const reference = await startServer(dialect, options)
  const enginesOf = (api: string): string[] =>
    [...contract.engines.values()]
      .filter((engine) => engine.api === api && (options.engines?.includes(engine.id) ?? true))
      .map((engine) => engine.id)
  const secrets = completeTarget(
    {
      api: 'secrets',
      url: reference.url,
      dialect,
      engines: enginesOf('secrets'),
      identities: { root: { token: reference.rootToken, displayName: 'root' } },
      provisioner: { kind: 'sys' },
      allow: ['seal', 'oversize', 'rotateRoot'],
      settings: {
        core: { unsealKey: reference.unsealKey },
        ssh: { identityTemplate: '{{identity.entity.name}}' },
        managedKeys: { administrativeNamespace: ADMINISTRATIVE_NAMESPACE, library: 'assay' },
      } as JsonObject,
    },
    process.cwd(),
  )
  const targets = [secrets]
  if (enginesOf('run-management').length > 0) {
    const url = `${reference.url}/control`
    targets.push(
      completeTarget(
        {
          api: 'run-management',
          url: reference.url,
          dialect: 'native',
          engines: enginesOf('run-management'),
          identities: await identitiesFrom(url),
          provisioner: { kind: 'command', command: url },
          allow: [],
        },
        process.cwd(),
      ),
    )
  }
  const config = {
    ...completeRun({ name: 'the embedded reference server', timing: { run: LONGEST_RUN } }, process.cwd()),
    ephemeral: true,
    targets: targets.filter((target) => (target.engines ?? []).length > 0),
  }
  return { reference, config, rootToken: reference.rootToken }
}
