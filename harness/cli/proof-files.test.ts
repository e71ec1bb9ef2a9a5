import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { addMutants, knownKillers, LAST_KILLERS, writeProof } from './proof-files.ts'

const proof = { kills: [], variants: [], seconds: 3 }
const rates = { seed: 1, engines: [{ engine: 'kv', sampled: 25, judged: 8, relevant: 16, killed: 15, percent: 93.7 }] }

describe('the files of a proof', () => {
  let out = ''
  beforeEach(() => {
    out = mkdtempSync(join(tmpdir(), 'assay-proof-'))
  })
  afterEach(() => rmSync(out, { recursive: true, force: true }))
  const written = () => JSON.parse(readFileSync(join(out, 'proof.json'), 'utf8')) as unknown

  it.each([
    ['before', [addMutants, writeProof]],
    ['after', [writeProof, addMutants]],
  ])('hold the rates of mutants that were tried %s it in the same folder', (_, steps) => {
    for (const step of steps) {
      if (step === addMutants) addMutants(rates, out)
      else writeProof(proof, out)
    }
    expect(written()).toEqual({ ...proof, mutants: rates })
    expect(readFileSync(join(out, 'proof.html'), 'utf8')).toContain('kv: 15 of 16 killed')
  })

  it('tell which checks killed what', () => {
    expect(knownKillers(out, out)).toEqual(new Map())
    mkdirSync(join(out, 'authoring'))
    writeFileSync(join(out, LAST_KILLERS), '{ "a": "kv/before", "c": "kv/three" }')
    const record = { engine: 'kv', title: 't', clauses: ['KV-V1-01'] }
    const kills = [
      { ...record, fault: 'a', state: 'killed' as const, killedBy: ['kv/one'] },
      { ...record, fault: 'b', state: 'survived' as const, killedBy: [] },
    ]
    writeProof({ ...proof, kills }, out)
    const remembered: [string, string[]] = ['c', ['kv/three']]
    expect(knownKillers(out, out)).toEqual(new Map([['a', ['kv/one']], remembered]))
    writeFileSync(join(out, 'proof.json'), '{"kills": [')
    expect(knownKillers(out, out)).toEqual(new Map([['a', ['kv/before']], remembered]))
  })

  it('say nothing of mutants where none were tried', () => {
    writeProof(proof, out)
    expect(written()).toEqual(proof)
  })
})
