/** `assay init`: writes and tries a target configuration. */
import { existsSync, writeFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { stringify } from 'yaml'
import { Blocked } from '../checks/errors.ts'
import { loadContract } from '../contract/load.ts'
import { closeRun, openRun } from '../run/open.ts'
import { completeRun, urlOf } from '../target/config.ts'
import { UsageError } from '../target/usage.ts'
import { exit } from './exit.ts'
import { tokenFrom } from './flags.ts'

interface InitOptions {
  api: 'secrets' | 'runManagement'
  dialect: string
  provisioner: 'static' | 'sys' | 'command'
  caCert?: string
  token?: string
  tokenFile?: string
  file: string
  force?: boolean
}

const SCHEMA = '# yaml-language-server: $schema=./node_modules/assay/specs/meta/target.schema.json\n'
const NOTES =
  '# The root token is read from the environment: keep it out of this file.\n# See the schema for mounts, fixtures, settings, backends, limits and timing.\n'

const init = async (url: string, options: InitOptions): Promise<number> => {
  urlOf(url, 'the URL')
  if (existsSync(options.file) && options.force !== true)
    throw new UsageError(`${options.file} exists already: pass --force to write over it, or --file for another name`)
  const target = {
    api: options.api,
    url,
    dialect: options.dialect,
    provisioner: { kind: options.provisioner },
    identities: { root: options.tokenFile === undefined ? { tokenEnv: 'ASSAY_TOKEN' } : { tokenFile: options.tokenFile } },
    ...(options.caCert === undefined ? {} : { tls: { caCert: options.caCert } }),
  }
  const config = { name: new URL(url).host, targets: [target] }
  writeFileSync(options.file, `${SCHEMA}${NOTES}${stringify(config)}`)
  process.stdout.write(`wrote ${options.file}\n`)
  const token = tokenFrom(options)
  if (token === undefined) {
    process.stdout.write('not tried yet: set ASSAY_TOKEN, then run: npx assay certify\n')
    return exit.passed
  }
  const contract = await loadContract()
  try {
    const { context, notes } = await openRun(contract, completeRun(config, process.cwd()), {
      seed: 1,
      effort: 'quick',
      token,
      signal: new AbortController().signal,
    })
    await closeRun(context)
    process.stdout.write(`${notes.join('\n')}\nthe target answers: run npx assay certify\n`)
    return exit.passed
  } catch (error) {
    if (!(error instanceof Blocked)) throw error
    process.stdout.write(`the target cannot be tested yet: ${error.message}\n  cure: ${error.cure}\n`)
    return exit.incomplete
  }
}

export const initCommand = (): Command =>
  new Command('init')
    .description('write a target configuration and try it')
    .argument('<url>', 'address of the server')
    .addOption(new Option('--api <api>', 'which API it serves').choices(['secrets', 'runManagement']).default('secrets'))
    .option('--dialect <name|file>', 'how it spells the names of the contract', 'native')
    .addOption(new Option('--provisioner <kind>', 'how it is prepared').choices(['static', 'sys', 'command']).default('sys'))
    .option('--ca-cert <file>', 'PEM file of the authority to trust')
    .option('--token <token>', 'token to try it with; never written to the file (or ASSAY_TOKEN)')
    .option('--token-file <file>', 'file that holds the token')
    .option('--file <file>', 'where to write', 'assay.config.yaml')
    .option('--force', 'write over an existing file')
    .action(async (url: string, options: InitOptions) => {
      process.exitCode = await init(url, options)
    })
