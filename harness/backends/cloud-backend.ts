/** Three cloud providers behind one gateway: ours, in this process, or one that somebody else keeps running. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject } from '../base/json.ts'
import { askGateway } from '../oracles/cloud-gateway.ts'
import { handleOf } from './addresses.ts'
import { createInstance } from './private-instance.ts'
import type { Address, BackendKind, Provider, StartContext, Started } from './provider.ts'

const VERSION = '1'
const DEADLINE = 20_000

const start = async (context: StartContext): Promise<Started> => {
  const { startGateway } = await import('./clouds/gateway.ts')
  const gateway = await startGateway(context.targetHost === undefined ? '127.0.0.1' : '0.0.0.0')
  const instance = createInstance('clouds', context.journal)
  const caFile = join(instance.folder, 'authority.pem')
  writeFileSync(caFile, gateway.caPem)
  const address: Address = { host: '127.0.0.1', port: gateway.port, username: '', password: gateway.token, extra: { caFile } }
  if (context.targetHost === undefined) address.extra.credentialsFolder = instance.subfolder('credentials')
  else address.targetHost = context.targetHost
  // A file of credentials on the target's machine, where that is this one.
  const { id, credentials } = (await askGateway(address, 'POST', 'projects')) as { id: string; credentials: JsonObject }
  const credentialsFile = join(instance.folder, 'credentials.json')
  writeFileSync(credentialsFile, JSON.stringify(credentials), { mode: 0o600 })
  const settings: JsonObject = context.targetHost === undefined ? { cloudc: { credentialsFile, fileProject: id } } : {}
  const proxy = `http://${address.targetHost ?? address.host}:${gateway.port}`
  return {
    handle: {
      ...handleOf('clouds', 'embedded', address, VERSION),
      secrets: [String(credentials.private_key)],
      server: { cloud: { proxy, caFile }, settings },
    },
    async stop() {
      await gateway.close()
      await instance.remove()
    },
  }
}

const embedded: Provider = { deadline: DEADLINE, find: async () => ({ available: true, detail: 'part of Assay' }), start }

export const clouds: BackendKind = {
  name: 'clouds',
  port: 3128,
  async ping(address: Address) {
    await askGateway(address, 'GET', '')
    if (address.extra.caFile === undefined) throw new Error('backends.clouds.caFile is missing: the PEM file of its authority')
    return VERSION
  },
  providers: { embedded },
  packages: [],
  remedy: 'nothing is needed for it; or name another in backends.clouds',
  toldBeforehand: true,
}
