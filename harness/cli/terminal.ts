/** What the terminal can and the user wants, and how lines are said on it. */
import type { WriteStream } from 'node:tty'
import { visible } from '../../specs/meta/unseen.ts'
import { withoutSecrets } from '../base/credential-guard.ts'

/** Whether to colour what goes to a stream: a terminal that shows colours, and neither NO_COLOR nor a dumb terminal. */
export const colorOn = (stream: NodeJS.WriteStream): boolean => stream.isTTY === true && (stream as WriteStream).hasColors()

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
