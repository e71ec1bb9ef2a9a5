import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { imagine } from '../outcomes/testing/imagined.ts'
import { matchDeviations } from '../planning/deviations.ts'
import { draftDeviations, draftText, signatureOf } from './draft-deviations.ts'
import { decidedIn, failuresIn } from './failed-decisions.ts'

test.each([
  ['expected status 404, got 200', 'expected status 404, got 200'],
  [
    'kv1.read of "assay-ab12cd-9" answered 500, which is not a refusal (3 of 120 answers; seen in kv/x)',
    'answered 500, which is not a refusal',
  ],
  ['short 1a', undefined],
  ['it said \u202e\u009b and nothing more', 'and nothing more'],
])('takes what the next run says again as the signature: %s', (reason, signature) => {
  expect(signatureOf(reason)).toBe(signature)
})

test('drafts an entry for everything that the gate holds against the run, and nothing else', () => {
  const results = imagine({
    engines: {
      kv: [{ seen: 'verified' }, { seen: 'violated' }, { seen: 'violated', level: 'advised' }, { seen: 'blocked' }, { seen: 'violated' }],
    },
    deviations: [{ clause: 'KV-C-05', reason: 'known for long', owner: 'us' }],
  })
  const drafts = draftDeviations(results)
  expect(drafts.map(({ clause, check, outcome }) => [clause, check, outcome])).toEqual([
    ['KV-C-02', 'kv/c-02', undefined],
    ['KV-C-04', 'kv/c-04', 'blocked'],
  ])
  expect(parse(draftText(results, drafts))).toMatchObject({
    target: 'imagined',
    deviations: [{ clause: 'KV-C-02' }, { clause: 'KV-C-04' }],
  })
})

test('a drafted entry covers the failure in the next run and in its results alike', () => {
  const engines = { kv: [{ seen: 'verified' as const }, { seen: 'violated' as const }, { seen: 'blocked' as const }] }
  const drafts = draftDeviations(imagine({ engines }))
  const next = imagine({ engines, deviations: drafts })
  expect(next.gate).toBe('passed')
  const { records, uncovered } = matchDeviations(drafts, failuresIn(next), decidedIn(next), [], '2026-11-21')
  expect(records.map(({ state }) => state)).toEqual(['matched', 'matched'])
  expect(uncovered).toEqual([])
})
