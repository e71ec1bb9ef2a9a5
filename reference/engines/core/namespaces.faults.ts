/** Faults of namespaces: where a header and a path lead, and what two namespaces share. */
import { coreEngine } from '../../core/core-engine.ts'
import type { CoreRules } from '../../core/rules.ts'
import { faultsOf } from '../../faults/declare.ts'
import { isProvisioning, isRead, isWrite } from '../../faults/request-kinds.ts'

const { rule, declared } = faultsOf(coreEngine)

type EffectivePath = CoreRules['effectivePath']

const changed =
  (change: (original: EffectivePath, ...parameters: Parameters<EffectivePath>) => string) =>
  (original: EffectivePath): EffectivePath =>
  (...parameters) =>
    change(original, ...parameters)

const segments = (path: string | undefined): string[] => (path ?? '').split('/').filter((segment) => segment !== '')

rule('nested-header-cut', 'CORE-NS-01', 'reads see the first segment of the namespace header only', {
  effectivePath: changed((original, header, request, namespaces) =>
    original(isRead(request) ? segments(header)[0] : header, request, namespaces),
  ),
})
rule('header-overrides-path', 'CORE-NS-02', 'where the header names a namespace, the path cannot go on', {
  namespaceOf: (original) => (path, namespaces, header) =>
    header ? original([...segments(header), ''].join('/'), namespaces, header) : original(path, namespaces, header),
})
rule('namespace-split', 'CORE-NS-02', 'a namespace in the path is not seen where the header names one', {
  namespaceOf: (original) => (effectivePath, namespaces, header) => {
    const named = segments(header)
    const own = named.length ? `${named.join('/')}/` : ''
    return own !== '' && namespaces.includes(own) ? own : original(effectivePath, namespaces, header)
  },
})
rule('namespace-in-path-unknown', 'CORE-NS-03', 'a namespace counts in the header alone', {
  namespaceOf: (original) => (path, namespaces, header) => (header ? original(path, namespaces, header) : ''),
})

/** True where the namespace, or a part of it, is in the path. */
const inPath = (path: string, header: string | undefined, namespaces: string[]): boolean =>
  namespaces.some(
    (known) =>
      known !== '' && [...segments(header), path].join('/').startsWith(known) && known.length > [...segments(header), ''].join('/').length,
  )

rule('path-spelling-stored-apart', 'CORE-NS-04', 'what is written with the namespace in the path is kept apart', {
  effectivePath: changed((original, header, request, namespaces) =>
    original(header, request, namespaces).concat(isWrite(request) && inPath(request.path, header, namespaces) ? '-' : ''),
  ),
})

/** Mounts at the same path of two namespaces share their storage where `related` says so. */
const shared =
  (related: (a: string, b: string) => boolean) =>
  (original: CoreRules['stateOf']): CoreRules['stateOf'] =>
  (engine, others, place) =>
    others.find((mount) => mount.engine.type === engine.type && mount.path === place.path && related(mount.namespace, place.namespace))
      ?.state ?? original(engine, others, place)

rule('namespace-shares-root', 'CORE-NS-05', 'a namespace shares the storage of the same mount outside', {
  stateOf: shared((a, b) => a === '' || b === ''),
})

const parentOf = (namespace: string): string => namespace.replace(/[^/]+\/$/, '')
rule('nested-share', 'CORE-NS-07', 'a namespace shares the storage of the same mount in the one around it', {
  stateOf: shared((a, b) => a !== '' && b !== '' && (a.startsWith(b) || b.startsWith(a))),
})

/** A request finds the mounts of other namespaces too, where `related` says so. */
const alsoSeen =
  (related: (mine: string, theirs: string) => boolean) =>
  (original: CoreRules['mountsSeen']): CoreRules['mountsSeen'] =>
  (all, namespace) => [
    ...original(all, namespace),
    ...all.filter((mount) => mount.namespace !== namespace && related(namespace, mount.namespace)),
  ]
rule('mounts-seen-by-like-names', 'CORE-NS-06', 'a namespace sees the mounts of another by whose name its own begins', {
  mountsSeen: alsoSeen((mine, theirs) => theirs !== '' && parentOf(mine) === parentOf(theirs) && mine.startsWith(theirs.slice(0, -1))),
})
rule('namespace-two-levels', 'CORE-NS-07', 'the namespace header counts for two levels', {
  effectivePath: changed((original, header, request, namespaces) =>
    original(header && segments(header).slice(0, 2).join('/'), request, namespaces),
  ),
})

const latest = new Map<string, string>()

rule('namespace-sticks', ['CORE-NS-05', 'CORE-NS-06', 'CORE-NS-07'], 'a read that names no namespace is in the one of the read before', {
  effectivePath: (original) => (header, request, namespaces) => {
    const caller = Object.entries(request.headers).find(([name]) => /^(x-.*-token|authorization)$/.test(name))?.[1]
    if (caller === undefined || !isRead(request)) return original(header, request, namespaces)
    if (header) latest.set(caller, header)
    return original(header ?? latest.get(caller), request, namespaces)
  },
})
rule('namespace-name-begins', 'CORE-NS-08', 'a namespace whose name begins with that of another is taken for it', {
  effectivePath: (original) => (header, request, namespaces) => {
    const known = namespaces.filter((path) => path !== '').sort((a, b) => b.length - a.length)
    const meant = known.find((path) => header?.startsWith(path) || header?.startsWith(path.slice(0, -1)))
    return original(header?.startsWith(meant ?? '') ? header : meant, request, namespaces)
  },
})
rule('unknown-namespace-segment-dropped', 'CORE-NS-08', 'a part of the namespace that does not exist is passed over', {
  effectivePath: changed((original, header, request, namespaces) => {
    let known = ''
    for (const segment of segments(header)) if (namespaces.includes(`${known}${segment}/`)) known += `${segment}/`
    return original(known, request, namespaces)
  }),
})
rule('root-stands-for-around', 'CORE-NS-08', 'the name root within a namespace stands for the namespace itself', {
  effectivePath: changed((original, ...request) => original(...request).replace('/root/', '/')),
})
rule('path-spelling-lists-root', 'CORE-NS-09', 'a listing with the namespace in the path shows another directory', {
  effectivePath: changed((original, header, request, namespaces) => {
    const path = original(header, request, namespaces)
    const isListing = request.method === 'LIST' || request.query.get('list') === 'true'
    if (isProvisioning(request) || !isListing || !inPath(request.path, header, namespaces)) return path
    return `${path.replace(/\/$/, '')}/elsewhere/`
  }),
})
rule('empty-header-is-slash', 'CORE-NS-12', 'an empty namespace header puts a slash before the path, which then leads nowhere', {
  effectivePath: changed((original, header, request, namespaces) => {
    const path = original(header, request, namespaces)
    return header === '' && !isProvisioning(request) ? `/${path}` : path
  }),
})

export const faults = declared
