/** Builds sources with all their mutants in them, of which one at a time is switched on at run time. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { UsageError } from '../base/usage.ts'
import { packageRoot } from '../contract/package-root.ts'
import { type Mutant, withKeys } from './mutants.ts'

interface Tools {
  instrumenter: typeof import('@stryker-mutator/instrumenter')
  typescript: typeof import('typescript')
}

const tools = async (): Promise<Tools> => {
  try {
    const [instrumenter, { default: typescript }] = await Promise.all([import('@stryker-mutator/instrumenter'), import('typescript')])
    return { instrumenter, typescript }
  } catch {
    throw new UsageError('--mutants needs the development dependencies: run it in a checkout, after npm ci')
  }
}

const SOURCE = /\.ts$/
const UNTOUCHED = /\.(test|faults|variants)\.ts$/
/** Built as it is: what starts a server and plants faults in it, which no request reaches, and what looks at each byte, which would take long. */
const UNMUTATED = /^[^/]+$|(^|\/)mutations?[./]|(^|\/)list-verb\./
/** What makes an error text: another wording there is not a defect. */
const WORDING = new Set(['invalid', 'notFound', 'ApiError', 'Error', 'UsageError'])

const OPERATION = /^\w+\.\w+$/

const sourcesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && SOURCE.test(entry.name) && !UNTOUCHED.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

/** The part of a syntax path that the rules for what nobody sees look at. */
interface Path {
  isStringLiteral(): boolean
  isTemplateLiteral(): boolean
  node: object
  parentPath: Path | null
}

const calleeOf = (node: object): string | undefined => (node as { callee?: { name?: string } }).callee?.name

const inWording = (path: Path | null, depth = 0): boolean => {
  if (path === null || depth > 3) return false
  return WORDING.has(calleeOf(path.node) ?? '') || inWording(path.parentPath, depth + 1)
}

/** An operation's name, which no request carries: faults go by it. */
const namesOperation = ({ node, parentPath }: Path): boolean => {
  const { key } = (parentPath?.node ?? {}) as { key?: { name?: string } }
  return key?.name === 'id' && OPERATION.test((node as { value?: string }).value ?? '')
}

const unseen = {
  shouldIgnore: (path: Path) => {
    if (path.isStringLiteral() && namesOperation(path)) return 'name of an operation'
    return (path.isStringLiteral() || path.isTemplateLiteral()) && inWording(path) ? 'wording of an error' : undefined
  },
}

// The instrumenter wants a logger; what it says is of no use here.
const silent = new Proxy({}, { get: (_, name) => (String(name).startsWith('is') ? () => false : () => undefined) })

const pathBelow = (root: string, file: string): string => relative(root, file).split(sep).join('/')

const textAt = (source: string, { start, end }: { start: Place; end: Place }): string => {
  const lines = source.split('\n').slice(start.line, end.line + 1)
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column)
  lines[0] = lines[0]!.slice(start.column)
  return lines.join('\n')
}

interface Place {
  line: number
  column: number
}

export interface InstrumentedBuild {
  /** The folder of the built modules; a path below the sources' folder leads to the same module in it, as `.js`. */
  folder: string
  mutants: Mutant[]
}

const instrumented = async (root: string, files: string[]): Promise<{ built: Map<string, string>; mutants: Mutant[] }> => {
  const { instrumenter, typescript } = await tools()
  const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
  const { Instrumenter } = instrumenter
  const result = await new Instrumenter(silent as ConstructorParameters<typeof Instrumenter>[0]).instrument(
    [...sources].map(([name, content]) => ({ name, content, mutate: !UNMUTATED.test(pathBelow(root, name)) })),
    { plugins: null, excludedMutations: [], ignorers: [unseen], noHeader: false } as unknown as Parameters<
      InstanceType<typeof Instrumenter>['instrument']
    >[1],
  )
  const compilerOptions = {
    module: typescript.ModuleKind.ESNext,
    target: typescript.ScriptTarget.ES2022,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
  }
  const built = new Map(
    result.files.map(({ name, content }) => [
      relative(root, name).replace(SOURCE, '.js'),
      typescript.transpileModule(content, { compilerOptions, fileName: name }).outputText,
    ]),
  )
  const mutants = result.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ id, fileName, location, mutatorName, replacement }) => ({
      id,
      file: pathBelow(root, fileName),
      line: location.start.line + 1,
      mutator: mutatorName,
      original: textAt(sources.get(fileName)!, location),
      replacement: replacement ?? '',
    }))
  return { built, mutants: withKeys(mutants) }
}

const A_DAY = 86_400_000

const removeOldBuilds = (cache: string): void => {
  if (!existsSync(cache)) return
  for (const path of readdirSync(cache).map((name) => join(cache, name)))
    if (Date.now() - statSync(path).mtimeMs > A_DAY) rmSync(path, { recursive: true, force: true })
}

/**
 * Instruments all TypeScript sources below a folder of a checkout, without tests, faults and variants; what was built from the same sources
 * before is used again.
 *
 * @param name of the folder below the checkout, e.g. the reference server's.
 * @throws UsageError if sources or development dependencies are missing.
 */
export const buildWithMutants = async (name: string): Promise<InstrumentedBuild> => {
  const root = join(packageRoot, name)
  if (!existsSync(root)) throw new UsageError('--mutants needs the sources: run it in a checkout')
  const files = sourcesBelow(root)
  const digest = createHash('sha256')
  for (const file of [...files, import.meta.filename]) digest.update(file).update(readFileSync(file))
  const cache = join(packageRoot, 'node_modules', '.cache', 'assay-mutants')
  const folder = join(cache, digest.digest('hex').slice(0, 16))
  const list = join(folder, 'mutants.json')
  if (existsSync(list)) return { folder: join(folder, name), mutants: JSON.parse(readFileSync(list, 'utf8')) as Mutant[] }
  const { built, mutants } = await instrumented(root, files)
  removeOldBuilds(cache)
  const draft = `${folder}.${process.pid}`
  for (const [path, code] of built) {
    mkdirSync(dirname(join(draft, name, path)), { recursive: true })
    writeFileSync(join(draft, name, path), code)
  }
  writeFileSync(join(draft, 'package.json'), '{ "type": "module" }\n')
  writeFileSync(join(draft, 'mutants.json'), JSON.stringify(mutants))
  // Another process may have built the same meanwhile, and use it.
  if (existsSync(list)) rmSync(draft, { recursive: true, force: true })
  else renameSync(draft, folder)
  return { folder: join(folder, name), mutants }
}
