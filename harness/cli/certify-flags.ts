/** The flags of `assay certify`, and the words that stand for them in a report. */
import { type Command, Option } from 'commander'
import type { FailOn } from '../../specs/meta/results.ts'
import type { Selection } from '../planning/plan.ts'
import { EFFORTS, type Effort, hyphenated } from '../target/configured-names.ts'
import { withoutPassword } from '../target/proxy.ts'
import { type AgainstOptions, againstFlags } from './against-flags.ts'
import {
  commandText,
  concurrencyNumber,
  countNumber,
  durationWord,
  failOn,
  header,
  headerEnv,
  list,
  maxTimeOf,
  permissions,
  provisionerFlag,
  proxyFlag,
  rateNumber,
  replayPath,
  seedNumber,
  shardOf,
  timeoutOf,
  withinOf,
} from './flags.ts'
import { type HistoryOptions, historyFlags } from './history-flags.ts'
import { type SignOptions, signFlags } from './sign-flags.ts'
import { type WatchOptions, watchFlags } from './watch-flags.ts'

export interface CertifyOptions extends HistoryOptions, SignOptions, AgainstOptions, WatchOptions {
  embedded?: boolean
  config?: string
  /** Name of a profile that ships, or a file. */
  profile?: string
  api?: string
  token?: string
  tokenFile?: string
  /** For the shell; prints a token, and is run again before that one ends. */
  tokenCommand?: string
  dialect?: string
  /** A kind, or the URL of a command provisioner. */
  provisioner?: string
  namespace?: string
  header?: Record<string, string>
  /** Variables of the environment, by header. */
  headerEnv?: Record<string, string>
  engine?: string[]
  clause?: string[]
  /** A report folder or results.json; true for the one in `out`. */
  failed?: string | true
  check?: string[]
  kind?: string[]
  caCert?: string
  clientCert?: string
  clientKey?: string
  tlsSkipVerify?: boolean
  /** URL of a proxy, or `none`. */
  proxy?: string
  allow?: string[]
  timeout?: number
  maxTime?: number
  within?: number
  maxFailures?: number
  concurrency?: number
  rate?: number
  seed: number
  effort: Effort
  shard?: { index: number; of: number }
  deviations?: string
  writeDeviations?: string
  updateDeviations?: boolean
  failOn?: FailOn[]
  requireBackends?: boolean
  failOnUnstable?: boolean
  /** False: evidence is written and not sent again. */
  reproduce?: boolean
  plan?: boolean
  trace?: boolean
  replay?: string
  out: string
  json?: boolean
}

/** Adds the flags to a command. */
export const certifyFlags = (command: Command): Command =>
  watchFlags(againstFlags(signFlags(historyFlags(command))))
    .argument('[url]', 'address of the server, e.g. https://127.0.0.1:8200')
    .option('--embedded', 'certify the reference server that ships with assay, with every backend that can be had')
    .option('--config <file>', 'configuration file; default assay.config.{yaml,json,ts}')
    .option('--api <api>', 'which API the URL is: secrets or run-management', hyphenated)
    .option('--token <token>', 'token of a caller who may do everything (or ASSAY_TOKEN, where the configuration names none)')
    .option('--token-file <file>', 'file that holds the token')
    .option(
      '--token-command <command>',
      'command that prints the token, run again before that one ends; no check starts with one that ends too soon',
      commandText,
    )
    .option('--dialect <name|file>', 'how the server spells the names of the contract: native, vault or a file')
    .option(
      '--provisioner <kind|url>',
      'how the server is prepared: static, sys, command, or the URL of a command provisioner',
      provisionerFlag,
    )
    .option('--namespace <path>', 'namespace in which everything happens')
    .option('--header <header>', "header sent with every request, 'Name: value' or 'Name: @file'; may be repeated", header)
    .option('--header-env <name=variable>', 'the same, with the value of an environment variable; may be repeated', headerEnv)
    .option('--profile <name|file>', 'certify for a profile: it says which engines and levels have to hold')
    .option('--engine <names>', 'engines, separated by commas; with --embedded the reference claims these', list)
    .option('--clause <ids>', 'clauses, or patterns with *, separated by commas; may be repeated', list)
    .option('--check <ids>', 'checks, or patterns with *, separated by commas; may be repeated', list)
    .option(
      '--failed [report]',
      'only what did not hold in this earlier report (default: the one in --out), by every check that decides it',
    )
    .option('--kind <kinds>', 'contract, scenario, property, model, race, security', list)
    .option('--ca-cert <file>', 'PEM file of the authority to trust')
    .option('--client-cert <file>', 'PEM file of our certificate')
    .option('--client-key <file>', 'PEM file of our key')
    .option('--tls-skip-verify', 'do not verify the certificate of the server (said in the report)')
    .option('--proxy <url|none>', 'proxy to the server; default HTTPS_PROXY, HTTP_PROXY and NO_PROXY, never for loopback', proxyFlag)
    .option('--allow <permissions>', 'what disturbs other users of the server and may be done: seal, oversize, rotateRoot', permissions)
    .option('--timeout <duration>', 'for one exchange; default 30s', timeoutOf)
    .option('--max-time <duration>', 'for the whole run; default 15m, 30m or 60m by effort, with --embedded 2h', maxTimeOf)
    .option(
      '--within <duration>',
      'leave out checks until the run fits into this time: each clause once before any twice, drawn by the seed; the verdict is partial',
      withinOf,
    )
    .option(
      '--max-failures <n>',
      'end the run after so many violated required clauses, known deviations aside; the run is partial',
      countNumber,
    )
    .option('--concurrency <n>', 'requests at once; default 16', concurrencyNumber)
    .option('--rate <n/s>', 'requests per second at most', rateNumber)
    .option('--seed <n>', 'seed of everything generated', seedNumber, 1)
    .addOption(
      new Option('--effort <effort>', 'quick: each required clause once; standard: what finds most for its requests; thorough: everything')
        .choices(EFFORTS)
        .default('standard'),
    )
    .option('--shard <i/n>', 'one of n parts of the run', shardOf)
    .option('--deviations <file>', 'known deviations of this server')
    .option('--write-deviations <file>', 'draft an entry for everything that fails the gate, for you to give reasons for')
    .option('--update-deviations', 'take out of the file of --deviations what no longer occurs')
    .option('--fail-on <list>', 'what else fails the gate, separated by commas: advised, unstable', failOn)
    .option('--fail-on-unstable', 'the same as --fail-on unstable')
    .option('--require-backends', 'a missing backend blocks instead of narrowing what the embedded server claims')
    .option('--no-reproduce', 'do not send the evidence of violations again before it is reported')
    .option('--plan', 'show what would run and be created, with requests and seconds by engine, and send nothing')
    .option('--trace', 'print every exchange (with few checks)')
    .option('--replay <path>', 'run only this case of a generated check (printed with a failure)', replayPath)
    .option('--out <dir>', 'folder of the report', 'assay-report')
    .option('--json', 'print the summary as one JSON object on stdout')

