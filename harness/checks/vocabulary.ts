/** The vocabulary that suites are written in: what a check declares, and what its body receives. */
import type { BackendHandle, ModuleHandle } from '../base/backend-handle.ts'
import type { Json, JsonObject } from '../base/json.ts'
import type { Answer, CallInput, Grant, Identity } from '../target/exchange.ts'
import type { Feature } from '../target/features.ts'
import type { MountConfig } from '../target/provisioner.ts'
import type { Expect } from './expect.ts'
import type { Notes } from './notes.ts'

export type CheckKind = 'contract' | 'scenario' | 'property' | 'model' | 'race' | 'security'

/** A mount that a check wants for itself under a name of its own (the alias that `CallInput.mount` takes). */
export interface MountNeed {
  /** Mount type as in `x-mount` of the specs, e.g. `kv1`. */
  type: string
  /** True when the check changes state that is mount-wide; on a fixed mount such checks run one at a time. */
  exclusive?: boolean
  /** Path instead of a fresh one: to have the same path in two namespaces. A fixed mount keeps its own. */
  path?: string
  /** 1 for one in a namespace made for the check, 2 for one in a namespace within that; all mounts of a check that say so are in the same ones. */
  nested?: 1 | 2
  /** Engine configuration of a throw-away mount. */
  config?: MountConfig
}

/** What must be present before a check can run; what is missing blocks it with a reason and a remedy. */
export interface Needs {
  /** Own mounts by alias. A check that names none gets the run's shared mount of each type it calls. */
  mounts?: Record<string, MountNeed>
  /** Real systems behind the target, e.g. `postgres`. */
  backends?: string[]
  /** What the provisioner must be able to do. */
  features?: Feature[]
  /** Dangerous on a shared server: runs only where the configuration allows it by name. */
  allow?: 'seal' | 'oversize' | 'rotateRoot'
}

export interface CheckOptions {
  kind?: CheckKind
  needs?: Needs
  /** Upper bound for the whole check in milliseconds; default 180 000. */
  deadline?: number
  /** Mostly waits for time to pass, such as the end of a credential: it begins before those that ask without a pause, and so lengthens no run. */
  waits?: boolean
  /** Judges keys that the target makes, which takes its processor: such checks run one at a time, and have five times as long as the first took. */
  makesKeys?: boolean
  /** The operation that a generated check is about; narrows coverage and messages. */
  operation?: string
}

export type CheckBody = (context: CheckContext) => Promise<void>
export interface CheckContext {
  bench: Bench
  expect: Expect
  /** Between a generated check and the runner. */
  notes: Notes
}

/** What is known of a check before anything runs. */
interface CheckFacts {
  id: string
  /** The suite folder that registered it. */
  engine: string
  clauses: string[]
  title: string
  kind: CheckKind
  needs: Needs
  operation?: string
}

/** A check that sends requests of its own. */
export interface RunnableCheck extends CheckFacts {
  /** Milliseconds. */
  deadline: number
  waits?: boolean
  makesKeys?: boolean
  body: CheckBody
}

/** A check that sends nothing: the answers to all others decide its clause by their schemas. */
export interface ContractCheck extends CheckFacts {
  kind: 'contract'
  clauses: [clause: string]
  body?: never
}

export type CheckDefinition = RunnableCheck | ContractCheck

/** A bad request, its control request and the read that must not change. */
export interface Refusal {
  bad: CallInput
  /** Differs from `bad` in one point and must succeed after the refusal (2xx). A function is called after the refusal. */
  control: CallInput | (() => Promise<CallInput>)
  /** What must be the same before and after the refusal, as a read; null with a reason in `because`. */
  unchanged: (() => Promise<unknown>) | { operation: string; input: CallInput } | null
  because?: string
  /** Exact status, only where the contract fixes it. */
  status?: number | number[]
  /** The operation of the control request where it is another one. */
  controlOperation?: string
  /** What is refused, for the message: the field, where one check goes through several. */
  label?: string
}

