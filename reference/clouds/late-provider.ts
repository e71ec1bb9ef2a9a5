/** A provider whose readers see changes late, where a gateway of the suite stands for it; any other ignores the name. */
import { setTimeout as pause } from 'node:timers/promises'
import { ProviderRefusal } from './provider-requests.ts'

const LATE_MS = 5000
const PATIENCE_MS = 8000
const PAUSE_MS = 250

interface Way {
  proxy: string
  caPem: string
}

/** The same way, by a name that asks the gateway for late reads. */
export const lateWay = (cloud: Way | undefined): Way | undefined => {
  if (cloud === undefined) return undefined
  const url = new URL(cloud.proxy)
  url.username = 'late-reads'
  url.password = String(LATE_MS)
  return { ...cloud, proxy: url.href }
}

/** Logs in, again and again while the provider may not yet know the key. Throws what the last try threw. */
export const patiently = async <T>(login: () => Promise<T>): Promise<T> => {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(PAUSE_MS)) {
    try {
      return await login()
    } catch (error) {
      if (!(error instanceof ProviderRefusal && error.providerStatus === 400) || performance.now() >= end) throw error
    }
  }
}
