/** Faults of who asks and how: carriers of tokens, capabilities, paths of policies, namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { bearerIgnored, countsAs, denyOverlooked, goodForEver } from '../../mutations/callers.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { requestsTo } from '../../mutations/locating.ts'
import { asksAt } from './cedar-help.ts'

const { rule } = faultsOf(coreEngine, 'cloudc')
const { here, locating } = requestsTo('cloudc')

rule(
  'cedar-read-posts-keys',
  'CORE-CAP-04',
  'whoever may only read gets keys by POST, too (000, 1.6 and 7: a write needs create or update; 403)',
  {
    ...countsAs('read', (call) => asksAt(call, /^key\//), 'update'),
  },
)

rule(
  'cedar-create-updates',
  'CORE-CAP-07',
  'whoever may only create rolesets changes existing ones (000, 1.6 and 5.4: create and update are distinguished)',
  {
    ...countsAs('create', (call) => asksAt(call, /^roleset\/[^/]+$/), 'update'),
  },
)

rule(
  'cedar-rotation-by-roleset-path',
  'CORE-CAP-04',
  'a policy for the path of a roleset covers its rotations (000, 4.3: roleset/:name/rotate and rotate-key are paths of their own; 7: 403)',
  {
    ...locating,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (here() && /\/roleset\/[^/]+\/rotate(-key)?$/.test(path) && original(pattern, path.replace(/\/rotate(-key)?$/, ''))),
  },
)

rule('cedar-deny-overlooked-for-tokens', 'CORE-CAP-01', 'whoever is denied the token of a roleset gets it (000, 7: 403 is no access)', {
  ...denyOverlooked((call) => asksAt(call, /^token\//)),
})

rule(
  'cedar-bearer-reads-only',
  'CORE-AUTH-07',
  'a bearer token is taken for reads and lists only, not for POST, PUT and DELETE (000, 2.1 and 5.1: alternative token carrier)',
  {
    ...locating,
    ...bearerIgnored(({ method }) => here() && method !== 'GET' && method !== 'LIST'),
  },
)

rule(
  'cedar-ended-token-gets-keys',
  'CORE-AUTH-15',
  'a client token with which a key was asked for gets keys after its end, too (000, 5.1: a client token is required; 7: 403 for wrong credentials)',
  {
    ...locating,
    ...goodForEver(({ path }) => here() && /\/key\//.test(path)),
  },
)

rule(
  'cedar-token-acts-above',
  'CORE-CAP-14',
  'a token of a namespace acts by its policies in the mounts of the namespaces above, too (000, 2.2: the namespace is part of the effective path)',
  {
    ...locating,
    tokenCovers: (original) => (own, namespace) => original(own, namespace) || (here() && own.startsWith(namespace)),
  },
)

rule(
  'cedar-namespace-by-header-only',
  'CORE-NS-02',
  'where the header names a namespace, one below it in the path of a roleset is not found (000, 2.2: header ns1/ with path ns2/... is ns1/ns2/)',
  {
    namespaceOf: (original) => (path, namespaces, header) => {
      const own = `${(header ?? '').split('/').filter(Boolean).join('/')}/`
      return /\/rolesets?(\/|$)/.test(path) && namespaces.includes(own) ? own : original(path, namespaces, header)
    },
  },
)

rule(
  'cedar-list-by-get-needs-read',
  'CORE-CAP-11',
  'a list of rolesets by GET asks for read, and list does not suffice (000, 1.5: LIST, or GET with list=true, is the same)',
  {
    capabilityGranted: (original) => (granted, needed, call) =>
      original(granted, asksAt(call, /^rolesets/) && call?.query.get('list') === 'true' ? 'read' : needed, call),
  },
)

rule(
  'cedar-policy-covers-longer-names',
  'CORE-CAP-18',
  'a policy for one roleset covers those whose names begin with its name (000, 7: 403 where there is no access; 4.3: one path for each roleset)',
  {
    ...locating,
    patternMatches: (original) => (pattern, path) =>
      original(pattern, path) ||
      (here() && /[^*/]$/.test(pattern) && path.startsWith(pattern) && path.split('/').length === pattern.split('/').length),
  },
)

rule(
  'cedar-mount-seen-from-below',
  'CORE-NS-07',
  'a namespace without such a mount reaches the one at the same path in the namespaces above (000, 2.2: the effective path has the namespace in it)',
  {
    mountsSeen: (original) => (all, namespace) => {
      const own = original(all, namespace)
      const above = all.filter(
        (mount) => mount.engine.type === 'cloudc' && mount.namespace !== namespace && namespace.startsWith(mount.namespace),
      )
      return [...own, ...above.filter(({ path }) => !own.some((mount) => mount.path === path))]
    },
  },
)

rule(
  'update-in-namespace-is-create',
  'CORE-CAP-10',
  'in namespaces every write of a roleset counts as its creation (000 1.6: the existence check tells create from update)',
  {
    ...locating,
    capabilityGranted: (original) => (granted, needed, call) => {
      const isWrite = here() && call !== undefined && call.mount.namespace !== '' && /\/roleset\/[^/]+$/.test(call.path)
      return original(granted, isWrite && needed === 'update' ? 'create' : needed, call)
    },
  },
)