export interface Bench {
  /** Name of the run, part of everything it creates. */
  readonly run: string
  /** Sends one request and returns the answer, whatever its status. Throws Blocked where the transport fails. */
  call(operation: string, input?: CallInput): Promise<Answer>
  /** Set-up: like `call`, but anything except 2xx blocks the check with the reason. */
  given(operation: string, input?: CallInput): Promise<Answer>
  /** A refusal as a causal pair: refused with 4xx and the error body, state unchanged, the control succeeds. Returns the refusal. */
  refuses(operation: string, refusal: Refusal): Promise<Answer>
  /** Runs an assertion and attributes its result to one of the check's clauses. */
  decide(clause: string, assertion: () => void | Promise<void>): Promise<void>
  /** Records what an open clause's check saw (redacted like everything else). */
  observe(clause: string, value: Json): void
  /** Retries `condition` until it holds (returns without throwing and not false) or `within` ms are over; then fails with its last message. */
  eventually<T>(condition: () => Promise<T>, options?: { within?: number; every?: number; because?: string }): Promise<T>
  /** A name nobody used before, within the run's prefix: lower-case letters, digits and hyphens. */
  fresh(purpose?: string): string
  /** Such a name with upper case, an underscore and a period in it, for what a path names: a server may write none of them in another way. */
  mixedName(purpose: string): string
  /** Number generator of this check: same seed, same sequence. */
  random: Random
  /**
   * A throw-away token with exactly these permissions; `ttl` in seconds for one that is to expire. `like` is one that this check made with the same
   * permissions: where a target has policies, the new one has the very same. With `entity` an entity of the name that the service shows for the token
   * stands behind it, where the target has entities and the provisioner makes them.
   */
  identity(
    grants: Grant[],
    options?: { namespace?: string; displayName?: string; ttl?: number; like?: Identity; entity?: boolean },
  ): Promise<Identity>
  /** Ends the token of an identity that this check made, before its time; its permissions stay. Blocks where the target is prepared without that. */
  endToken(identity: Identity): Promise<void>
  /** An identity named in the configuration, e.g. `stranger`; blocks where it is missing. */
  named(identity: string): Identity
  /** A throw-away namespace; returns its path with trailing slash. A name that is given has to be one that nobody else takes. */
  namespace(parent?: string, name?: string): Promise<string>
  /** Removes a namespace that this check made, and all that it holds. */
  endNamespace(path: string): Promise<void>
  /** Does something with so many segments of the namespace in the path of its requests, and the rest in the header, where they do not say so themselves. */
  withNamespaceInPath<T>(segments: number, work: () => Promise<T>): Promise<T>
  /** Another throw-away mount under a new alias. */
  mount(type: string, options?: Omit<MountNeed, 'type'> & { namespace?: string }): Promise<string>
  /** Changes the configuration of one of the check's own mounts (feature `tuning`); what is left out stays. */
  tune(alias: string, config: MountConfig): Promise<void>
  /** Removes a mount that this check made, and all that it holds; its alias is free again. Blocks where mounts are given. */
  unmount(alias: string): Promise<void>
  /** The path at which an alias is mounted, e.g. `assay-1/kv`, for bodies that must name a mount. */
  mountPath(alias: string): string
  /** A backend that is a network service. */
  backend(name: string): BackendHandle
  /** A backend that programs load. */
  module(name: string): ModuleHandle
  /** A value from the configuration of the target for this API, e.g. `database.postgres.pluginName`; undefined where absent. */
  setting<T extends Json>(path: string): T | undefined
  fixture(purpose: string, parameters?: JsonObject): Promise<JsonObject>
  /**
   * A fixture that the check works in alone until its clean-up is over, and leaves as it was. Of those that a configuration names, one that is free or the first to
   * become so, without loss of the check's own time; asked again, the check has the same one. A provisioner that makes fixtures makes one for each call.
   */
  reserve(purpose: string, parameters?: JsonObject): Promise<JsonObject>
  /** Tells `notice` every 2xx answer that this check gets from an operation, including requests of sweeps and generated checks. */
  listen(operation: string, notice: (answer: Answer, input: CallInput) => void): void
  /** Leases of the target, where it has lease endpoints (feature `leases`). */
  leases: {
    revoke(leaseId: string): Promise<void>
    renew(leaseId: string, increment: number): Promise<Answer>
    lookup(leaseId: string): Promise<Answer>
  }
  /**
   * Stops a check whose prerequisite is missing.
   *
   * @param lacks the feature that the target does not have, where that is the reason
   */
  blocked(reason: string, remedy: string, lacks?: Feature): never
  /**
   * For a request that needs a feature which no provisioner gives: returns the answer, and stops the check where it is a refusal (4xx) and the
   * configuration says that the target is without the feature.
   */
  needing(feature: Feature, answer: Answer): Answer
  /** Whether the configuration says that the target is without a feature: for a check of several kinds, of which a target may have some. */
  lacks(feature: Feature): boolean
  /** What one part of a check keeps for another, generated cases included: made at the first call with a key. */
  memo<T>(key: string, make: () => T): T
  /**
   * Says before it is made that an object outside every mount goes after the check, by the operation that deletes it: it is in the journal
   * until then, so that a later start finds what a killed run left.
   */
  leaves(operation: string, object: Pick<CallInput, 'path' | 'namespace'>): void
  /** Undo, run in reverse order after the check whatever its outcome. */
  defer(undo: () => Promise<unknown>): void
  /** A value of at least 16 random bytes that must not appear where it does not belong; registered for redaction. */
  canary(purpose?: string): string
  /** Registers a value that must never reach an artefact. */
  secret(value: string): void
  /** Limits that the configuration of the target states. */
  readonly limits: { maxRequestBytes?: number }
  /** Seconds by which the target's clock is ahead of ours, measured at preflight. */
  clockSkew: number
  /** `timing.grace` in milliseconds: how long expiry and rotation may lag. */
  grace: number
  /** What quick effort is to do less of: the first value there, the second at standard and thorough effort. */
  effort<T>(quick: T, otherwise: T): T
  /** All of the values, in their order; at quick effort a few of them, drawn by the seed. */
  few<T>(values: readonly T[], most?: number): T[]
  /** Counts something for the report, e.g. `sshd logins`. */
  count(what: string, by?: number): void
}

export interface Random {
  /** Integer from min to max, both included. */
  integer(min: number, max: number): number
  pick<T>(values: readonly T[]): T
  shuffle<T>(values: readonly T[]): T[]
  bytes(length: number): Uint8Array
  /** Lower-case letters and digits. */
  word(length: number): string
  /** 32-bit seed for a generator of one's own. */
  seed(): number
}

/** A request of an operation that succeeds on a correct server, with everything it needs prepared: feeds the sweeps. */
export interface Sample {
  operation: string
  needs?: Needs
  /** Prepares what the request presupposes and returns it. Called again for every use, so that names are fresh. */
  input(bench: Bench): Promise<CallInput>
  /** What the operation changes, as something comparable by deep equality; omitted for reads. */
  state?(bench: Bench, input: CallInput): Promise<unknown>
  /** Why this operation takes no part in a sweep, by sweep name (`put`, `malformed`, `unauthenticated`, `period`, `near`, `method`, `generated`). */
  excluded?: Partial<Record<'put' | 'malformed' | 'unauthenticated' | 'period' | 'near' | 'method' | 'generated', string>>
}
