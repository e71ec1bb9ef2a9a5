/** One reference server: everything it knows, shared with no other instance. */
import type { Clock } from './clock.ts'
import type { Engine, Route, Services } from './engine.ts'
import { Leases } from './leases.ts'
import { listing } from './listing.ts'
import { Mounts } from './mounts.ts'
import { applyMutations, type Fault, type Mutable, type Variant } from './mutation.ts'
import { Namespaces } from './namespaces.ts'
import type { LateSettings, OperatorSettings } from './operator.ts'
import { Policies } from './policies.ts'
import type { Random } from './random.ts'
import type { CoreRules } from './rules.ts'
import { Seal } from './seal.ts'
import { type DialectName, type Spelling, spellings } from './spelling.ts'
import { Tokens } from './tokens.ts'

/** The conventions of all requests, and the routes below `sys/` and `auth/`: their state is the server itself. */
export interface CoreEngine {
  type: 'core'
  rules: CoreRules
  routes: Route<Server, CoreRules>[]
}

export interface ServerOptions {
  core: CoreEngine
  engines: Engine[]
  dialect: DialectName
  mutations: (Fault | Variant)[]
  clock: Clock
  random: Random
  rootToken: string
  initialized: boolean
  administrativeNamespace: string
}

export class Server {
  readonly clock: Clock
  readonly random: Random
  readonly dialect: DialectName
  readonly spelling: Spelling
  /** System defaults, in seconds: 32 days each. */
  readonly defaultLeaseTtl = 2_764_800
  readonly maxLeaseTtl = 2_764_800
  readonly core: CoreEngine
  readonly rules: CoreRules
  readonly engines: Map<string, Engine>
  readonly namespaces = new Namespaces()
  readonly policies: Policies
  readonly tokens: Tokens
  readonly mounts: Mounts
  readonly leases: Leases
  readonly seal: Seal
  /** What the operator has configured. */
  readonly operator: OperatorSettings
  /** States of the engines at system paths, by type. */
  readonly systemStates: Map<string, unknown>
  /** What engines get of all this. */
  readonly services: Services
  /** How often the code of each fault or variant ran. */
  readonly hits: Map<string, number>
  readonly #mutations: (Fault | Variant)[]
  #rootToken: string

  constructor(options: ServerOptions) {
    this.clock = options.clock
    this.random = options.random
    this.dialect = options.dialect
    this.spelling = spellings[options.dialect]
    this.#mutations = options.mutations
    this.hits = new Map(options.mutations.map(({ id }) => [id, 0]))
    this.core = this.mutate(options.core)
    this.rules = this.core.rules
    this.engines = new Map(options.engines.map((engine) => [engine.type, this.mutate(engine)]))
    this.policies = new Policies(this.rules)
    this.leases = new Leases(this.clock, this.random)
    this.tokens = new Tokens(this.clock, this.random, ({ id }) => this.leases.revokeOfToken(id))
    this.mounts = new Mounts(this)
    const { clock, random, leases, rules } = this
    const { administrativeNamespace } = options
    this.operator = { libraries: {}, cloud: undefined, administrativeNamespace }
    this.namespaces.add({ path: administrativeNamespace, id: random.word(6), uuid: random.uuid(), metadata: {} })
    const systemEngines = [...this.engines.values()].filter(({ systemPath }) => systemPath !== undefined)
    this.systemStates = new Map(systemEngines.map((engine) => [engine.type, engine.newState()]))
    const allowedManagedKeys = (namespace: string) =>
      this.mounts.of(namespace).map(({ path, allowedManagedKeys: keys }) => ({ mount: path, keys }))
    this.services = {
      clock,
      random,
      leases,
      operator: this.operator,
      allowedManagedKeys,
      listing: (names, more) => listing(names, rules.emptyListStatus(), more),
    }
    this.seal = new Seal(this.random, options.initialized)
    this.#rootToken = options.rootToken
    if (options.initialized) this.createRootToken()
  }

  /** The engine with the faults and variants of this server that belong to its type. */
  mutate<E extends Mutable<object, unknown>>(engine: E): E {
    return applyMutations(engine, this.#mutations, (id) => this.hits.set(id, (this.hits.get(id) ?? 0) + 1))
  }

  /** Changes what the operator has configured; what is left out stays. */
  operate(settings: LateSettings): void {
    Object.assign(this.operator, settings)
  }

  /** Makes the first token; returns its id. */
  createRootToken(): string {
    const root = { namespace: '', policies: ['root'], displayName: 'root', meta: {}, parent: undefined, ttl: 0, renewable: false }
    return this.tokens.create({ ...root, id: this.#rootToken }).id
  }

  /** Revokes what engines hold in backends and stops all timers. */
  async close(): Promise<void> {
    this.tokens.close()
    await this.leases.close()
    await this.mounts.close()
    for (const [type, state] of this.systemStates) await this.engines.get(type)?.close?.(state)
  }
}
