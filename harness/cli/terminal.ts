/** What the terminal can and the user wants. */
import type { WriteStream } from 'node:tty'

/** Whether to colour what goes to a stream: a terminal that shows colours, and neither NO_COLOR nor a dumb terminal. */
export const colorOn = (stream: NodeJS.WriteStream): boolean => stream.isTTY === true && (stream as WriteStream).hasColors()

/** A reader that stops early, such as `head`, must not end a run. */
export const outliveReaders = (): void => {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
    })
}
