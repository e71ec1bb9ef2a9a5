/** Faults of the conventions at the edges: empty and full listings, periods at the end, the largest request, the depth of help. */
import { coreEngine } from '../../core/core-engine.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reply } from '../../core/reply.ts'
import type { RequestFacts } from '../../core/rules.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { asksList, listed, noting, refusing } from './loose-words.ts'

const { rule } = faultsOf(coreEngine)

const limit = (bytes: number) => ({ requestTooLarge: () => (size: number) => size > bytes })

rule('limit-8-mib', ['CORE-LIMIT-01'], 'requests of more than 8 MiB are refused (000 8: 32 MB)', limit(8 * 1024 * 1024))

rule('limit-none', ['CORE-LIMIT-02', 'CORE-LIMIT-03'], 'requests may have any size (000 8: 32 MB)', { requestTooLarge: () => () => false })

const emptyList = (where: (request: RequestFacts) => boolean) =>
  refusing(
    (status, request) => status === 404 && asksList(request) && where(request),
    (): Reply => ({ status: 200, body: { lease_id: '', renewable: false, lease_duration: 0, data: { keys: [] } } }),
  )

rule(
  'empty-list-verb-200',
  ['CORE-LIST-04'],
  'an empty listing by the verb LIST is 200 without keys (000 1.5: 404)',
  emptyList(({ method }) => method === 'LIST'),
)

rule(
  'one-key-bare',
  ['CORE-LIST-03'],
  'data.keys of one key is that key (000 4.1: array of strings)',
  listed((keys) => (keys.length === 1 ? (keys[0] ?? null) : keys)),
)

rule(
  'list-without-last',
  ['CORE-LIST-01'],
  'a listing of several keys lacks the last one (000 1.5)',
  listed((keys) => (keys.length > 1 ? keys.slice(0, -1) : keys)),
)

const periodAllowed = (where: (value: string) => boolean) => ({
  pathParameterAllowed: (original: (value: string) => boolean) => (value: string) => original(value) || where(value),
})

rule(
  'period-second-of-name',
  ['CORE-PERIOD-02'],
  'a path parameter with a period inside may end in one (000 2.1)',
  periodAllowed((value) => value.indexOf('.') < value.length - 1),
)

const enforcedWhere = (where: (call: Parameters<typeof coreEngine.rules.check>[0], route: { id: string }) => boolean) => ({
  ...noting,
  pathParameterAllowed: () => () => true,
  check:
    (original: typeof coreEngine.rules.check): typeof coreEngine.rules.check =>
    (call, route) => {
      const named = Object.entries(call.params).some(([name, value]) => !['path', 'directory'].includes(name) && value.endsWith('.'))
      if (named && where(call, route)) throw new ApiError(404, 'unsupported path')
      original(call, route)
    },
})

rule(
  'period-delete-allowed',
  ['CORE-PERIOD-01'],
  'DELETE takes a path parameter that ends in a period (000 2.1)',
  enforcedWhere((call) => call.method !== 'DELETE'),
)

rule('period-cut', ['CORE-PERIOD-02'], 'the period at the end of a path parameter is cut off (000 2.1)', {
  pathParameterAllowed: () => () => true,
  check: (original) => (call, route) => {
    for (const [name, value] of Object.entries(call.params))
      if (!['path', 'directory'].includes(name)) call.params[name] = value.replace(/\.+$/, '')
    original(call, route)
  },
})

const helpPaths = (keep: (path: string) => boolean) => ({
  helpBody:
    (original: typeof coreEngine.rules.helpBody): typeof coreEngine.rules.helpBody =>
    (help, openapi) =>
      original(help, { ...openapi, paths: Object.fromEntries(Object.entries(openapi.paths as JsonObject).filter(([path]) => keep(path))) }),
})

rule(
  'help-one-level',
  ['CORE-HELP-04'],
  'openapi has paths of one level below the path only (000 1.7: the paths below it)',
  helpPaths((path) => path.split('/').length <= 2),
)
