/** The flags of `--against`. */
import type { Command } from 'commander'

export interface AgainstOptions {
  against?: string
  againstTokenFile?: string
  againstDialect?: string
  againstCaCert?: string
  againstClientCert?: string
  againstClientKey?: string
}

/** Holds the token of the second server. */
export const VARIABLE = 'ASSAY_AGAINST_TOKEN'

/** Adds the flags to a command. */
export const againstFlags = (command: Command): Command =>
  command
    .option('--against <url>', 'send the same programs to this server too, and list where its answers differ, as observations')
    .option('--against-token-file <file>', `file that holds the token of that server (or ${VARIABLE})`)
    .option('--against-dialect <name|file>', 'how that server spells the names; default as --dialect')
    .option('--against-ca-cert <file>', 'PEM file of the authority of that server; default as --ca-cert')
    .option('--against-client-cert <file>', 'PEM file of our certificate for that server')
    .option('--against-client-key <file>', 'PEM file of its key')
