/** Faults of what looks like something else: names that begin alike, tokens with more at their end, parts for a whole. */

import { coreEngine } from '../../core/core-engine.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isEngineRoute, withBody } from '../../mutations/request-kinds.ts'
import { widened } from './capability-changes.ts'

const { rule } = faultsOf(coreEngine)
const pki = faultsOf(coreEngine, 'pki')

rule('neighbour-mount-name-begins', 'CORE-STATUS-06', 'a path that begins with the name of a mount leads there', {
  mountOf: (original) => (path, mounts) => original(path, mounts) ?? mounts.find((mount) => path.startsWith(mount.slice(0, -1))),
  pathBelow: (original) => (mount, path, type) =>
    original(mount, path.startsWith(mount) ? path : `${mount}${path.slice(path.indexOf('/', mount.length - 1) + 1)}`, type),
})
rule('neighbour-namespace-name-begins', 'CORE-NS-08', 'a namespace whose name begins with that of another is taken for it', {
  effectivePath: (original) => (header, request, namespaces) => {
    const known = namespaces.filter((path) => path !== '').sort((a, b) => b.length - a.length)
    const meant = known.find((path) => header?.startsWith(path) || header?.startsWith(path.slice(0, -1)))
    return original(header?.startsWith(meant ?? '') ? header : meant, request, namespaces)
  },
})
rule('boundary-two-periods', 'CORE-PERIOD-01', 'a name may end in two periods', {
  pathParameterAllowed: (original) => (value) => original(value) || value.endsWith('..'),
})
rule('boundary-help-one-path', 'CORE-HELP-04', 'the description names the first path alone', {
  helpBody: (original) => (help, openapi) =>
    original(help, { ...openapi, paths: Object.fromEntries(Object.entries(openapi.paths ?? {}).slice(0, 1)) }),
})
rule('shape-list-alone', 'CORE-LIST-03', 'a name that is alone is listed as a text', {
  finish: (original) => (call, route, reply) => {
    const finished = original(call, route, reply)
    if (route.method !== 'LIST' || !isEngineRoute(route)) return finished
    return withBody(finished, (body) => {
      const { keys, ...data } = body.data as { keys: string[] }
      return { ...body, data: { ...data, keys: keys.length === 1 ? keys[0]! : keys } }
    })
  },
})
rule('identity-token-with-suffix', ['CORE-AUTH-03', 'CORE-AUTH-08'], 'what follows a token is passed over', {
  tokenOf: (original) => (request, spelling) => original(request, spelling)?.replace(/^(s\.\w{24}).*$/, '$1'),
})
rule('identity-deny-lists', 'CORE-CAP-17', 'deny does not count for listings', {
  capabilityGranted: widened('list', (granted) => granted.has('deny')),
})
rule('identity-child-acts-above', 'CORE-CAP-14', 'a token of a namespace acts in those around it', {
  tokenCovers: (original) => (tokenNamespace, namespace) => original(tokenNamespace, namespace) || tokenNamespace.startsWith(namespace),
})
pki.rule('update-is-sudo', 'PKI-SELF-05', 'who may update has the elevated capability as well', {
  capabilityGranted: widened('sudo', (granted) => granted.has('update')),
})
