/** A watched run is refused where it makes no sense. */
import { expect, test } from 'vitest'
import { assay } from './support/cli.ts'

test('a watched run is refused where it makes no sense', { timeout: 120_000 }, async () => {
  const refused = await Promise.all([
    assay(['certify', '--embedded', '--watch']),
    assay(['certify', 'http://127.0.0.1:1', '--watch-path', 'x']),
  ])
  expect(refused.map(({ code }) => code)).toEqual([2, 2])
  expect(refused[0]!.stderr).toMatch(/--watch and --embedded exclude each other/)
  expect(refused[1]!.stderr).toMatch(/--watch-path needs --watch/)
})
