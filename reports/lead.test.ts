import { describe, expect, it } from 'vitest'
import type { Decision } from '../specs/meta/results.ts'
import { terminalSummary } from './index.ts'
import { renderJunit } from './junit.ts'
import { contrastOf, leadOf, sourceOf } from './lead.ts'
import { renderMarkdown } from './markdown.ts'
import { renderPage } from './page/document.tsx'
import { renderSarif } from './sarif.ts'
import { sampleResults } from './testing/sample-results.ts'

const decision = (more: Partial<Decision>): Decision => ({ clause: 'A-1', outcome: 'violated', ...more })

describe('the lead line', () => {
  it('says expected and seen once', () => {
    const said = decision({ message: 'the key: expected null, got ""', expected: 'null', seen: '' })
    expect(leadOf(said, '')).toBe('the key: expected null, got ""')
    expect(contrastOf(said)).toEqual({})
  })
  it('adds them where the message does not', () => {
    expect(leadOf(decision({ message: 'the status', expected: '404', seen: '200' }), '')).toBe('the status: expected 404, got 200')
    expect(leadOf(undefined, 'it hangs')).toBe('it hangs')
  })
})

describe('the source of a clause', () => {
  it.each([
    ['4.4', 'Secrets service, section 4.4'],
    ['1.2, 4.1', 'Secrets service, sections 1.2, 4.1'],
    ['4.1 GET secret/<key>', 'Secrets service, section 4.1 GET secret/<key>'],
  ])('of section %s reads %s', (section, words) => expect(sourceOf({ source: { title: 'Secrets service', section } })).toBe(words))

  it('never shows as a file name in any format', () => {
    const results = sampleResults()
    for (const text of [terminalSummary(results), renderMarkdown(results), renderPage(results), renderSarif(results), renderJunit(results)])
      expect(text).not.toMatch(/\.txt\b/)
    for (const text of [terminalSummary(results), renderPage(results), renderSarif(results)])
      expect(text).toContain('Secrets service, section 2.3')
  })
})
