/** The entry of a thread that runs one reference server; `threaded.ts` starts it and speaks with it. */
import { parentPort, workerData } from 'node:worker_threads'
import type { Reached, ThreadOptions, ThreadReply, ThreadRequest } from './threaded.ts'

const { faults, variants, mutant, ...options } = workerData as ThreadOptions
// Instrumented sources ask for this name as they run; the switch has to stand before they are loaded.
if (mutant !== undefined)
  Object.assign(globalThis, {
    __stryker__: { activeMutant: mutant === '' ? undefined : mutant, mutantCoverage: { static: {}, perTest: {} } },
  })

const { createReference } = await import('./index.ts')
const named = async () => {
  if (faults.length + variants.length === 0) return {}
  const { allFaults, allVariants } = await import('./faults/index.ts')
  return { faults: allFaults.filter(({ id }) => faults.includes(id)), variants: allVariants.filter(({ id }) => variants.includes(id)) }
}

// An exception of a mutant is expected.
const quiet = mutant === undefined || mutant === '' ? {} : { onInternalError: () => undefined }
const reference = await createReference({ ...options, tls: false, ...quiet, ...(await named()) }).listen()
const { url, rootToken, unsealKey, hits } = reference
const timesRun = (): Record<string, number> => {
  const { __stryker__ } = globalThis as { __stryker__?: { mutantCoverage?: { static: Record<string, number> } } }
  return { ...__stryker__?.mutantCoverage?.static }
}
const atStart = timesRun()
const reached = (): [string, Reached][] =>
  Object.entries(timesRun()).map(([id, times]) => [id, times === atStart[id] ? 'starting' : 'answering'])
const say = (reply: ThreadReply): void => parentPort?.postMessage(reply)

parentPort?.on('message', async (request: ThreadRequest) => {
  if (request === 'close') await reference.close()
  else if (request !== 'counts') reference.operate(request.operate)
  say({ hits: [...hits], reached: reached() })
})
say({ url, rootToken, unsealKey })
