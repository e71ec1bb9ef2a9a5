/** Where runs note what they make. */
import { accessSync, constants, existsSync, lstatSync, mkdirSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import envPaths from 'env-paths'

/** Whether a folder is there and can be written to, or can be made. */
const isUsable = (folder: string): boolean => {
  if (!existsSync(folder)) return dirname(folder) !== folder && isUsable(dirname(folder))
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return statSync(folder).isDirectory()
  } catch {
    return false
  }
}

const account = (): string => String(process.getuid?.() ?? userInfo().username)

/**
 * A folder of this account below that of temporary files, whose name anybody could have taken first: it must be a folder of ours that
 * nobody else may write to.
 */
const temporary = (): string | undefined => {
  const folder = join(tmpdir(), `assay-state-${account()}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(folder)
    const ours = process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
    return ours && lstatSync(folder).isDirectory() ? folder : undefined
  } catch {
    return undefined
  }
}

/**
 * The folder of the journals: `ASSAY_STATE_DIR`, else the data folder of the account, else, where an account has no home that it can
 * write to, a folder of its own among the temporary files.
 */
export const stateFolder = (): string => {
  const named = process.env.ASSAY_STATE_DIR
  if (named !== undefined) return named
  const usual = join(envPaths('assay', { suffix: '' }).data, 'journal')
  return isUsable(usual) ? usual : (temporary() ?? usual)
}
