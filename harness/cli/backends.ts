/** `assay backends`: the ladder as found on this machine. */
import { Command } from 'commander'
import { installMissing } from '../backends/install.ts'
import { describeLadder } from '../backends/ladder.ts'

const show = async (json: boolean): Promise<void> => {
  const rows = await describeLadder()
  if (json) {
    process.stdout.write(`${JSON.stringify(rows)}\n`)
    return
  }
  for (const row of rows) {
    process.stdout.write(`${row.backend}: ${row.chosen === undefined ? `not to be had; ${row.cure}` : row.chosen}\n`)
    for (const rung of row.rungs) process.stdout.write(`  ${rung.available ? '+' : '-'} ${rung.provider.padEnd(9)} ${rung.detail}\n`)
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
