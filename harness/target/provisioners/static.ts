/** The provisioner that makes nothing: mounts, tokens and fixtures named in the configuration. */
import { Blocked } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Identity } from '../exchange.ts'
import type { Provisioner, ProvisionerContext } from '../provisioner.ts'

const missing = (what: string, key: string): Blocked => new Blocked(`the configuration names no ${what}`, `set ${key} in the configuration`)

/** An identity named in the configuration; blocks with the key to set where it is absent. */
export const configuredIdentity = (context: ProvisionerContext, name: string): Identity => {
  const identity = context.identities[name]
  if (identity === undefined) throw missing(`identity ${JSON.stringify(name)}`, `identities.${name}`)
  return identity
}

/** A fixture named in the configuration: the object, or the first of a list that no check has taken yet. */
export const configuredFixtures = (context: ProvisionerContext): ((purpose: string) => JsonObject) => {
  const taken = new Map<string, number>()
  return (purpose) => {
    const found = context.fixtures[purpose]
    if (found === undefined) throw missing(`fixture ${JSON.stringify(purpose)}`, `fixtures.${purpose}`)
    if (!Array.isArray(found)) return found
    const next = taken.get(purpose) ?? 0
    taken.set(purpose, next + 1)
    const item = found[next]
    if (item === undefined)
      throw new Blocked(`the ${found.length} fixtures for ${JSON.stringify(purpose)} are used up`, `add more to fixtures.${purpose}`)
    return item
  }
}

const cannot = (what: string): Blocked => new Blocked(`the static provisioner cannot make ${what}`, 'use --provisioner sys or command')

export const staticProvisioner = (context: ProvisionerContext): Provisioner => {
  const fixtureOf = configuredFixtures(context)
  return {
    kind: 'static',
    features: new Set(),
    async mount({ type, exclusive, config }) {
      if (config !== undefined) throw cannot('mounts with a configuration of their own')
      const mount = context.mounts[type]
      if (mount === undefined) throw missing(`mount of type ${type}`, `mounts.${type}.path`)
      if (exclusive && mount.disposable !== true) {
        throw new Blocked(
          `the mount ${mount.path} is not disposable, and this check changes what is mount-wide`,
          `set mounts.${type}.disposable: true`,
        )
      }
      return { path: mount.path.replace(/\/$/, '') }
    },
    tune: async () => {
      throw cannot('changes to the configuration of mounts')
    },
    identity: async () => {
      throw cannot('tokens with chosen permissions')
    },
    namespace: async () => {
      throw cannot('namespaces')
    },
    fixture: async (purpose) => ({ fixture: fixtureOf(purpose) }),
    named: (name) => configuredIdentity(context, name),
    lease: async () => {
      throw cannot('calls to lease endpoints')
    },
    undo: async () => undefined,
    endToken: async () => {
      throw cannot('tokens that end')
    },
    leftovers: async () => [],
  }
}
