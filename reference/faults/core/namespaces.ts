/** Faults of namespaces. */
import { coreEngine } from '../../core/core-engine.ts'
import { type Fault, fault } from '../../core/mutation.ts'
import type { CoreRules } from '../../core/rules.ts'
import { isProvisioning, isRead, isWrite } from './shared.ts'

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

export const namespaceFaults: Fault[] = [
  fault(
    coreEngine,
    {
      id: 'core-nested-header-cut',
      engine: 'core',
      title: 'reads see the first segment of the namespace header only',
      clauses: ['CORE-NS-01'],
    },
    {
      rules: {
        effectivePath: changed((original, header, request, namespaces) =>
          original(isRead(request) ? segments(header)[0] : header, request, namespaces),
        ),
      },
    },
  ),
  fault(
    coreEngine,
    {
      id: 'core-header-overrides-path',
      engine: 'core',
      title: 'where the header names a namespace, the path cannot go on',
      clauses: ['CORE-NS-02'],
    },
    {
      rules: {
        namespaceOf: (original) => (path, namespaces, header) =>
          header ? original([...segments(header), ''].join('/'), namespaces, header) : original(path, namespaces, header),
      },
    },
  ),
  fault(
    coreEngine,
    { id: 'core-namespace-in-path-unknown', engine: 'core', title: 'a namespace counts in the header alone', clauses: ['CORE-NS-03'] },
    { rules: { namespaceOf: (original) => (path, namespaces, header) => (header ? original(path, namespaces, header) : '') } },
  ),
  fault(
    coreEngine,
    {
      id: 'core-path-spelling-stored-apart',
      engine: 'core',
      title: 'what is written with the namespace in the path is kept apart',
      clauses: ['CORE-NS-04'],
    },
    {
      rules: {
        effectivePath: changed((original, header, request, namespaces) =>
          original(header, request, namespaces).concat(isWrite(request) && inPath(request.path, header, namespaces) ? '-' : ''),
        ),
      },
    },
  ),
  fault(
    coreEngine,
    {
      id: 'core-namespace-shares-root',
      engine: 'core',
      title: 'a namespace shares the storage of the same mount outside',
      clauses: ['CORE-NS-05'],
    },
    { rules: { stateOf: shared((a, b) => a === '' || b === '') } },
  ),
  fault(
    coreEngine,
    { id: 'core-siblings-share', engine: 'core', title: 'sibling namespaces share the storage of the same mount', clauses: ['CORE-NS-06'] },
    { rules: { stateOf: shared((a, b) => a !== '' && b !== '' && parentOf(a) === parentOf(b)) } },
  ),
  fault(
    coreEngine,
    {
      id: 'core-nested-share',
      engine: 'core',
      title: 'a namespace shares the storage of the same mount in the one around it',
      clauses: ['CORE-NS-07'],
    },
    { rules: { stateOf: shared((a, b) => a !== '' && b !== '' && (a.startsWith(b) || b.startsWith(a))) } },
  ),
  fault(
    coreEngine,
    { id: 'core-mounts-seen-from-root', engine: 'core', title: 'the outermost namespace sees the mounts of all', clauses: ['CORE-NS-05'] },
    { rules: { mountsSeen: alsoSeen((mine) => mine === '') } },
  ),
  fault(
    coreEngine,
    { id: 'core-mounts-seen-by-siblings', engine: 'core', title: 'namespaces see the mounts of their siblings', clauses: ['CORE-NS-06'] },
    { rules: { mountsSeen: alsoSeen((mine, theirs) => mine !== '' && parentOf(mine) === parentOf(theirs)) } },
  ),
  fault(
    coreEngine,
    {
      id: 'core-mounts-seen-from-within',
      engine: 'core',
      title: 'a namespace sees the mounts of those around it',
      clauses: ['CORE-NS-07'],
    },
    { rules: { mountsSeen: alsoSeen((mine, theirs) => theirs !== '' && mine.startsWith(theirs)) } },
  ),
  fault(
    coreEngine,
    {
      id: 'core-unknown-namespace-is-root',
      engine: 'core',
      title: 'a namespace that does not exist is the outermost one',
      clauses: ['CORE-NS-08'],
    },
    {
      rules: {
        effectivePath: changed((original, header, request, namespaces) => {
          const first = segments(header)[0]
          const isKnown = first === undefined || namespaces.includes(`${first}/`)
          return original(isKnown ? header : undefined, request, namespaces)
        }),
      },
    },
  ),
  fault(
    coreEngine,
    {
      id: 'core-unknown-namespace-segment-dropped',
      engine: 'core',
      title: 'a part of the namespace that does not exist is passed over',
      clauses: ['CORE-NS-08'],
    },
    {
      rules: {
        effectivePath: changed((original, header, request, namespaces) => {
          let known = ''
          for (const segment of segments(header)) if (namespaces.includes(`${known}${segment}/`)) known += `${segment}/`
          return original(known, request, namespaces)
        }),
      },
    },
  ),
  fault(
    coreEngine,
    {
      id: 'core-path-spelling-lists-root',
      engine: 'core',
      title: 'a listing with the namespace in the path shows another directory',
      clauses: ['CORE-NS-09'],
    },
    {
      rules: {
        effectivePath: changed((original, header, request, namespaces) => {
          const path = original(header, request, namespaces)
          const isListing = request.method === 'LIST' || request.query.get('list') === 'true'
          if (isProvisioning(request) || !isListing || !inPath(request.path, header, namespaces)) return path
          return `${path.replace(/\/$/, '')}/elsewhere/`
        }),
      },
    },
  ),
]
