/** The flags of `assay backends`. */
import { Command } from 'commander'
import type { BackendsOptions } from '../backends.ts'
import { list } from '../flags.ts'

export const backendsCommand = (): Command =>
  new Command('backends')
    .description('the backends that can be had on this machine, and how')
    .option('--install', 'get what is missing: pull images, or apt on Debian and Ubuntu as root')
    .option('--up <names>', 'start these, print what a server needs to use them, and keep them until Ctrl-C', list)
    .option('--json', 'as JSON')
    .action(async (options: BackendsOptions) => (await import('../backends.ts')).backends(options))
