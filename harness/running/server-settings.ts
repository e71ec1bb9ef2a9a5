/** What a server has to be told before the backends of a run can be used: gathered from them, and given to the embedded one. */
import type { AnyHandle, ServerSettings } from '../base/backend-handle.ts'
import { isObject, type JsonObject } from '../base/json.ts'
import type { RunConfig } from '../target/run-configuration.ts'

const merged = (left: JsonObject, right: JsonObject): JsonObject => {
  const result = { ...left }
  for (const [name, value] of Object.entries(right)) {
    const before = result[name]
    result[name] = isObject(before) && isObject(value) ? merged(before, value) : value
  }
  return result
}

/** The settings of all backends as one; members of later ones win. */
export const serverSettingsOf = (handles: Record<string, AnyHandle>): ServerSettings => {
  const all = Object.values(handles).flatMap(({ server }) => (server === undefined ? [] : [server]))
  const cloud = all.find((one) => one.cloud !== undefined)?.cloud
  return {
    libraries: Object.assign({}, ...all.map(({ libraries }) => libraries ?? {})),
    ...(cloud === undefined ? {} : { cloud }),
    settings: all.reduce<JsonObject>((known, { settings }) => merged(known, settings ?? {}), {}),
  }
}

/** Adds the settings that follow from backends to those of every target of a run; what a configuration says itself wins. */
export const addSettings = (config: Pick<RunConfig, 'targets'>, { settings }: ServerSettings): void => {
  for (const target of config.targets) target.settings = merged(settings ?? {}, target.settings)
}
