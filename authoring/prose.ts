/** A part of `npm run lint`: searches all that the project writes for words that it gave up. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TextlintKernel } from '@textlint/kernel'
import text from '@textlint/textlint-plugin-text'
import { UsageError } from '../harness/base/usage.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { command } from './author-command.ts'
import { proseRule } from './prose-rule.ts'

/** Files that are not the project's own text: generated, installed, of a third party, or the list itself. */
const LEFT_OUT =
  /^(\.git|node_modules|dist|coverage|assay-report.*|package-lock\.json|LICENSE|traceability\.md|words\.yaml|prose\.test\.ts|.*\.(png|tgz))$/

const filesBelow = (folder: string): string[] =>
  readdirSync(join(packageRoot, folder), { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.test(name))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : entry.isFile() ? [join(folder, entry.name)] : []))

const kernel = new TextlintKernel()

/** What a file has that was given up, a line each. */
const findingsIn = async (path: string): Promise<string[]> => {
  const { messages } = await kernel.lintText(readFileSync(join(packageRoot, path), 'utf8'), {
    ext: '.txt',
    filePath: path,
    plugins: [{ pluginId: 'text', plugin: text.default }],
    rules: [{ ruleId: 'given-up', rule: proseRule }],
  })
  return messages.map(({ loc, message }) => `${path}:${loc.start.line}:${loc.start.column}: ${message}`)
}

await command(async () => {
  const files = filesBelow('.')
  const found: string[] = []
  for (const path of files) found.push(...(await findingsIn(path)))
  if (found.length > 0) throw new UsageError(`${found.length} words or phrases that the project gave up:\n${found.join('\n')}`)
  return `${files.length} files hold no word that was given up`
})
