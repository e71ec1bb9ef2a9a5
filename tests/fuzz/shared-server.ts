/** The server that all runs of the fuzz share: the reference with every system behind it that this machine has, started once. */
import { startBackends } from '../../harness/backends/chain.ts'
import type { BackendJournal } from '../../harness/backends/provider.ts'
import type { AnyHandle } from '../../harness/base/backend-handle.ts'
import { isRunnable } from '../../harness/checks/check.ts'
import type { Random, RunnableCheck } from '../../harness/checks/vocabulary.ts'
import { type Embedded, operatorSettings, startEmbedded } from '../../harness/cli/embedded.ts'
import type { Contract } from '../../harness/contract/contract.ts'
import { loadContract } from '../../harness/contract/load.ts'
import { catalogue } from '../../harness/planning/catalogue.ts'
import { backendsOf } from '../../harness/planning/plan.ts'
import { serverSettingsOf } from '../../harness/running/server-settings.ts'
import { secretOperations } from './issued-secrets.ts'

export interface SharedServer {
  contract: Contract
  embedded: Embedded
  handles: Record<string, AnyHandle>
  /** Checks to draw from: those that this machine can run, and that neither wait for time to pass nor send large bodies. */
  checks: RunnableCheck[]
  close(): Promise<void>
}

const isQuick = ({ waits, needs, id }: RunnableCheck): boolean => waits !== true && needs.allow === undefined && !id.includes('padded')

export const startShared = async (journal: BackendJournal, onProgress: (line: string) => void): Promise<SharedServer> => {
  const contract = await loadContract()
  const all = (await catalogue(contract, [...contract.engines.keys()])).filter(isRunnable)
  const embedded = await startEmbedded(contract, { thread: true })
  // A part of a system, as `sshd/users`, cannot be named in a configuration.
  const wanted = backendsOf(all).filter((name) => !name.includes('/'))
  const { handles, stop } = await startBackends(wanted, {
    external: {},
    journal,
    onProgress,
    signal: new AbortController().signal,
  })
  await embedded.reference.operate(operatorSettings(serverSettingsOf(handles)))
  const isAtHand = ({ needs }: RunnableCheck): boolean => (needs.backends ?? []).every((name) => name in handles)
  return {
    contract,
    embedded,
    handles,
    checks: all.filter(isQuick).filter(isAtHand),
    close: async () => {
      await embedded.reference.close()
      await stop()
    },
  }
}

const PER_OPERATION = 2
const PER_ENGINE = 3

/** Checks of a run: of each operation that gives or takes a secret some that send samples of it, and some others of its engine. */
export const drawChecks = ({ contract, checks }: SharedServer, random: Random): string[] => {
  const operations = secretOperations(contract)
  const some = (of: RunnableCheck[], count: number): string[] =>
    random
      .shuffle(of)
      .slice(0, count)
      .map(({ id }) => id)
  return [
    ...operations.flatMap(({ id }) =>
      some(
        checks.filter((check) => check.id.endsWith(`/${id}`)),
        PER_OPERATION,
      ),
    ),
    ...[...new Set(operations.map(({ engine }) => engine))].flatMap((engine) =>
      some(
        checks.filter((check) => check.engine === engine && !/[a-z]\.[a-z]/.test(check.id)),
        PER_ENGINE,
      ),
    ),
  ]
}
