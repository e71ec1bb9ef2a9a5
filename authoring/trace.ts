/** `npm run trace`: writes the pages of docs/ that are made from the contract. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { loadContract } from '../harness/contract/load.ts'
import { packageRoot } from '../harness/contract/package-root.ts'
import { command } from './author-command.ts'
import { madePages } from './made-pages.ts'

await command(async () => {
  const pages = Object.entries(await madePages(await loadContract()))
  for (const [path, text] of pages) {
    const file = join(packageRoot, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return `written  ${pages.map(([path]) => path).join(' ')}`
})
