/** The flags of `assay serve`. */
import { existsSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { list, portNumber, proxyFlag } from '../flags.ts'
import type { ServeOptions } from '../serve.ts'

/** `NAME=MODULE`: a library stanza; the module is loaded with the environment of this process. */
const library = (text: string, before: Record<string, string> = {}): Record<string, string> => {
  const [, name, module] = /^([\w.-]+)=(.+)$/.exec(text) ?? []
  if (name === undefined || module === undefined)
    throw new InvalidArgumentError('expected NAME=MODULE, e.g. hsm=/usr/lib/softhsm/libsofthsm2.so')
  if (!existsSync(module)) throw new InvalidArgumentError(`module ${module} does not exist`)
  return { ...before, [name]: module }
}

export const serveCommand = (): Command =>
  new Command('serve')
    .description('run the reference server')
    .option('--listen <host:port>', 'where to listen', '127.0.0.1:8200')
    .addOption(new Option('--port <n>', 'listen on this port of 127.0.0.1').argParser(portNumber).conflicts('listen'))
    .addOption(new Option('--dialect <dialect>', 'how names are spelled').choices(['native', 'vault']).default('native'))
    .option('--no-tls', 'plain HTTP')
    .option('--ca-out <file>', 'write the PEM of its authority here')
    .option('--root-token <token>', 'use this root token')
    .option('--library <name=module>', 'a PKCS#11 module under the name of its stanza; repeatable', library)
    .option('--cloud-proxy <url>', 'send requests to cloud providers through this proxy', proxyFlag)
    .option('--cloud-ca <file>', 'PEM of the authority behind that proxy')
    .option('--fault <ids>', 'with these seeded defects', list)
    .option('--variant <ids>', 'with these legal alternatives', list)
    .action(async (options: ServeOptions) => (await import('../serve.ts')).serve(options))
