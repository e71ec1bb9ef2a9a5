/** The path items of an OpenAPI file, with those that OpenAPI itself cannot tell apart. */
type Node = Record<string, unknown>

/**
 * A path item and its variants.
 *
 * @param path template of the path item.
 * @param item path item; each of its `x-variants` is a path item whose template, in `x-path`, means the same path.
 * @returns template and path item of each, in the order of the file.
 */
export const pathItems = (path: string, item: Node): [path: string, item: Node][] => [
  [path, item],
  ...((item['x-variants'] ?? []) as Node[]).map((variant): [string, Node] => [String(variant['x-path'] ?? path), variant]),
]
