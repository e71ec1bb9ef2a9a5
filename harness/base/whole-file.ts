/** Files that are whole or absent: what is cut off by a full disk never stands in their place. */
import { mkdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { NotWritten } from './errors.ts'

/** Errors of a folder that is not writable, although a file in it may be. */
const CLOSED = ['EACCES', 'EPERM', 'EROFS']

const besideAndMoved = (place: string, content: string | Uint8Array, mode: number): void => {
  const beside = `${place}.${process.pid}.partial`
  try {
    writeFileSync(beside, content, { mode })
    renameSync(beside, place)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}

const inItsPlace = (place: string, content: string | Uint8Array, mode: number): void => {
  try {
    besideAndMoved(place, content, mode)
  } catch (error) {
    if (!CLOSED.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    writeFileSync(place, content)
  }
}

/**
 * Writes a file beside its place and moves it there; makes its folder where it is absent. An existing file keeps its mode. Anything but a
 * regular file, such as a terminal, is written to directly.
 *
 * @param mode of a file that is new; default what everybody may read.
 * @throws NotWritten, which names the file.
 */
export const writeWhole = (file: string, content: string | Uint8Array, mode = 0o666): void => {
  try {
    mkdirSync(dirname(file), { recursive: true })
    const known = statSync(file, { throwIfNoEntry: false })
    if (known === undefined) besideAndMoved(file, content, mode)
    else if (known.isFile()) inItsPlace(realpathSync(file), content, known.mode & 0o777)
    else writeFileSync(file, content)
  } catch (error) {
    throw new NotWritten(file, error as Error)
  }
}
