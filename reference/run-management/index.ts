/** The run-management API of a reference server, and the control endpoint that seeds it. */

import type { Api } from '../core/api.ts'
import type { Server } from '../core/server.ts'
import type { CallerRules } from './caller-rules.ts'
import { controlApi } from './control.ts'
import type { Part } from './part.ts'
import { runManagementApi } from './run-management-api.ts'
import { newWorld } from './world.ts'

/** The API of `parts` over an empty world, with the faults and variants of `server` that belong to them; with `control`, the endpoint that seeds it. */
export const runManagementApis = (server: Server, allParts: Part<CallerRules>[], control: boolean): Api[] => {
  const world = newWorld()
  const { random } = server
  const now = () => server.clock.now()
  const parts = allParts.map((part) => server.mutate(part))
  const api = runManagementApi({ now, random, world, parts })
  return control ? [api, controlApi({ now, random, world })] : [api]
}
