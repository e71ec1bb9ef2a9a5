/** The flags of `assay contract`. */
import { Command } from 'commander'
import type { ContractOptions } from '../contract-files.ts'

export const contractCommand = (): Command =>
  new Command('contract')
    .description('the contract as a small site: sections, operations, schemas, clauses and who decides them')
    .option('--out <dir>', 'folder of the pages', 'assay-contract')
    .option('--results <file>', 'results.json of a run: its outcomes stand beside the clauses')
    .action(async (options: ContractOptions) => (await import('../contract-files.ts')).writeSite(options))
