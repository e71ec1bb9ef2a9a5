/** npm as a program, for any account. */
import { execFileSync } from 'node:child_process'
import { temporaryFolder } from './cli.ts'

/**
 * Runs npm in a folder and returns what it prints. It keeps what it writes down in a folder of its own: not every account has a home for that.
 *
 * @throws Error where npm fails.
 */
export const npm = (words: string[], folder: string): string =>
  execFileSync('npm', words, {
    cwd: folder,
    env: { ...process.env, npm_config_cache: temporaryFolder() },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
