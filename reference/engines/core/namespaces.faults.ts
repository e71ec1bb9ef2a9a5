/** Faults of namespaces. */

import { coreEngine } from '../../core/core-engine.ts'
import type { CoreRules } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { isProvisioning, isRead, isWrite } from '../../mutations/request-kinds.ts'

const { rule } = faultsOf(coreEngine)

type EffectivePath = CoreRules['effectivePath']

const segments = (path: string | undefined): string[] => (path ?? '').split('/').filter((segment) => segment !== '')

/** Mounts at the same path of two namespaces share their storage where `related` says so. */
const shared =
  (related: (a: string, b: string) => boolean) =>
  (original: CoreRules['stateOf']): CoreRules['stateOf'] =>
  (engine, others, place) =>
    others.find((mount) => mount.engine.type === engine.type && mount.path === place.path && related(mount.namespace, place.namespace))
      ?.state ?? original(engine, others, place)

/** A request finds the mounts of other namespaces too, where `related` says so. */
const alsoSeen =
  (related: (mine: string, theirs: string) => boolean) =>
  (original: CoreRules['mountsSeen']): CoreRules['mountsSeen'] =>
  (all, namespace) => [
    ...original(all, namespace),
    ...all.filter((mount) => mount.namespace !== namespace && related(namespace, mount.namespace)),
  ]

const parentOf = (namespace: string): string => namespace.replace(/[^/]+\/$/, '')

/** True where the namespace, or a part of it, is in the path. */
const inPath = (path: string, header: string | undefined, namespaces: string[]): boolean =>
  namespaces.some(
    (known) =>
      known !== '' && [...segments(header), path].join('/').startsWith(known) && known.length > [...segments(header), ''].join('/').length,
  )

const changed =
  (change: (original: EffectivePath, ...parameters: Parameters<EffectivePath>) => string) =>
  (original: EffectivePath): EffectivePath =>
  (...parameters) =>
    change(original, ...parameters)

rule('nested-header-cut', 'CORE-NS-01', 'reads see the first segment of the namespace header only', {
  effectivePath: changed((original, header, request, namespaces) =>
    original(isRead(request) ? segments(header)[0] : header, request, namespaces),
  ),
})
rule('header-overrides-path', 'CORE-NS-02', 'where the header names a namespace, the path cannot go on', {
  namespaceOf: (original) => (path, namespaces, header) =>
    header ? original([...segments(header), ''].join('/'), namespaces, header) : original(path, namespaces, header),
})
rule('namespace-in-path-unknown', 'CORE-NS-03', 'a namespace counts in the header alone', {
  namespaceOf: (original) => (path, namespaces, header) => (header ? original(path, namespaces, header) : ''),
})
rule('path-spelling-stored-apart', 'CORE-NS-04', 'what is written with the namespace in the path is kept apart', {
  effectivePath: changed((original, header, request, namespaces) =>
    original(header, request, namespaces).concat(isWrite(request) && inPath(request.path, header, namespaces) ? '-' : ''),
  ),
})
rule('namespace-shares-root', 'CORE-NS-05', 'a namespace shares the storage of the same mount outside', {
  stateOf: shared((a, b) => a === '' || b === ''),
})
rule('siblings-share', 'CORE-NS-06', 'sibling namespaces share the storage of the same mount', {
  stateOf: shared((a, b) => a !== '' && b !== '' && parentOf(a) === parentOf(b)),
})
rule('nested-share', 'CORE-NS-07', 'a namespace shares the storage of the same mount in the one around it', {
  stateOf: shared((a, b) => a !== '' && b !== '' && (a.startsWith(b) || b.startsWith(a))),
})
rule('mounts-seen-from-root', 'CORE-NS-05', 'the outermost namespace sees the mounts of all', {
  mountsSeen: alsoSeen((mine) => mine === ''),
})
rule('mounts-seen-by-siblings', 'CORE-NS-06', 'namespaces see the mounts of their siblings', {
  mountsSeen: alsoSeen((mine, theirs) => mine !== '' && parentOf(mine) === parentOf(theirs)),
})
rule('mounts-seen-by-like-names', 'CORE-NS-06', 'a namespace sees the mounts of another by whose name its own begins', {
  mountsSeen: alsoSeen((mine, theirs) => theirs !== '' && parentOf(mine) === parentOf(theirs) && mine.startsWith(theirs.slice(0, -1))),
})
rule('mounts-seen-from-within', 'CORE-NS-07', 'a namespace sees the mounts of those around it', {
  mountsSeen: alsoSeen((mine, theirs) => theirs !== '' && mine.startsWith(theirs)),
})
rule('unknown-namespace-is-root', 'CORE-NS-08', 'a namespace that does not exist is the outermost one', {
  effectivePath: changed((original, header, request, namespaces) => {
    const first = segments(header)[0]
    const isKnown = first === undefined || namespaces.includes(`${first}/`)
    return original(isKnown ? header : undefined, request, namespaces)
  }),
})
rule('unknown-namespace-segment-dropped', 'CORE-NS-08', 'a part of the namespace that does not exist is passed over', {
  effectivePath: changed((original, header, request, namespaces) => {
    let known = ''
    for (const segment of segments(header)) if (namespaces.includes(`${known}${segment}/`)) known += `${segment}/`
    return original(known, request, namespaces)
  }),
})
rule('path-spelling-lists-root', 'CORE-NS-09', 'a listing with the namespace in the path shows another directory', {
  effectivePath: changed((original, header, request, namespaces) => {
    const path = original(header, request, namespaces)
    const isListing = request.method === 'LIST' || request.query.get('list') === 'true'
    if (isProvisioning(request) || !isListing || !inPath(request.path, header, namespaces)) return path
    return `${path.replace(/\/$/, '')}/elsewhere/`
  }),
})
