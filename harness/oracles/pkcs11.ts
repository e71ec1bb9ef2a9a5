/** What is in the tokens of a PKCS#11 module, as OpenSC's tool sees it: a program of others, in a process of its own. */
import type { ModuleHandle, ModuleToken } from '../base/backend-handle.ts'
import { nameOfModule, turnsOf } from './module-turns.ts'
import { runProgram } from './programs.ts'

/** A private key in a token. */
export interface TokenKey {
  label: string
  /** Hexadecimal. */
  id: string
  /** `RSA` or `EC`. */
  type: string
}

/** A kind of key as the tool names it: `rsa:2048`, `EC:prime256v1`. */
export type KeyType = `rsa:${number}` | `EC:${string}`

const TOOL = 'pkcs11-tool'
const DEADLINE = 60_000

const run = async (handle: ModuleHandle, token: ModuleToken, args: string[]): Promise<string> => {
  const all = ['--module', handle.module, '--token-label', token.label, '--login', '--pin', 'env:ASSAY_PIN', ...args]
  const { code, stdout, stderr } = await runProgram(TOOL, all, { env: { ...handle.environment, ASSAY_PIN: token.pin }, within: DEADLINE })
  if (code !== 0) throw new Error(`${TOOL} ${args.join(' ')}: ${stderr.trim().split('\n').at(-1) || `exit code ${code}`}`)
  return stdout
}

const tool = (handle: ModuleHandle, token: ModuleToken, args: string[]): Promise<string> =>
  turnsOf(handle).beside(() => run(handle, token, args))

const objectsIn = (text: string, title: string): Record<string, string>[] =>
  text
    .split(/^(?=\S)/m)
    .filter((block) => block.startsWith(title))
    .map((block) => {
      const [first = '', ...lines] = block.split('\n')
      const fields = lines.flatMap((line) => {
        const [, name, value] = /^\s+(\w+):\s*(.*)$/.exec(line) ?? []
        return name === undefined ? [] : [[name, value ?? ''] as const]
      })
      return { kind: first.slice(title.length).trim(), ...Object.fromEntries(fields) }
    })

const OBJECTS = ['privkey', 'pubkey']
const deletion = (object: string, label: string): string[] => ['--delete-object', '--type', object, '--label', label]

/** Judges and fills tokens; each use of the module takes its turn. */
export const tokenOf = (handle: ModuleHandle, token: ModuleToken) => ({
  /** The private keys with a label, or all. */
  async keys(label?: string): Promise<TokenKey[]> {
    const found = objectsIn(await tool(handle, token, ['--list-objects', '--type', 'privkey']), 'Private Key Object;')
    const keys = found.map((one) => ({ label: one.label ?? '', id: one.ID ?? '', type: one.kind?.split(' ')[0] ?? '' }))
    return label === undefined ? keys : keys.filter((key) => key.label === label)
  },
  /** What the private key with a label may be used for, e.g. `sign`. */
  async uses(label: string): Promise<string[]> {
    const found = objectsIn(await tool(handle, token, ['--list-objects', '--type', 'privkey']), 'Private Key Object;')
    return (found.find((one) => one.label === label)?.Usage ?? '').split(', ').filter((use) => use !== '')
  },
  /** Length in bits of the public key with a label; undefined where there is none. */
  async bits(label: string): Promise<number | undefined> {
    const found = objectsIn(await tool(handle, token, ['--list-objects', '--type', 'pubkey']), 'Public Key Object;')
    const kind = found.find((one) => one.label === label)?.kind
    return kind === undefined ? undefined : Number(/(\d+) bits/.exec(kind)?.[1])
  },
  /** Names of the mechanisms that the module has, e.g. `SHA256-RSA-PKCS`. */
  async mechanisms(): Promise<string[]> {
    const text = await tool(handle, token, ['--list-mechanisms'])
    return [...text.matchAll(/^ {2}([\w-]+)/gm)].map(([, name]) => name ?? '')
  },
  /**
   * Makes a pair of keys, while no other program uses the module: SoftHSM counts the changes of a token in a file that each program
   * writes as it starts, after it has let go of its lock, so that a program which starts meanwhile may undo the count, and a server
   * that holds the token would not see the pair. An attempt that fails halfway leaves nothing to the next.
   */
  async generate(type: KeyType, label: string, id: string): Promise<void> {
    const make = () => run(handle, token, ['--keypairgen', '--key-type', type, '--label', label, '--id', id, '--usage-sign'])
    await turnsOf(handle).alone(async () => {
      try {
        await make()
      } catch (error) {
        for (const object of OBJECTS) await run(handle, token, deletion(object, label)).catch(() => undefined)
        throw error
      }
    })
  },
  /** Removes a pair of keys. */
  async remove(label: string): Promise<void> {
    for (const object of OBJECTS) await tool(handle, token, deletion(object, label))
  },
})

export type Token = ReturnType<typeof tokenOf>

interface Pool {
  free: ModuleToken[]
  waiting: (() => void)[]
}

/** By module: the same tokens for every server that a process tries. */
const pools = new Map<string, Pool>()

/** A module needs more tokens than these for one to be kept: checks use two at once. */
const USED_AT_ONCE = 2

/** Whether a module has a token that is kept for tests of wrong PINs. */
export const keepsToken = ({ tokens }: ModuleHandle): boolean => tokens.length > USED_AT_ONCE

/**
 * Gives tokens of a module that nobody else in this process uses meanwhile: some modules fail where a token changes below them.
 * Waits until so many are free, all at once, so that no two wait for each other.
 *
 * @param options `kept`: the last token instead, which nobody is given otherwise: one that no check has used with its PIN.
 * @returns the tokens, those that were used longest ago first, and what gives them back.
 * @throws Error where the module does not have so many.
 */
export const reserveTokens = async (
  handle: ModuleHandle,
  count: number,
  options: { kept?: boolean } = {},
): Promise<{ tokens: ModuleToken[]; giveBack(): void }> => {
  const { kept = false } = options
  const last = keepsToken(handle) ? handle.tokens.length - 1 : handle.tokens.length
  const all = kept ? handle.tokens.slice(last) : handle.tokens.slice(0, last)
  if (all.length < count) throw new Error(`the module has ${all.length} tokens, and ${count} are needed`)
  const key = `${nameOfModule(handle)}${kept ? ' kept' : ''}`
  const own = pools.get(key) ?? { free: [...all], waiting: [] }
  pools.set(key, own)
  while (own.free.length < count) await new Promise<void>((resolve) => own.waiting.push(resolve))
  const tokens = own.free.splice(0, count)
  return {
    tokens,
    giveBack() {
      own.free.push(...tokens)
      for (const wake of own.waiting.splice(0)) wake()
    },
  }
}
