/** The flags of `assay prove`. */
import { Command, Option } from 'commander'
import { EFFORTS } from '../../target/configured-names.ts'
import { concurrencyNumber, countNumber, list, percentage, seedNumber, shardOf } from '../flags.ts'
import type { ProveOptions } from '../prove.ts'

export const proveCommand = (): Command =>
  new Command('prove')
    .description('prove that the checks catch what they claim to catch, and nothing else')
    .option('--engine <names>', 'only faults and variants of these engines', list)
    .option('--fault <ids>', 'only these faults', list)
    .option('--variant <ids>', 'only these variants', list)
    .option('--singly', 'each variant in a server of its own, instead of several that change different things')
    .option('--first-contact', 'hold faults that name no clause yet, or those of --fault, against everything that may notice them')
    .option(
      '--all-killers',
      'run every check of a fault to its end, and write which of them kill it; a second call goes on in the same --out',
    )
    .option(
      '--mutants <n>',
      'hold this many mutants of each engine, made by a tool and drawn by the seed, against everything that may notice them',
      countNumber,
    )
    .option(
      '--processes <n>',
      'share faults and variants out among this many processes (default: by their number and the processors)',
      concurrencyNumber,
    )
    .addOption(new Option('--shard <i/n>').argParser(shardOf).hideHelp())
    .option('--min-rate <percent>', 'with --first-contact or --mutants: fail below this rate of kills', percentage)
    .addOption(new Option('--effort <effort>', 'the checks and repetitions of that effort').choices(EFFORTS).default('thorough'))
    .option('--seed <n>', 'seed of everything generated', seedNumber, 1)
    .option('--out <dir>', 'folder of proof.json and proof.html', 'assay-report')
    .option('--json', 'print the proof as one JSON object on stdout')
    .action(async (options: ProveOptions) => {
      process.exitCode = await (await import('../prove.ts')).prove(options)
    })
