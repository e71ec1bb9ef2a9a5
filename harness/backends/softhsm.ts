/** SoftHSM: a PKCS#11 module whose tokens are files below a folder of the run. Tokens exist before the target loads the module: later ones it would not see. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ModuleHandle, ModuleToken } from '../base/backend-handle.ts'
import { programEnvironment } from '../base/program-environment.ts'
import { findProgram } from './binaries.ts'
import { createInstance } from './private-instance.ts'
import type { ModuleKind, Provider } from './provider.ts'

const DEADLINE = 30_000
const TOKENS = 16
/** Names of the library stanzas that lead to the module: straight, and through the spy of OpenSC, which writes down every call. */
const LIBRARY = 'assay'
const SPIED = 'assay-spied'

const PLACES = [
  '/usr/lib/softhsm',
  '/usr/lib/x86_64-linux-gnu/softhsm',
  '/usr/lib/aarch64-linux-gnu/softhsm',
  '/usr/lib64/softhsm',
  '/usr/local/lib/softhsm',
]

const moduleFile = (): string | undefined => PLACES.map((folder) => join(folder, 'libsofthsm2.so')).find(existsSync)

/** The spy stands in the folder above that of a module. */
const spyFile = (): string | undefined =>
  PLACES.flatMap((folder) => ['', 'pkcs11'].map((sub) => join(folder, '..', sub, 'pkcs11-spy.so'))).find(existsSync)

/** The embedded reference loads modules through this package, which is compiled where it is installed. */
const bindingProblem = (): string | undefined => {
  try {
    createRequire(import.meta.url)('pkcs11js')
    return undefined
  } catch (error) {
    const words = error instanceof Error ? error.message.split('\n')[0] : String(error)
    return `the npm package pkcs11js cannot be loaded: ${words}`
  }
}

const versionOf = (program: string, environment: Record<string, string>): string =>
  execFileSync(program, ['--version'], { env: programEnvironment(environment), encoding: 'utf8' }).trim()

const local: Provider = {
  deadline: DEADLINE,
  async find() {
    const [program, module] = [findProgram('softhsm2-util'), moduleFile()]
    if (program === undefined || module === undefined) return { available: false, detail: 'no softhsm2 on this machine' }
    if (spyFile() === undefined) return { available: false, detail: 'no pkcs11-spy.so of opensc on this machine' }
    const problem = bindingProblem()
    return problem === undefined ? { available: true, detail: module } : { available: false, detail: problem }
  },
  async start(context) {
    const instance = createInstance('softhsm', context.journal)
    try {
      const [program, module] = [findProgram('softhsm2-util')!, moduleFile()!]
      const configuration = join(instance.folder, 'softhsm2.conf')
      writeFileSync(
        configuration,
        `directories.tokendir = ${instance.subfolder('tokens')}\nobjectstore.backend = file\nlog.level = ERROR\n`,
      )
      instance.own(configuration)
      const environment = { SOFTHSM2_CONF: configuration }
      // It shows PINs: nobody else reads it, and it goes with the folder.
      const spyLog = join(instance.folder, 'spy.log')
      writeFileSync(spyLog, '', { mode: 0o600 })
      const spied = { module: spyFile()!, environment: { ...environment, PKCS11SPY: module, PKCS11SPY_OUTPUT: spyLog } }
      const tokens: ModuleToken[] = []
      for (let index = 0; index < TOKENS; index += 1) {
        const [label, pin] = [`assay-${randomBytes(4).toString('hex')}`, randomBytes(12).toString('hex')]
        const init = ['--init-token', '--free', '--label', label, '--pin', pin, '--so-pin', randomBytes(12).toString('hex')]
        const output = await instance.run(program, init, { env: environment, signal: context.signal })
        const slot = /slot (\d+)/.exec(output.split('\n').at(-1) ?? '')?.[1]
        if (slot === undefined) throw new Error(`softhsm2-util does not say where the token is: ${output}`)
        tokens.push({ label, slot, pin })
      }
      const handle: ModuleHandle = {
        name: 'softhsm',
        provider: 'local',
        version: versionOf(program, environment),
        extra: { library: LIBRARY, spiedLibrary: SPIED, spyLog },
        module,
        environment,
        tokens,
        server: { libraries: { [LIBRARY]: { module, environment }, [SPIED]: spied }, settings: { managedKeys: { library: LIBRARY } } },
      }
      return { handle, stop: instance.remove }
    } catch (error) {
      await instance.remove()
      throw error
    }
  },
}

const textIn = (value: unknown, what: string): string => {
  if (typeof value !== 'string' || value === '') throw new Error(`backends.softhsm names no ${what}`)
  return value
}

export const softhsm: ModuleKind = {
  name: 'softhsm',
  toldBeforehand: true,
  providers: { local },
  async attach({ module: file, tokens, environment = {}, library, spiedLibrary, spyLog }) {
    const module = textIn(file, 'module')
    if (!existsSync(module)) throw new Error(`module ${module} does not exist`)
    if (!Array.isArray(tokens) || tokens.length === 0) throw new Error('backends.softhsm names no tokens')
    const name = library === undefined ? LIBRARY : textIn(library, 'library')
    return {
      name: 'softhsm',
      provider: 'external',
      version: 'external',
      extra: {
        library: name,
        ...(spiedLibrary === undefined ? {} : { spiedLibrary: textIn(spiedLibrary, 'spiedLibrary'), spyLog: textIn(spyLog, 'spyLog') }),
      },
      module,
      environment: environment as Record<string, string>,
      tokens: tokens as ModuleToken[],
      server: { settings: { managedKeys: { library: name } } },
    }
  },
  tools: [{ program: 'pkcs11-tool', packages: ['opensc'] }],
  packages: ['softhsm2', 'opensc'],
  remedy: 'apt-get install softhsm2 opensc, and npm rebuild pkcs11js where it was not compiled; or name a module in backends.softhsm',
}
