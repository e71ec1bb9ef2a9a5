/** The run-management API of a reference server, and the control endpoint that seeds it. */

import type { Api } from '../core/api.ts'
import type { Server } from '../core/server.ts'
import { allParts } from '../engines/index.ts'
import { runManagementApi } from './api.ts'
import { controlApi } from './control.ts'
import { newWorld } from './world.ts'

/** The API over an empty world, with the faults and variants of `server` that belong to its parts; with `control`, the endpoint that seeds it. */
export const runManagementApis = (server: Server, control: boolean): Api[] => {
  const world = newWorld()
  const { random } = server
  const now = () => server.clock.now()
  const parts = allParts.map((part) => server.mutate(part))
  const api = runManagementApi({ now, random, world, parts })
  return control ? [api, controlApi({ now, random, world })] : [api]
}
