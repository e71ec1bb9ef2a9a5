/** What is tried of faults that somebody names, and what becomes of a proof that is interrupted. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadContract } from '../harness/contract/load.ts'
import { checksConcerned } from '../harness/mutation/named-faults.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { allFaults } from '../reference/faults/index.ts'
import { assay } from './support/cli.ts'

describe('the checks that a named fault is tried with', () => {
  const concerned = async (id: string) => {
    const contract = await loadContract()
    const all = await catalogue(contract, ['kv', 'ssh'])
    const faults = allFaults.filter((fault) => fault.id === id)
    return checksConcerned(contract, all, { engines: ['kv'], faults, variants: [] })
  }

  test('are those of its clauses', async () => {
    const checks = await concerned('kv/v1-write-dropped')
    expect(checks.length).toBeGreaterThan(0)
    expect(checks.every(({ clauses }) => clauses.includes('KV-V1-02'))).toBe(true)
  })

  test('are all of its engine where schemas decide one', async () => {
    const checks = await concerned('kv/list-newest-missing')
    expect(checks.some(({ kind }) => kind === 'contract')).toBe(true)
    expect(checks.length).toBeGreaterThan(50)
    expect(new Set(checks.map(({ engine }) => engine))).toEqual(new Set(['kv']))
  })
})

test('a named fault is answered without a clean run of everything and without wire faults', async () => {
  const ran = await assay(['prove', '--engine', 'kv', '--fault', 'kv/v1-write-dropped', '--out', 'proof'])
  expect(ran.code, ran.all).toBe(0)
  expect(ran.all).not.toMatch(/a clean run first|wire faults:/)
  expect(ran.stdout).toContain('Proven: 1 fault killed')
})

test('an interrupted proof decides nothing', async () => {
  const ran = await assay(['prove', '--engine', 'kv', '--fault', 'kv/v1-write-dropped', '--out', 'proof'], {
    during: ({ kill, stderr }) => {
      const poll = setInterval(() => {
        if (!stderr().includes('checks concerned')) return
        clearInterval(poll)
        kill('SIGTERM')
      }, 20)
    },
  })
  expect(ran.code, ran.all).toBe(130)
  expect(ran.stdout).toBe('')
  expect(ran.stderr).toContain('interrupted: what was under way is not decided')
  expect(ran.all).not.toMatch(/survived|blocked|unreached/)
  expect(existsSync(join(ran.folder, 'proof', 'proof.json'))).toBe(false)
})
