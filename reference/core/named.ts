/** Objects by the name in a path. */
import { notFound } from './errors.ts'

/**
 * The object that the `:name` of a call's path means.
 * @param what for the message, e.g. `role`
 * @throws 404 if the name does not exist
 */
export const named = <T>({ params }: { params: Record<string, string> }, objects: ReadonlyMap<string, T>, what: string): T => {
  const found = objects.get(params.name ?? '')
  if (found === undefined) throw notFound(`no ${what} ${params.name}`)
  return found
}
