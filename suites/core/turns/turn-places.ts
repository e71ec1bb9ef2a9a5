/** Where requests that take turns go, and who sends them. */
import type { Bench, Caller, Capability, Identity } from '../../../harness/checks/index.ts'

/** A directory in a mount of its own; those of the same path may be in other namespaces. */
export interface Place {
  /** Alias of the mount. */
  mount: string
  namespace: string
  /** Callers by what they are granted in this directory, and nowhere else. */
  granted: Record<Granted, Identity>
  /** A token that was good here, and ended; undefined where the target is prepared without that, or lets it live on. */
  ended: Identity | undefined
  /** What is stored now, by name within the directory. */
  stored: Map<string, string>
  /** Names that were deleted: the documents do not say whether listings still have them. */
  deleted: Set<string>
}

/** Names in a directory; one begins with another. */
export const NAMES = ['entry', 'entry-2', 'other'] as const

const GRANTS = {
  keeper: [{ capabilities: ['create', 'read', 'update', 'delete', 'list'] }],
  reader: [{ capabilities: ['read', 'list'] }],
  writer: [{ capabilities: ['create', 'update'] }],
  creator: [{ capabilities: ['create'] }],
  updater: [{ capabilities: ['update'] }],
  denied: [{ capabilities: ['create', 'read', 'update', 'delete', 'list'] }, { capabilities: ['deny'], apart: 1 }],
  /** Denied one name alone. */
  partly: [{ capabilities: ['create', 'read', 'update', 'delete', 'list'] }, { capabilities: ['deny'], apart: 1, name: NAMES[1] }],
} satisfies Record<string, { capabilities: Capability[]; apart?: number; name?: string }[]>

export type Granted = keyof typeof GRANTS

/** Whether a caller is denied a name that others in the directory are not. */
export const isDenied = (who: Who, name: string): boolean => who === 'partly' && name === NAMES[1]

export interface World {
  directory: string
  places: Place[]
  /** Values to store; none of them is shown to who may not read. */
  values: string[]
  /** Whether update alone makes what is not there, and create alone does; as the first ones showed it. */
  makes: Partial<Record<'creator' | 'updater', boolean>>
  /** What was described at first, by path. */
  described: Map<string, string>
  /** What can be asked here that not every target has. */
  has: Record<Extra, boolean>
}

/** That keys are deleted, and that some tokens have ended. */
export type Extra = 'deletion' | 'ended'

const VALUES = 24

/** A caller whose token was good and is ended; that it is, is for other checks. */
const endedAt = async (bench: Bench, path: string, mount: string, as: Identity): Promise<Identity | undefined> => {
  const read = () => bench.call('kv1.read', { mount, path: { path }, as })
  await read()
  const isRefused = async () => (await read()).status === 403
  const ends = bench.endToken(as).then(() => bench.eventually(isRefused, { within: bench.grace }))
  return ends.then(
    () => as,
    () => undefined,
  )
}

const placeAt = async (bench: Bench, directory: string, mount: string, namespace: string): Promise<Place> => {
  const callerOf = (grants: (typeof GRANTS)[Granted]) =>
    bench.identity(
      grants.map(({ name = '*', ...grant }: { name?: string; capabilities: Capability[]; apart?: number }) => ({
        operation: 'kv1.write',
        mount,
        namespace,
        path: { path: `${directory}/${name}` },
        ...grant,
      })),
    )
  const granted = {} as Place['granted']
  for (const name of Object.keys(GRANTS) as Granted[]) granted[name] = await callerOf(GRANTS[name])
  return {
    mount,
    namespace,
    granted,
    ended: await endedAt(bench, `${directory}/none`, mount, await callerOf(GRANTS.keeper)),
    stored: new Map(),
    deleted: new Set(),
  }
}

/** Places with their callers: two mounts side by side, or one of the same path in each of these namespaces. */
export const worldOf = async (bench: Bench, namespaces: readonly string[]): Promise<World> => {
  const [directory, path] = [bench.fresh('dir'), bench.fresh('kv1')]
  const areApart = new Set(namespaces).size === namespaces.length
  const places: Place[] = []
  for (const namespace of namespaces)
    places.push(await placeAt(bench, directory, await bench.mount('kv1', { namespace, ...(areApart ? { path } : {}) }), namespace))
  const deletion = await bench.call('kv1.delete', { mount: places[0]!.mount, path: { path: `${directory}/none` } })
  return {
    directory,
    places,
    values: Array.from({ length: VALUES }, () => bench.canary('value')),
    makes: {},
    described: new Map(),
    // No row shows DELETE on a key.
    has: { deletion: ![405, 501].includes(deletion.status), ended: places.every(({ ended }) => ended !== undefined) },
  }
}

/** The callers that a request can have, at a place. */
export const callerAt = ({ places }: World, place: Place, who: Who, random: Bench['random']): Caller => {
  if (who === 'root' || who === 'none' || who === 'wrong') return who
  if (who === 'ended') return place.ended ?? 'wrong'
  // A caller who may do everything somewhere else.
  if (who === 'stranger') return random.pick(places.filter((one) => one !== place)).granted.keeper
  return place.granted[who]
}

export type Who = Granted | 'root' | 'none' | 'wrong' | 'ended' | 'stranger'
