import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../harness/contract/package-root.ts'
import { RESULTS_TYPES, resultsTypes } from './results-types.ts'

test('the types of results.json are those of its schema: else run npm run types', async () => {
  expect(readFileSync(join(packageRoot, RESULTS_TYPES), 'utf8')).toBe(await resultsTypes())
})
