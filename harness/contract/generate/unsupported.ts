/** Which parts of a schema the generator does not support. */
import { formatArbitraries } from './format-arbitraries.ts'
import { knowsFormat } from './judge.ts'

const SUPPORTED = new Set(
  (
    'type const enum properties required additionalProperties patternProperties propertyNames dependentRequired minProperties maxProperties ' +
    'items prefixItems contains minItems maxItems uniqueItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf ' +
    'minLength maxLength pattern format allOf anyOf oneOf not if then else default examples ' +
    '$id $schema $defs $comment title description deprecated readOnly writeOnly'
  ).split(' '),
)

const NODES = ['additionalProperties', 'propertyNames', 'items', 'contains', 'not', 'if', 'then', 'else']
const LISTS = ['prefixItems', 'allOf', 'anyOf', 'oneOf']
const MAPS = ['properties', 'patternProperties']

type Found = { [keyword: string]: unknown }

/**
 * Keywords and formats of a dereferenced schema that the generator does not know, as `pointer: keyword`; empty where all is supported. Keywords
 * that begin with `x-` are ours and never listed.
 */
export const unsupportedKeywords = (schema: unknown, pointer = '#', above: readonly unknown[] = []): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  if (above.includes(schema)) return [`${pointer}: recursion`]
  const node = schema as Found
  const path = [...above, schema]
  const below = (value: unknown, step: string) => unsupportedKeywords(value, `${pointer}/${step}`, path)
  const own = Object.keys(node)
    .filter((keyword) => !keyword.startsWith('x-') && !SUPPORTED.has(keyword))
    .map((keyword) => `${pointer}: ${keyword}`)
  const { format, 'x-format': ownFormat } = node
  if (typeof format === 'string' && (!knowsFormat(format) || !(format in formatArbitraries))) own.push(`${pointer}: format ${format}`)
  if (typeof ownFormat === 'string' && (typeof node.pattern !== 'string' || !(ownFormat in formatArbitraries)))
    own.push(`${pointer}: x-format ${ownFormat}`)
  return [
    ...own,
    ...NODES.flatMap((keyword) => below(node[keyword], keyword)),
    ...LISTS.flatMap((keyword) =>
      ((node[keyword] as unknown[] | undefined) ?? []).flatMap((value, index) => below(value, `${keyword}/${index}`)),
    ),
    ...MAPS.flatMap((keyword) =>
      Object.entries((node[keyword] as Found | undefined) ?? {}).flatMap(([name, value]) => below(value, `${keyword}/${name}`)),
    ),
  ]
}
