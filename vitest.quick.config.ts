/** `npm run test:quick`: the tests that start no server and no program. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, mergeConfig } from 'vitest/config'
import whole from './vitest.config.ts'

const FOLDERS = ['authoring', 'harness', 'reference', 'reports', 'specs', 'suites']
/** What a test file imports that starts something. */
const STARTS =
  /reference\/index\.ts'|tests\/support\/(?!cli|misbehaviour|secrets-in-messages)[a-z-]+\.ts'|\bassay\b.*support\/cli\.ts'|node:child_process'/

const starting = FOLDERS.flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => join(folder, file)),
).filter((file) => STARTS.test(readFileSync(join(import.meta.dirname, file), 'utf8')))

export default mergeConfig(whole, defineConfig({ test: { exclude: ['**/node_modules/**', 'tests/**', ...starting], globalSetup: [] } }))