export const selectionFrom = (options: CertifyOptions): Selection => ({
  ...(options.engine === undefined ? {} : { engines: options.engine }),
  ...(options.clause === undefined ? {} : { clauses: options.clause }),
  ...(options.check === undefined ? {} : { checks: options.check }),
  ...(options.kind === undefined ? {} : { kinds: options.kind }),
  ...(options.shard === undefined ? {} : { shard: options.shard }),
})

/** Words that lead to the same target again; the values of headers and the command of a token are left out: they may hold secrets. */
export const rerunWords = (url: string | undefined, options: CertifyOptions): string[] => [
  ...(url === undefined ? [] : [url]),
  ...(options.embedded === true ? ['--embedded'] : []),
  ...(options.config === undefined ? [] : ['--config', options.config]),
  ...(options.profile === undefined ? [] : ['--profile', options.profile]),
  ...(options.api === undefined ? [] : ['--api', options.api]),
  ...(options.dialect === undefined ? [] : ['--dialect', options.dialect]),
  ...(options.provisioner === undefined ? [] : ['--provisioner', options.provisioner]),
  ...(options.namespace === undefined ? [] : ['--namespace', options.namespace]),
  ...(options.caCert === undefined ? [] : ['--ca-cert', options.caCert]),
  ...(options.clientCert === undefined ? [] : ['--client-cert', options.clientCert]),
  ...(options.clientKey === undefined ? [] : ['--client-key', options.clientKey]),
  ...(options.tlsSkipVerify === true ? ['--tls-skip-verify'] : []),
  ...(options.proxy === undefined ? [] : ['--proxy', withoutPassword(options.proxy)]),
  ...(options.allow === undefined ? [] : ['--allow', options.allow.join(',')]),
  ...(options.tokenFile === undefined ? [] : ['--token-file', options.tokenFile]),
  ...(options.tokenCommand === undefined ? [] : ['--token-command', '<command>']),
  ...(options.effort === 'standard' ? [] : ['--effort', options.effort]),
  ...(options.timeout === undefined ? [] : ['--timeout', durationWord(options.timeout)]),
  ...(options.maxTime === undefined ? [] : ['--max-time', durationWord(options.maxTime)]),
  ...(options.concurrency === undefined ? [] : ['--concurrency', String(options.concurrency)]),
  ...(options.rate === undefined ? [] : ['--rate', `${options.rate}/s`]),
  ...(options.deviations === undefined ? [] : ['--deviations', options.deviations]),
  ...(options.failOn === undefined ? [] : ['--fail-on', options.failOn.join(',')]),
  ...(options.requireBackends === true ? ['--require-backends'] : []),
  ...(options.failOnUnstable === true ? ['--fail-on-unstable'] : []),
  ...(options.reproduce === false ? ['--no-reproduce'] : []),
  ...(options.against === undefined ? [] : ['--against', options.against]),
  ...(options.againstTokenFile === undefined ? [] : ['--against-token-file', options.againstTokenFile]),
  ...(options.againstDialect === undefined ? [] : ['--against-dialect', options.againstDialect]),
  ...(options.againstCaCert === undefined ? [] : ['--against-ca-cert', options.againstCaCert]),
  ...(options.againstClientCert === undefined ? [] : ['--against-client-cert', options.againstClientCert]),
  ...(options.againstClientKey === undefined ? [] : ['--against-client-key', options.againstClientKey]),
  ...Object.keys(options.header ?? {}).flatMap((name) => ['--header', `${name}: <value>`]),
  ...Object.entries(options.headerEnv ?? {}).flatMap(([name, variable]) => ['--header-env', `${name}=${variable}`]),
]

/** Words that select the same checks again. */
export const selectionWords = (options: CertifyOptions): string[] => [
  // A profile names its engines by itself.
  ...(options.engine === undefined || options.profile !== undefined ? [] : ['--engine', options.engine.join(',')]),
  ...(options.clause === undefined ? [] : ['--clause', options.clause.join(',')]),
  ...(options.check === undefined ? [] : ['--check', options.check.join(',')]),
  ...(options.kind === undefined ? [] : ['--kind', options.kind.join(',')]),
  ...(options.within === undefined ? [] : ['--within', durationWord(options.within)]),
  ...(options.maxFailures === undefined ? [] : ['--max-failures', String(options.maxFailures)]),
  ...(options.shard === undefined ? [] : ['--shard', `${options.shard.index}/${options.shard.of}`]),
  ...(options.replay === undefined ? [] : ['--replay', options.replay]),
]
