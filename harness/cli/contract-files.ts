/** `assay contract`: the contract as pages. */
import { join } from 'node:path'
import { readResults, renderContractSite } from '../../reports/index.ts'
import { writeWhole } from '../base/whole-file.ts'
import { loadContract } from '../contract/load.ts'
import { requireConsistent } from './consistent.ts'
import { siteOf } from './contract-contents.ts'
import { requireWritable } from './surroundings.ts'

export interface ContractOptions {
  out: string
  results?: string
}

export const writeSite = async ({ out, results: file }: ContractOptions): Promise<void> => {
  const results = file === undefined ? undefined : await readResults(file)
  if (file !== undefined && results !== undefined) requireConsistent(file, results)
  requireWritable(out)
  const pages = renderContractSite(await siteOf(await loadContract()), results)
  for (const [name, text] of pages) writeWhole(join(out, name), text)
  process.stdout.write(`${pages.size} pages; begin with ${join(out, 'index.html')}\n`)
}
