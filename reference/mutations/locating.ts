/** Which engine a request goes to, for faults of the conventions of all requests that belong to one engine. */
import type { Mutation } from '../core/mutation.ts'
import type { CoreRules } from '../core/rules.ts'

/**
 * Tells whether the request that was located last goes to mounts of a type. That holds only until the request waits for the first time.
 *
 * @returns `here`, which tells it, and `locating`, the overrides of core rules without which it knows nothing.
 */
export const requestsTo = (type: string) => {
  let located: string | undefined
  return {
    here: (): boolean => located === type,
    locating: {
      effectivePath: (original) => (header, request, namespaces) => {
        located = undefined
        return original(header, request, namespaces)
      },
      pathBelow: (original) => (mount, path, at) => {
        located = at
        return original(mount, path, at)
      },
    } satisfies Mutation<CoreRules, unknown>['rules'],
  }
}
