/** Words that nobody has to have explained: those that the project gave up for plainer ones come back nowhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../harness/contract/root.ts'

/** What was once written, and what is written for it. */
const GIVEN_UP: Record<string, string> = {
  alarm: 'violation, or false positive',
  calm: 'variant',
  climb: 'go on to the next',
  cure: 'remedy',
  deed: 'effect',
  dress: 'dialect',
  essence: 'the plain noun',
  foreign: 'other, unknown, of another',
  ground: 'reason',
  house: 'the plain noun',
  ladder: 'provider chain',
  loan: 'lease',
  rung: 'provider',
  spoil: 'change',
  teeth: 'fault',
  twin: 'control',
}
const PHRASES = ['mistake of ours']

const FOLDERS = '.ci .github authoring bench bin dialects docker docs harness reference reports scripts specs suites targets tests'.split(
  ' ',
)
const PAGES = 'README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md package.json'.split(' ')
const TEXTS = /(\.(ts|js|cjs|mjs|tsx|json|ya?ml|md|sh|css|html)|\/run|Dockerfile)$/

const texts = [
  ...PAGES,
  ...FOLDERS.flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(packageRoot, join(entry.parentPath, entry.name)))
      .filter((path) => TEXTS.test(path) && !path.includes('node_modules') && path !== 'tests/words.test.ts'),
  ),
]

/** The words of a text, those of which names are put together among them. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+/g) ?? []

const WORDS = new Map(
  Object.keys(GIVEN_UP).flatMap((word) => ['', 's', 'es', 'd', 'ed', 'ing'].map((ending) => [`${word}${ending}`, word] as const)),
)

const foundIn = (text: string): string[] => [
  ...wordsOf(text).filter((word) => WORDS.has(word)),
  ...PHRASES.filter((phrase) => text.replace(/\s+/g, ' ').includes(phrase)),
]

test('no word that was given up stands anywhere', () => {
  const found = texts.flatMap((path) =>
    [...new Set([...wordsOf(path), ...foundIn(readFileSync(join(packageRoot, path), 'utf8'))])]
      .filter((word) => WORDS.has(word) || PHRASES.includes(word))
      .map((word) => `${path}: ${word}; rather ${GIVEN_UP[WORDS.get(word) ?? ''] ?? 'internal error'}`),
  )
  expect(found).toEqual([])
  expect(texts.length).toBeGreaterThan(900)
})

test('the search finds such words in names, in their plural, and across lines', () => {
  expect(foundIn('foreignFields')).toEqual(['foreign'])
  expect(foundIn('HOUSE_RULES, loans')).toEqual(['house', 'loans'])
  expect(foundIn('a mistake\nof ours')).toEqual(['mistake of ours'])
  expect(foundIn('an address in the background, secured')).toEqual([])
})
