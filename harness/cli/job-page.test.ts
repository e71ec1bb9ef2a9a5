import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { imagine } from '../outcomes/testing/imagined.ts'
import { showOnJobPage } from './job-page.ts'

const results = imagine({ engines: { kv: [{ seen: 'verified' }, { seen: 'violated' }] } })

test('a step of GitHub Actions gets a summary and annotations, and nothing else gets them', () => {
  const said: string[] = []
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0)
  const summary = join(temporaryFolder(), 'summary.md')
  showOnJobPage(results, {})
  showOnJobPage(results, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary })
  showOnJobPage(results, { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: '/dev/null/x' })
  write.mockRestore()
  expect(said[0]).toMatch(/^::error title=KV-C-02::/)
  expect(readFileSync(summary, 'utf8')).toMatch(/^# .*imagined/)
  expect(said.at(-1)).toMatch(/summary of the step could not be written/)
})
