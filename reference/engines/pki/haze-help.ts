/** What faults of access and neighbours share: whether a request goes to a PKI mount, and how it was sent. */
import type { Mutation } from '../../core/mutation.ts'
import type { CoreRules, RequestFacts } from '../../core/rules.ts'
import type { Asked } from '../../mutations/callers.ts'

/** Whether a call goes to a mount of this engine. */
export const isPki = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'revocationTime' in call.rules

/** The request that was located last, until it waits for the first time: what it is, and the namespace and type of its mount. */
export const watching = () => {
  const last: { request?: RequestFacts; namespace: string; below: boolean; type: string | undefined } = {
    namespace: '',
    below: false,
    type: undefined,
  }
  const verbs = new WeakMap<object, string>()
  return {
    last,
    /** Whether it goes to a PKI mount. */
    here: (): boolean => last.type === 'pki',
    /** The verb as it was sent, by the headers of its request. */
    verbOf: (call: { headers: object }): string | undefined => verbs.get(call.headers),
    overrides: {
      effectivePath: (original) => (header, request, namespaces) => {
        Object.assign(last, { request, namespace: '', below: false, type: undefined })
        verbs.set(request.headers, request.method)
        return original(header, request, namespaces)
      },
      namespaceOf: (original) => (path, namespaces, header) => {
        const found = original(path, namespaces, header)
        const named = (header ?? '').split('/').filter((segment) => segment !== '')
        last.namespace = found
        last.below = named.length > 0 && found.length > named.join('/').length + 1
        return found
      },
      pathBelow: (original) => (mount, path, type) => {
        last.type = type
        return original(mount, path, type)
      },
    } satisfies Mutation<CoreRules, unknown>['rules'],
  }
}

/** Whether a request carries a token in one of its two carriers. */
export const carriesToken = (request: RequestFacts | undefined): boolean =>
  Object.entries(request?.headers ?? {}).some(([name, value]) => (name === 'authorization' || /^x-\w+-token$/.test(name)) && value !== '')
