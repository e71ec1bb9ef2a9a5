// Compiles the sources into dist/: a file for each module, but one for the suite of each engine, one for its faults and one for its variants. Those are
// found by name and loaded together, and nobody but they import them.
import { readdirSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { build } from 'esbuild'

const FOLDERS = ['harness', 'suites', 'reports', 'reference', 'specs/meta']
const LEFT_OUT = /\.(test|d)\.tsx?$|^reports\/testing\/|^suites\/vitest\.config\.ts$/
const MUTATION = /\.(faults|variants)\.ts$/
const FOUND_BY_NAME = /\.(check|sample|faults|variants)\.ts$/

const sourcesOf = (root) =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/')),
  )
    .filter((path) => !LEFT_OUT.test(path))
    .sort()

/** The file, without its extension, that a source comes into. */
const placeOf = (path) => {
  const [folder, engine] = path.split('/')
  if (folder === 'suites') return `suites/${engine}`
  const [, kind] = MUTATION.exec(path) ?? []
  if (kind !== undefined) return `${dirname(path)}/all.${kind}`
  return path.replace(/\.tsx?$/, '')
}

/** Imports within a file are joined, others lead to the file in which what they name is. */
const joining = (root) => ({
  name: 'joining',
  setup(builder) {
    builder.onResolve({ filter: /^\.\.?\/.*\.tsx?$/ }, ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind === 'entry-point') return undefined
      const target = relative(root, resolve(resolveDir, path)).split(sep).join('/')
      const from = pluginData?.place ?? placeOf(relative(root, importer).split(sep).join('/'))
      if (placeOf(target) === from) return undefined
      const way = relative(dirname(from), placeOf(target)).split(sep).join('/')
      return { path: `${way.startsWith('.') ? '' : './'}${way}.js`, external: true }
    })
  },
})

/** What imports all files of a place that are found by their names, and exports the faults or variants of all. */
const joined = (root) => ({
  name: 'joined',
  setup(builder) {
    builder.onResolve({ filter: /^joined:/ }, ({ path }) => ({ path, namespace: 'joined' }))
    builder.onLoad({ filter: /.*/, namespace: 'joined' }, ({ path }) => {
      const place = path.slice('joined:'.length)
      const sources = sourcesOf(root).filter((source) => FOUND_BY_NAME.test(source) && placeOf(source) === place)
      const [, kind] = /\/all\.(\w+)$/.exec(place) ?? []
      const lines =
        kind === undefined
          ? sources.map((source) => `import ${JSON.stringify(`./${source}`)}`)
          : [
              ...sources.map((source, at) => `import { ${kind} as list${at} } from ${JSON.stringify(`./${source}`)}`),
              `export const ${kind} = [${sources.map((_, at) => `...list${at}`).join(', ')}]`,
            ]
      return { contents: lines.join('\n'), resolveDir: root, pluginData: { place } }
    })
  },
})

/** Compiles everything. @param root folder of the package */
export const compile = async (root) => {
  const entryPoints = new Map()
  for (const source of sourcesOf(root)) {
    const place = placeOf(source)
    entryPoints.set(place, source.startsWith('suites/') || MUTATION.test(source) ? `joined:${place}` : source)
  }
  await build({
    absWorkingDir: root,
    entryPoints: [...entryPoints].map(([out, source]) => ({ in: source, out })),
    outdir: 'dist',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    charset: 'utf8',
    logLevel: 'warning',
    plugins: [joined(root), joining(root)],
  })
}
