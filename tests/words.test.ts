/** Plain words: none that the project gave up for a plainer one comes back. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../harness/contract/package-root.ts'

/** What was once written, and what is written for it; a word that holds one of them counts as well. */
const GIVEN_UP: Record<string, string> = {
  alarm: 'violation, or false positive',
  borrow: 'reserve',
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

/** Their forms that are spelled otherwise. */
const FORMS = new Map(
  Object.entries({
    curing: 'cure',
    housing: 'house',
    lend: 'loan',
    lending: 'loan',
    lends: 'loan',
    lent: 'loan',
    tooth: 'teeth',
  }),
)

/** Words of another meaning that hold one of them. */
const OTHERS = /^((zero)?address|addresse[sd]|addressing|background|indeed|lighthouse|obscured?|secured?|securely)$/

const PHRASES = ['mistake of ours', 'our mistake', 'our own mistake']

/** Files that are not the project's own text: generated, installed or of a third party. */
const LEFT_OUT = /^(\.git|node_modules|dist|coverage|assay-report.*|package-lock\.json|LICENSE|words\.test\.ts|.*\.(png|tgz))$/

const filesBelow = (folder: string): string[] =>
  readdirSync(join(packageRoot, folder), { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.test(name))
    .flatMap((entry) => (entry.isDirectory() ? filesBelow(join(folder, entry.name)) : entry.isFile() ? [join(folder, entry.name)] : []))

/** The words of a text, those of which names are put together among them. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+/g) ?? []

/** The word that was given up which a word is, or is a form of, or holds. */
const givenUp = (word: string): string | undefined =>
  OTHERS.test(word) ? undefined : (FORMS.get(word) ?? Object.keys(GIVEN_UP).find((one) => word.includes(one)))

/** What of a text was given up, each with what is written for it. */
const foundIn = (text: string): string[] => {
  const words = [...new Set(wordsOf(text))].flatMap((word) => {
    const one = givenUp(word)
    return one === undefined ? [] : [`${word}: rather ${GIVEN_UP[one]}`]
  })
  const flat = text.replace(/\s+/g, ' ').toLowerCase()
  return [...words, ...PHRASES.filter((phrase) => flat.includes(phrase)).map((phrase) => `${phrase}: rather internal error`)]
}

test('no word that was given up stands anywhere', () => {
  const files = filesBelow('.')
  const found = files.flatMap((path) =>
    foundIn(`${path} ${readFileSync(join(packageRoot, path), 'utf8')}`).map((what) => `${path}: ${what}`),
  )
  expect(found).toEqual([])
  expect(files.length).toBeGreaterThan(1300)
  for (const path of ['action.yml', 'pipelines/kubernetes.yaml', '.dependency-cruiser.cjs', 'docker/sshd/Dockerfile'])
    expect(files).toContain(path)
})

test('the search finds such words in names, in all their forms, and across lines', () => {
  const words = (text: string): string[] => foundIn(text).map((found) => found.split(':')[0]!)
  expect(words('foreignFields')).toEqual(['foreign'])
  expect(words('HOUSE_RULES, loans')).toEqual(['house', 'loans'])
  expect(words('borrowedChecks are lent; cured, curing, spoilt, undressed, twinned, groundwork')).toEqual(
    'borrowed lent cured curing spoilt undressed twinned groundwork'.split(' '),
  )
  expect(words('a mistake\nof ours')).toEqual(['mistake of ours'])
  expect(words('an address in the background, secured; a thousand, indeed, silent')).toEqual([])
})
