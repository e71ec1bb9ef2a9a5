/** Objects that checks make beside mounts, identities and namespaces: they go by their paths, and the journal knows them by these. */
import type { Operation } from '../contract/contract.ts'
import { encodePath } from './dialect.ts'
import type { ProvisionerContext, UndoEntry } from './provisioner.ts'
import type { Target } from './target.ts'
import { fillPath } from './wire.ts'

/** Kind of their entries in the journal. */
export const OBJECT = 'object'

const isRefused = (status: number): boolean => status >= 400 && status < 500

/**
 * The journal's entry for an object that an operation deletes.
 *
 * @param path parameters of the operation's path; it has no mount.
 */
export const objectEntry = (
  { dialect }: Pick<Target, 'dialect'>,
  operation: Operation,
  path: Record<string, string>,
  namespace: string,
): UndoEntry => {
  const template = dialect.paths?.[operation.id] ?? operation.path
  const name = fillPath(operation, template, encodePath(dialect, operation.id, path), undefined)
  return { kind: OBJECT, name: name.replace(/^\//, ''), namespace }
}

/**
 * Removes an object. One that is not there, or never was, is gone.
 *
 * @throws Error where it is still there.
 */
export const removeObject = async (send: ProvisionerContext['send'], { name, namespace }: UndoEntry): Promise<void> => {
  const { status } = await send('DELETE', name, { namespace })
  if (status < 300 || status === 404) return
  // Refused is also the deletion of what is there under another name or not at all.
  if (isRefused(status) && (await send('GET', name, { namespace })).status === 404) return
  throw new Error(`removing ${name} failed with status ${status}`)
}
