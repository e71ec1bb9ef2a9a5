import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from './package-root.ts'
import { readSpecs } from './read-specs.ts'
import { contractIn, digestOfSpecs, snapshotOf } from './snapshot.ts'

const specs = join(packageRoot, 'specs')

it('a contract comes back from its snapshot as it was, and one schema is still one object', { timeout: 30_000 }, async () => {
  const contract = await readSpecs(specs)
  const again = contractIn(snapshotOf(contract, specs), specs, digestOfSpecs(specs))!
  expect(again).toEqual(contract)
  const schemasOf = ({ operations }: typeof contract) =>
    [...operations.values()].flatMap(({ request, responses }) => [request?.schema, ...Object.values(responses).map(({ schema }) => schema)])
  const [before, after] = [schemasOf(contract), schemasOf(again)]
  expect(new Set(before).size).toBeLessThan(before.length)
  expect(after.map((schema) => after.indexOf(schema))).toEqual(before.map((schema) => before.indexOf(schema)))
})

it('a snapshot of other specs is not taken: a change, a new file and a new name count', { timeout: 30_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-specs-'))
  try {
    cpSync(specs, folder, { recursive: true })
    const digest = digestOfSpecs(folder)
    expect(digest).toBe(digestOfSpecs(specs))
    writeFileSync(join(folder, 'more.yaml'), '')
    expect(digestOfSpecs(folder)).not.toBe(digest)
    expect(contractIn(snapshotOf(await readSpecs(specs), specs), folder, digestOfSpecs(folder))).toBeUndefined()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
