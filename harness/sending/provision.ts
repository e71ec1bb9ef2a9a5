/** Gives a check the mounts it needs: shared ones for the run, own ones for the check. */
import { Blocked, Unsupported } from '../base/errors.ts'
import type { MountNeed } from '../checks/vocabulary.ts'
import { Work } from '../target/left-work.ts'
import type { Provisioner } from '../target/provisioner.ts'
import type { Target } from '../target/target.ts'
import { stepOf } from '../target/undo.ts'
import type { RunContext } from './context.ts'
import { lackingFeature } from './lacking.ts'
import type { MadeMount, Session } from './session.ts'

let serial = 0
/** A name for an object of the run; unique within the process. */
export const objectName = (context: RunContext, purpose: string): string => {
  serial += 1
  return `assay-${context.run}-${purpose}-${serial.toString(36)}`
}

/** Makes a namespace for one check, under a name of its own where none is given; returns its path with trailing slash. */
export const ownNamespace = async (
  context: RunContext,
  target: Target,
  session: Session,
  parent = '',
  name = objectName(context, 'ns'),
): Promise<string> => {
  const made = await target.provisioner.namespace(parent, name)
  session.undoOn(target, made.undo)
  if (made.undo !== undefined) session.namespaces.set(made.path, made.undo)
  return made.path
}

/** Removes a namespace that the check made. */
export const endNamespace = async (target: Target, session: Session, path: string): Promise<void> => {
  const entry = session.namespaces.get(path)
  if (entry === undefined) throw new Blocked('a namespace that is given cannot be removed', 'use --provisioner sys')
  await target.provisioner.undo(entry)
  session.undone(entry)
}

/** A server that cannot be told the lifetimes of a mount may pass over those that a new one was to have. */
const asksLifetimes = ({ config }: Parameters<Provisioner['mount']>[0]): boolean =>
  config?.defaultLeaseTtl !== undefined || config?.maxLeaseTtl !== undefined

/** Makes a mount. @throws Blocked by name where the target cannot tune one, or where its configuration says that it lacks an operation of such mounts. */
const madeMount = async ({ contract }: RunContext, target: Target, request: Parameters<Provisioner['mount']>[0]) => {
  const { provisioner, config, missing } = target
  const untuned = missing.has('tuning') && asksLifetimes(request) ? lackingFeature(target, { features: ['tuning'] }) : undefined
  if (untuned !== undefined) throw untuned
  try {
    return await provisioner.mount(request)
  } catch (error) {
    const lacks = config.without.find((id) => contract.operations.get(id)?.mount === request.type)
    throw error instanceof Unsupported && lacks !== undefined ? new Blocked(error.message, 'see `without`', { lacks }) : error
  }
}

/** Makes a mount for one check. */
export const ownMount = async (
  context: RunContext,
  target: Target,
  session: Session,
  alias: string,
  need: MountNeed,
  namespace = '',
): Promise<MadeMount> => {
  if (!target.api.mounts) throw new Blocked('this API has no mounts', 'this is an internal error: please report it')
  const made = await madeMount(context, target, {
    type: need.type,
    name: need.path ?? objectName(context, need.type),
    exclusive: need.exclusive === true,
    namespace,
    ...(need.config === undefined ? {} : { config: need.config }),
  })
  session.undoOn(target, made.undo)
  const mount = { type: need.type, path: made.path, namespace, undo: made.undo }
  if ([...session.mounts.values()].some((other) => other.path === mount.path && other.namespace === namespace))
    throw new Blocked(
      `this check needs two mounts of type ${need.type}, and the ${target.provisioner.kind} provisioner gives the same one again`,
      'use --provisioner sys or command',
    )
  session.mounts.set(alias, mount)
  return mount
}

/** The run's shared mount of a type, made at first use. */
export const sharedMount = async (context: RunContext, target: Target, type: string): Promise<string> => {
  const key = `${target.api.api}/${type}`
  const known = context.shared.get(key)
  if (known !== undefined) return known
  const made = Work.shared(async () => {
    const name = objectName(context, type)
    const { path, undo } = await madeMount(context, target, { type, name, exclusive: false, namespace: '' })
    if (undo !== undefined) context.undo.push(stepOf(target, undo))
    return path
  })
  context.shared.set(key, made)
  return made
}
