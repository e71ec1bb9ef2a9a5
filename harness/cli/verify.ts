/** `assay verify FILE --key PUB`: checks a signed statement, the artefacts beside it, and that the verdict follows from the results. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ResultsError, readResults } from '../../reports/index.ts'
import { UsageError } from '../base/usage.ts'
import { contradictionsIn } from '../results/contradictions.ts'
import { verifierOf } from '../results/signing-key.ts'
import { digestOf, disagreements, openStatement, type Statement, StatementError } from '../results/statement.ts'
import { exit } from './exit.ts'

const RESULTS = 'results.json'

/** A file beside the statement or in a folder there; nothing else is read. */
const isBeside = (name: string): boolean => /^(?:evidence\/)?[^/\\]+$/.test(name) && !name.includes('..')

const changed = ({ subject }: Statement, folder: string): string[] =>
  subject.flatMap(({ name, digest }) => {
    const file = join(folder, name)
    if (!isBeside(name) || !existsSync(file)) return [`${name} is not there`]
    return digestOf(readFileSync(file)).sha256 === digest.sha256 ? [] : [`${name} was changed after it was signed`]
  })

/** Verifies a statement and says what is wrong, or what it is about; returns the exit code. */
export const verify = async (file: string, { key }: { key: string }): Promise<number> => {
  const verifies = verifierOf(key)
  if (!existsSync(file)) throw new UsageError(`${file} does not exist: name the statement that --sign wrote`)
  const folder = dirname(file)
  const complain = (problems: readonly string[]): number => {
    for (const problem of problems) process.stderr.write(`assay: ${file}: ${problem}\n`)
    return exit.failed
  }
  try {
    const statement = openStatement(readFileSync(file, 'utf8'), verifies)
    const wrong = changed(statement, folder)
    if (!statement.subject.some(({ name }) => name === RESULTS)) wrong.push(`the statement is not about ${RESULTS}`)
    if (wrong.length > 0) return complain(wrong)
    const results = await readResults(join(folder, RESULTS))
    const contradictions = [...contradictionsIn(results), ...disagreements(statement, results)]
    if (contradictions.length > 0) return complain(contradictions)
    const { verdict, gate, target, suite, profile } = statement.predicate
    process.stdout.write(
      [
        `verified  ${statement.subject.length} artefacts, signed by this key; the verdict follows from the results`,
        `verdict   ${verdict}, gate ${gate}`,
        ...(profile === undefined
          ? []
          : [`profile   ${profile.certified ? 'certified' : 'not certified'} for ${profile.name}, digest ${profile.digest.sha256}`]),
        `target    ${target.name}${target.server === undefined ? '' : `, ${target.server}`}`,
        `suite     assay ${suite.version}, package ${suite.package.sha256}`,
        '',
      ].join('\n'),
    )
    return exit.passed
  } catch (error) {
    if (error instanceof StatementError || error instanceof ResultsError) return complain([error.message])
    throw error
  }
}
