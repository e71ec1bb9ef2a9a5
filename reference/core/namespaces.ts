/** Namespaces: isolated trees of mounts, policies and tokens below the root. Paths end in a slash; the root's is empty. */
export interface Namespace {
  path: string
  id: string
  uuid: string
  metadata: Record<string, string>
}

export class Namespaces {
  readonly #byPath = new Map<string, Namespace>([
    ['', { path: '', id: 'root', uuid: '00000000-0000-0000-0000-000000000000', metadata: {} }],
  ])

  get(path: string): Namespace | undefined {
    return this.#byPath.get(path)
  }

  paths(): string[] {
    return [...this.#byPath.keys()]
  }

  add(namespace: Namespace): void {
    this.#byPath.set(namespace.path, namespace)
  }

  delete(path: string): void {
    this.#byPath.delete(path)
  }

  /** Direct children of a namespace, as names with trailing slash. */
  children(parent: string): string[] {
    return this.paths()
      .filter((path) => path !== parent && path.startsWith(parent))
      .map((path) => path.slice(parent.length))
      .filter((name) => name.indexOf('/') === name.length - 1)
  }
}
