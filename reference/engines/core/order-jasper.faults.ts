/** Faults of what was asked before, and of namespaces deeper than two. */
import { coreEngine } from '../../core/core-engine.ts'
import type { JsonObject } from '../../core/json.ts'
import type { CoreRules } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'

const { rule } = faultsOf(coreEngine, 'core')

const parentOf = (path: string): string => path.replace(/\/+$/, '').split('/').slice(0, -1).join('/')
const depthOf = (path: string): number => path.split('/').filter((segment) => segment !== '').length

const helpKeptByParent = (): { [Name in 'helpText' | 'helpBody']: (original: CoreRules[Name]) => CoreRules[Name] } => {
  let asked = ''
  return {
    helpText: (original) => (path, operations) => {
      asked = path
      return original(path, operations)
    },
    helpBody: (original) => {
      const kept = new Map<string, JsonObject>()
      return (help, openapi) => {
        const parent = parentOf(asked)
        if (parent === '') return original(help, openapi)
        const known = kept.get(parent) ?? openapi
        kept.set(parent, known)
        return original(help, known)
      }
    },
  }
}

rule(
  'jasper-help-of-sibling',
  'CORE-HELP-10',
  'the openapi of a help answer is kept by the parent path, so that the second sibling asked gets that of the first (000, 1.7: a description of that path and the paths below it)',
  helpKeptByParent(),
)

rule(
  'jasper-namespace-asked-too-early',
  'CORE-NS-01',
  'a namespace that a header named before it was made is not found by that header afterwards, only by the path (000, 2.2: the header is equivalent to no header with the whole path)',
  {
    namespaceOf: (original) => {
      const missing = new Set<string>()
      return (effectivePath, namespaces, header) => {
        const segments = (header ?? '').split('/').filter((segment) => segment !== '')
        if (segments.length === 0) return original(effectivePath, namespaces, header)
        const named = `${segments.join('/')}/`
        if (!namespaces.includes(named)) missing.add(named)
        const known = missing.has(named) ? namespaces.filter((path) => !path.startsWith(named)) : namespaces
        return original(effectivePath, known, header)
      }
    },
  },
)

rule(
  'jasper-third-namespace',
  ['CORE-NS-02', 'CORE-NS-03'],
  'of the request path no more than two segments are taken for namespaces, whatever the header holds (000, 2.2: no header with path `<ns1>/<ns2>/secret/foo` is equivalent)',
  {
    namespaceOf: (original) => (effectivePath, namespaces, header) =>
      original(
        effectivePath,
        namespaces.filter((path) => depthOf(path) <= depthOf(header ?? '') + 2),
        header,
      ),
  },
)
