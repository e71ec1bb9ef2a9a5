/** What this machine gives a run: places to write to, and the providers of backends. Tried before the run, so that none is lost for want of them. */
import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { providers } from '../backends/provider.ts'
import { requireKnown, UsageError } from '../base/usage.ts'
import { Journal } from '../cleanup/journal.ts'

/** The nearest folder above (or at) a path that exists. */
const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))

/**
 * Whether a folder can be made and written to. Leaves nothing behind. Makes one level at most: a recursive mkdir of Node never ends
 * below folders that hold no files of ours, such as /proc, and no signal stops it.
 */
const tryFolder = (folder: string): void => {
  const parent = existing(folder)
  if (!statSync(parent).isDirectory()) throw new Error(`${parent} is not a folder`)
  accessSync(parent, constants.W_OK)
  rmdirSync(mkdtempSync(join(parent, '.assay-')))
}

const firstLine = (error: unknown): string => (error as Error).message.split('\n')[0]!

/**
 * Tries the folder of a report.
 *
 * @param flag that names it, for the message.
 * @throws UsageError where nothing can be written.
 */
export const requireWritable = (out: string, flag = '--out'): void => {
  if (out.trim() === '') throw new UsageError(`${flag} is empty: name a folder`)
  try {
    tryFolder(resolve(out))
  } catch (error) {
    throw new UsageError(`${flag}: cannot write to ${out}: ${firstLine(error)}`)
  }
}

/**
 * Tries the place of a file that is written after a run.
 *
 * @param flag that names it, for the message.
 * @throws UsageError where it cannot be written.
 */
export const requireWritableFile = (flag: string, file: string): void => {
  try {
    if (existsSync(file)) accessSync(file, constants.W_OK)
    else tryFolder(dirname(resolve(file)))
  } catch (error) {
    throw new UsageError(`${flag}: cannot write ${file}: ${firstLine(error)}; name a file in a folder that can be written`)
  }
}

/**
 * Tries the folder of the journals, which runs that make something need.
 *
 * @throws UsageError where nothing can be written.
 */
export const requireState = (): void => {
  const folder = dirname(new Journal('trial').file)
  try {
    tryFolder(folder)
  } catch (error) {
    throw new UsageError(
      `cannot write to ${folder}, where a run notes what it makes: ${firstLine(error)}; set ASSAY_STATE_DIR to a folder that can be written`,
    )
  }
}

/**
 * Checks the names in `ASSAY_PROVIDERS`.
 *
 * @throws UsageError for a name that is not a provider.
 */
export const requireProviders = (): void =>
  requireKnown('provider in ASSAY_PROVIDERS', process.env.ASSAY_PROVIDERS?.split(',') ?? [], providers)
