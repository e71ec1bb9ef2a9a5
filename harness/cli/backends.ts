/** `assay backends`: the provider chain as found on this machine. */
import { Command } from 'commander'
import { describeChain } from '../backends/chain.ts'
import { installMissing } from '../backends/install.ts'

const show = async (json: boolean): Promise<void> => {
  const rows = await describeChain()
  if (json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`)
    return
  }
  for (const row of rows) {
    process.stdout.write(`${row.backend}: ${row.chosen === undefined ? `not to be had; ${row.remedy}` : row.chosen}\n`)
    for (const { provider, available, detail } of row.providers)
      process.stdout.write(`  ${available ? '+' : '-'} ${provider.padEnd(9)} ${detail}\n`)
  }
}

export const backendsCommand = (): Command =>
  new Command('backends')
    .description('the backends that can be had on this machine, and how')
    .option('--install', 'get what is missing: pull images, or apt on Debian and Ubuntu as root')
    .option('--json', 'as JSON')
    .action(async (options: { install?: boolean; json?: boolean }) => {
      if (options.install === true) await installMissing((line) => process.stderr.write(`${line}\n`))
      await show(options.json === true)
    })
