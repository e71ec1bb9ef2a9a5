/** The bench: what a check's body works with. */
import { randomBytes } from 'node:crypto'
import { type AnyHandle, isModule } from '../base/backend-handle.ts'
import { AssertionFailure, Blocked, InternalError } from '../base/errors.ts'
import { isObject, type Json, type JsonObject } from '../base/json.ts'
import { seededRandom } from '../checks/seeded-random.ts'
import type { Bench } from '../checks/vocabulary.ts'
import { objectEntry } from '../target/left-objects.ts'
import { endToken, makeIdentity } from './bench-identities.ts'
import { leasesOf } from './bench-leases.ts'
import { callOperation, givenOperation, operationOf, refuse } from './calls.ts'
import { type RunContext, targetOfCheck } from './context.ts'
import { eventually } from './eventually.ts'
import { answerOf } from './lacking.ts'
import { endNamespace, ownMount, ownNamespace } from './provision.ts'
import { type Session, whereOf } from './session.ts'

const unmount = async (context: RunContext, session: Session, alias: string): Promise<void> => {
  const entry = session.mounts.get(alias)?.undo
  if (entry === undefined) throw new Blocked('a mount that is given cannot be removed', 'use --provisioner sys')
  await targetOfCheck(context, session.check).provisioner.undo(entry)
  session.undone(entry)
  session.mounts.delete(alias)
}

/** The environment variable of a setting that the configuration does not have: `ASSAY_CORE_UNSEAL_KEY` for `core.unsealKey`. */
const variableOf = (path: string): string => `ASSAY_${path.replace('.', '_').replaceAll(/[A-Z]/g, '_$&').toUpperCase()}`

/** A setting; `{ env: NAME }` stands for a value that is kept out of the file. */
const settingAt = (settings: JsonObject, path: string): Json | undefined => {
  const found = path.split('.').reduce<Json | undefined>((node, key) => (isObject(node) ? node[key] : undefined), settings)
  const name = found === undefined ? variableOf(path) : isObject(found) ? found.env : undefined
  return typeof name === 'string' ? process.env[name] || undefined : found
}

/** Values of a list that quick effort tries where a check says nothing else. */
const FEW = 3

const decide = async (context: RunContext, session: Session, clause: string, assertion: () => void | Promise<void>): Promise<void> => {
  if (!session.check.clauses.includes(clause)) throw new InternalError(`the check decides ${clause} without naming it`)
  const before = session.assertions
  const looked = session.history.looking()
  try {
    await assertion()
    if (session.assertions === before) throw new InternalError(`the decision on ${clause} asserts nothing`)
    session.decide({ clause, outcome: 'verified' })
  } catch (error) {
    if (!(error instanceof AssertionFailure) || context.signal.aborted) throw error
    session.decide({
      clause,
      outcome: 'violated',
      message: error.message,
      expected: error.expected,
      seen: error.actual,
      ...whereOf(error),
      beside: [...looked(), ...error.beside],
    })
    context.foundViolated?.(clause)
  }
}

const reserve = async (context: RunContext, session: Session, purpose: string, parameters: JsonObject = {}): Promise<JsonObject> => {
  const { config, provisioner } = targetOfCheck(context, session.check)
  const named = config.fixtures[purpose]
  const made = named === undefined ? await provisioner.fixture(purpose, parameters) : undefined
  const choice = made === undefined ? [named ?? []].flat() : [made.fixture]
  // Once, before all that the check defers: what it clears away has to be gone when the next one comes.
  if (!session.reserves) session.undoAfter(async () => context.reservations.release(session))
  session.reserves = true
  session.undoOn(targetOfCheck(context, session.check), made?.undo)
  return session.turn(context.reservations.reserve(session, choice))
}

/** What a check says it needs decides where it runs and what is claimed: it may use nothing else. */
const backendOf = (context: RunContext, session: Session, name: string): AnyHandle => {
  const handle = context.backends[name]
  if (handle === undefined || session.check.needs.backends?.includes(name) !== true)
    throw new InternalError(`the check uses the backend ${name} and does not name it in its needs`)
  return handle
}

let benches = 0
/** Begins the names of one check's objects: no two checks of a process share it, also where they share a mount. */
const namePrefix = (context: RunContext): string => {
  benches += 1
  return `assay-${context.run}-${benches.toString(36).padStart(3, '0')}`
}

