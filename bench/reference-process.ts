/** The reference server in a process of its own, so that it does not share a core's time with what is measured more than it must. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Server {
  url: string
  token: string
  stop(): void
}

const TOKEN = 'assay-bench-root-token'
const cli = fileURLToPath(new URL('../harness/cli/main.ts', import.meta.url))

/** Words that run the command line from its sources. */
export const cliWords = (...words: string[]): string[] => ['--import', 'tsx', cli, ...words]

/**
 * Starts the server on a free port of loopback.
 *
 * @param flags more words of its command line
 * @param environment more variables of its environment
 */
export const startServer = async (flags: string[] = [], environment: Record<string, string> = {}): Promise<Server> => {
  const child = spawn(process.execPath, cliWords('serve', '--listen', '127.0.0.1:0', '--no-tls', '--root-token', TOKEN, ...flags), {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  })
  const url = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const found = /http:\/\/[\d.]+:\d+/.exec(text)
      if (found !== null) resolve(found[0])
    })
    child.once('exit', (code) => reject(new Error(`the reference server ended with ${code}`)))
  })
  return { url, token: TOKEN, stop: () => child.kill() }
}
