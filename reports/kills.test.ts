/** Faults and variants: the page of a proof, and its table. */
import { describe, expect, it } from 'vitest'
import { killTable, renderProofPage } from './index.ts'
import { killSummary } from './kills.ts'
import { sampleResults } from './testing/sample-results.ts'

const results = sampleResults()

describe('the page of a proof', () => {
  const { kills = [], variants = [] } = results
  const wire = [{ id: 'kv1.read 200: /data dropped', operation: 'kv1.read', killed: false, clauses: ['KV-READ-01'] }]

  it('is proven only when nothing is missing', () => {
    expect(renderProofPage({ kills: [kills[0]!], variants: [variants[0]!] })).toContain('</svg>Proven</h1>')
    expect(renderProofPage({ kills: [kills[0]!], variants: [], wire })).toContain('</svg>Not proven</h1>')
    expect(renderProofPage({ kills: [kills[0]!], variants: [], unproven: ['KV-META-01'] })).toContain('</svg>Not proven</h1>')
    expect(renderProofPage({ kills: [], variants: [] })).toContain('</svg>Not proven</h1>')
  })

  it('shows every fault, what wire faults were not found, and links nowhere it does not lead', () => {
    const page = renderProofPage({ kills, variants, wire, unproven: ['KV-META-01'], falsePositives: ['kv/read: <b>'], seconds: 12 })
    for (const kill of kills) expect(page).toContain(kill.fault)
    expect(page).toContain('kv1.read 200: /data dropped')
    expect(page).toContain('2 seeded faults are not caught. 2 legal behaviours are held against the server.')
    expect(page).toContain('1 required clause has a check, but no fault that it kills.')
    expect(page).toContain('kv/read: &lt;b>')
    expect(page).not.toContain('href="#clause-')
  })
})

describe('mutants on the page of a proof', () => {
  it('stand there with the rate of each engine, where they were tried', () => {
    const proof = { kills: [results.kills![0]!], variants: [] }
    const engines = [{ engine: 'kv', sampled: 25, judged: 8, relevant: 16, killed: 15, percent: 93.7 }]
    expect(renderProofPage({ ...proof, mutants: { seed: 4, engines } })).toContain(
      'kv: 15 of 16 killed (93.7%), 8 of 25 drawn are known to be no defects',
    )
    expect(renderProofPage(proof)).not.toContain('known to be no defects')
  })
})

describe('the kill matrix', () => {
  it('counts, and passes only when everything is killed and without a false positive', () => {
    const { kills = [], variants = [] } = results
    expect(killSummary(kills, variants)).toMatchObject({
      passed: false,
      total: { faults: 5, killed: 3, survived: 1, unreached: 1, variants: 2, falsePositives: 1 },
    })
    expect(killSummary([kills[0]!], [variants[0]!]).passed).toBe(true)
    expect(killSummary([], []).passed).toBe(false)
  })

  it('shows as text what is not as it should be', () => {
    const text = killTable(results.kills ?? [], results.variants)
    expect(text).toMatch(/^kv +2 +2 +0 +0 +0 +0 +1 +1 +0$/m)
    expect(text).toMatch(/^survived +ssh-ttl-uncapped /m)
    expect(text).not.toContain('kv-merge')
  })
})