/** Builds the bench of one check. */
export const createBench = (context: RunContext, session: Session): Bench => {
  const prefix = namePrefix(context)
  const target = () => targetOfCheck(context, session.check)
  let aliases = 0
  const random = seededRandom(context.seed, session.check.id)
  return {
    run: context.run,
    random,
    limits: target().config.limits,
    clockSkew: target().clockSkew,
    grace: context.grace,
    call: (operation, input) => callOperation(context, session, operation, input),
    given: (operation, input) => givenOperation(context, session, operation, input),
    refuses: (operation, refusal) => refuse(context, session, operation, refusal),
    decide: (clause, assertion) => decide(context, session, clause, assertion),
    observe(clause, value) {
      if (!session.check.clauses.includes(clause)) throw new InternalError(`the check observes ${clause} without naming it`)
      session.assertions += 1
      session.decide({ clause, outcome: 'observed', value })
    },
    eventually: (condition, options) => eventually(context.grace, session, condition, options),
    fresh(purpose = 'n') {
      session.names += 1
      return `${prefix}-${purpose}-${session.names.toString(36)}`
    },
    mixedName(purpose) {
      const name = this.fresh(
        session.nameForm === 'plain' ? purpose.toLowerCase() : `${purpose.charAt(0).toUpperCase()}${purpose.slice(1)}_of.It`,
      )
      session.mixedNames.add(name)
      return name
    },
    identity: (grants, options) => makeIdentity(context, session, grants, options),
    endToken: (identity) => endToken(context, session, identity),
    unmount: (alias) => unmount(context, session, alias),
    named: (name) => target().provisioner.named(name),
    namespace: (parent, name) => ownNamespace(context, target(), session, parent, name),
    endNamespace: (path) => endNamespace(target(), session, path),
    async withNamespaceInPath(segments, work) {
      const before = session.namespaceInPath
      session.namespaceInPath = segments
      try {
        return await work()
      } finally {
        session.namespaceInPath = before
      }
    },
    async mount(type, options = {}) {
      aliases += 1
      const alias = `${type}#${aliases}`
      await ownMount(context, target(), session, alias, { type, ...options }, options.namespace)
      return alias
    },
    async tune(alias, config) {
      const mount = session.mounts.get(alias)
      if (mount === undefined) throw new InternalError(`the check has no mount ${alias}`)
      await target().provisioner.tune(mount, config)
    },
    mountPath(alias) {
      const mount = session.mounts.get(alias)
      if (mount === undefined) throw new InternalError(`the check has no mount ${alias}`)
      return mount.path
    },
    backend(name) {
      const handle = backendOf(context, session, name)
      if (isModule(handle)) throw new InternalError(`the backend ${name} is a module and has no address`)
      return handle
    },
    module(name) {
      const handle = backendOf(context, session, name)
      if (!isModule(handle)) throw new InternalError(`the backend ${name} is not a module`)
      return handle
    },
    setting: <T extends Json>(path: string) => settingAt(target().config.settings, path) as T | undefined,
    async fixture(purpose, parameters = {}) {
      const made = await target().provisioner.fixture(purpose, parameters)
      session.undoOn(target(), made.undo)
      return made.fixture
    },
    reserve: (purpose, parameters) => reserve(context, session, purpose, parameters),
    listen(operation, notice) {
      session.listeners.set(operation, [...(session.listeners.get(operation) ?? []), notice])
    },
    leases: leasesOf(context, session),
    blocked(reason, remedy, lacks) {
      const restsOn = remedy.split(/[ ,:;]/).find((word) => context.contract.clauses.has(word))
      throw new Blocked(reason, remedy, { ...(lacks === undefined ? {} : { lacks }), ...(restsOn === undefined ? {} : { restsOn }) })
    },
    needing: (feature, answer) => answerOf(target(), feature, answer),
    lacks: (feature) => target().config.without.includes(feature),
    memo<T>(key: string, make: () => T): T {
      if (!session.kept.has(key)) session.kept.set(key, make())
      return session.kept.get(key) as T
    },
    leaves(operation, { path = {}, namespace = '' }) {
      const entry = objectEntry(target(), operationOf(context, operation), path, namespace)
      target().leave(entry)
      session.undoOn(target(), entry)
    },
    defer(undo) {
      session.undoAfter(undo)
    },
    canary(purpose = 'canary') {
      const value = `${purpose}-${randomBytes(20).toString('hex')}`
      context.secrets.add(value)
      return value
    },
    secret: (value) => context.secrets.add(value),
    effort: (quick, otherwise) => (context.effort === 'quick' ? quick : otherwise),
    few(values, most = FEW) {
      if (context.effort !== 'quick' || values.length <= most) return [...values]
      const drawn = new Set(random.shuffle(values.map((_, place) => place)).slice(0, most))
      return values.filter((_, place) => drawn.has(place))
    },
    count(what, by = 1) {
      context.counts.set(what, (context.counts.get(what) ?? 0) + by)
    },
  }
}
