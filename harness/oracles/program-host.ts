/** Runs programs for the process that started this one: a system copies what it knows of the starter's memory for every program, and this one has little. */
import { spawn } from 'node:child_process'

/** What a program is to be run with. */
export interface ProgramCall {
  id: number
  command: string
  args: string[]
  env: NodeJS.ProcessEnv
  input: string
  /** Milliseconds; the program is killed afterwards. */
  within: number
}

/** What became of it: how it ended, or why it could not be started. */
export interface ProgramResult {
  id: number
  ended?: { code: number; stdout: string; stderr: string }
  failure?: string
}

const run = ({ id, command, args, env, input, within }: ProgramCall, answer: (result: ProgramResult) => void): void => {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env, timeout: within, killSignal: 'SIGKILL' })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text
    })
  }
  child.once('error', ({ message }) => answer({ id, failure: message }))
  child.once('close', (code) => answer({ id, ended: { code: code ?? -1, ...texts } }))
  // A program that does not read its input is not an error.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
}

process.on('message', (call: ProgramCall) => run(call, (result) => process.send?.(result)))
// The starter says when it is over, by its end if by nothing else; a key pressed in its terminal reaches this process too.
process.once('disconnect', () => process.exit())
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
