/** What the terminal can and the user wants, and how lines are said on it. */
import { createReadStream, fstatSync } from 'node:fs'
import { Socket } from 'node:net'
import { isatty, ReadStream, WriteStream } from 'node:tty'
import { visible } from '../../specs/meta/unseen.ts'
import { withoutSecrets } from '../base/credential-guard.ts'

/** Whether to colour what goes to a stream: a terminal that shows colours, and neither NO_COLOR nor a dumb terminal. */
export const colorOn = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && (stream as Partial<WriteStream>).hasColors?.() === true

/** Says lines on stderr: without secrets, and without characters that would act on a terminal. */
export const say = (text: string): void => void process.stderr.write(`${visible(withoutSecrets(text))}\n`)

let failure: Error | undefined

/** Why something on standard output was lost; undefined where nothing was. */
export const outputFailure = (): Error | undefined => failure

/** A reader that stops early, such as `head`, must not end a run, and neither must a full disk that the output goes to. */
export const outliveReaders = (): void => {
  process.stderr.on('error', () => undefined)
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error
  })
}

/** What a user types or pipes in, read within a thread. */
const inputOfThread = (): ReadStream | Socket | ReturnType<typeof createReadStream> => {
  if (isatty(0)) return new ReadStream(0)
  const kind = fstatSync(0)
  return kind.isFIFO() || kind.isSocket() ? new Socket({ fd: 0, readable: true, writable: false }) : createReadStream('', { fd: 0 })
}

/** Gives this thread the terminal of the process, which knows its width and colours; a stream without a terminal stays as it is. */
export const useTerminal = (): void => {
  for (const [fd, name] of [undefined, 'stdout', 'stderr'].entries())
    if (name !== undefined && isatty(fd)) Object.defineProperty(process, name, { value: new WriteStream(fd), configurable: true })
  let input: ReturnType<typeof inputOfThread> | undefined
  Object.defineProperty(process, 'stdin', { get: () => (input ??= inputOfThread()), configurable: true })
}
