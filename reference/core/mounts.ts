/** Mounts: engines at paths, each with a state of its own. */
import type { Engine } from './engine.ts'
import { ApiError, invalid } from './errors.ts'
import type { Leases } from './leases.ts'
import type { Random } from './random.ts'

export interface Mount {
  /** With trailing slash, within its namespace. */
  path: string
  namespace: string
  engine: Engine
  state: unknown
  description: string
  /** Seconds; 0 means the system's. */
  defaultLeaseTtl: number
  maxLeaseTtl: number
  /** Names of the managed keys that the mount may use. */
  allowedManagedKeys: string[]
  accessor: string
  uuid: string
}

export type MountRequest = Pick<Mount, 'path' | 'namespace' | 'description' | 'defaultLeaseTtl' | 'maxLeaseTtl'> & {
  type: string
  allowedManagedKeys?: string[]
}

/** What mounts need of the server that they belong to. */
interface Host {
  engines: Map<string, Engine>
  leases: Pick<Leases, 'revokePrefix'>
  random: Random
  rules: { stateOf(engine: Engine, others: Mount[], place: MountRequest): unknown }
}

const RESERVED = ['sys/', 'auth/', 'identity/', 'cubbyhole/']

export class Mounts {
  readonly #host: Host
  readonly #all: Mount[] = []

  constructor(host: Host) {
    this.#host = host
  }

  /** Throws 400 where the path is in use, reserved, or the type unknown. */
  add(request: MountRequest): Mount {
    const { type, ...rest } = request
    const engine = this.#host.engines.get(type)
    if (!engine || engine.systemPath !== undefined) throw invalid(`plugin not found in the catalog: ${type}`)
    if (request.path === '/' || RESERVED.some((path) => request.path.startsWith(path))) throw invalid(`cannot mount at ${request.path}`)
    const inTheWay = this.of(request.namespace).find(({ path }) => path.startsWith(request.path) || request.path.startsWith(path))
    if (inTheWay) throw invalid(`path is already in use at ${inTheWay.path}`)
    const { random } = this.#host
    const mount: Mount = {
      ...rest,
      allowedManagedKeys: rest.allowedManagedKeys ?? [],
      engine,
      state: this.#host.rules.stateOf(engine, this.#all, request),
      accessor: `${type}_${random.word(8)}`,
      uuid: random.uuid(),
    }
    this.#all.push(mount)
    return mount
  }

  all(): readonly Mount[] {
    return this.#all
  }

  of(namespace: string): Mount[] {
    return this.#all.filter((mount) => mount.namespace === namespace)
  }

  find(namespace: string, path: string): Mount | undefined {
    return this.of(namespace).find((mount) => mount.path === path)
  }

  /** Revokes the mount's leases, releases what it holds and forgets its data. Nothing happens where no mount is. */
  async remove(namespace: string, path: string): Promise<void> {
    const mount = this.find(namespace, path)
    if (!mount) return
    try {
      await this.#host.leases.revokePrefix(namespace + path)
    } catch (cause) {
      throw new ApiError(500, `leases could not be revoked: ${cause instanceof Error ? cause.message : String(cause)}`)
    }
    this.#all.splice(this.#all.indexOf(mount), 1)
    await mount.engine.close?.(mount.state)
  }

  async close(): Promise<void> {
    const mounts = this.#all.splice(0)
    await Promise.allSettled(mounts.map((mount) => mount.engine.close?.(mount.state)))
  }
}
