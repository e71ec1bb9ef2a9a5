/** A connection that nothing answers behind, for what is only written and read. */
import type { Bench, JsonObject } from '../../harness/checks/index.ts'
import { kinds, textsOf } from './kinds.ts'

/** Parameters of a connection to nowhere, which the target is not to verify. */
export const unverifiedBody = (bench: Bench): JsonObject => ({
  plugin_name: textsOf(bench, kinds[0]!).pluginName,
  connection_url: 'postgresql://{{username}}:{{password}}@127.0.0.1:9/none',
  username: 'nobody',
  password: 'nothing',
  verify_connection: false,
})

/** Writes such a connection under a fresh name, until the check ends; returns the name. */
export const unverified = async (bench: Bench): Promise<string> => {
  const name = bench.mixedName('connection')
  bench.defer(() => bench.call('database.deleteConnection', { path: { name } }))
  await bench.given('database.writeConnection', { path: { name }, body: unverifiedBody(bench) })
  return name
}
