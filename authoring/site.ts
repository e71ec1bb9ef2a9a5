/** `npm run docs`: the documents, a page for each engine, what suites and programs may import, and the contract, as a static site in `site/`. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Application, type TypeDocOptions } from 'typedoc'
import { UsageError } from '../harness/base/usage.ts'
import { writeSite } from '../harness/cli/contract-files.ts'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { command } from './author-command.ts'
import { enginePage } from './engine-page.ts'

const SITE = join(packageRoot, 'site')
/** Pages that the site alone has; the generator asks that they lie below the project while it works. */
const ENGINES = join(packageRoot, 'engines')

const OPTIONS: TypeDocOptions = {
  name: 'Assay',
  entryPoints: ['harness/checks/index.ts', 'harness/cli/library.ts'],
  readme: 'README.md',
  out: SITE,
  excludeExternals: true,
  // `npm run typecheck` is for that.
  skipErrorChecking: true,
  treatValidationWarningsAsErrors: true,
  validation: { notExported: false, invalidLink: true, invalidPath: true, notDocumented: false },
}

await command(async () => {
  const contract = await loadContract()
  mkdirSync(ENGINES, { recursive: true })
  try {
    for (const engine of contract.engines.values()) writeFileSync(join(ENGINES, `${engine.id}.md`), await enginePage(contract, engine))
    const app = await Application.bootstrapWithPlugins({
      ...OPTIONS,
      projectDocuments: ['docs/*.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'engines/*.md'],
    })
    const project = await app.convert()
    if (project === undefined) throw new UsageError('the documents cannot be made')
    app.validate(project)
    await app.generateOutputs(project)
    if (app.logger.hasErrors() || app.logger.hasWarnings()) throw new UsageError('the documents have the faults that stand above')
  } finally {
    rmSync(ENGINES, { recursive: true, force: true })
  }
  await writeSite({ out: join(SITE, 'contract') })
  return `written  ${SITE}`
})
