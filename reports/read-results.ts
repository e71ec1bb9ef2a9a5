/** Reads results.json back: a file that is not one is refused with the place in it that is wrong. */
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type { ErrorObject } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import schema from '../specs/meta/results.schema.json' with { type: 'json' }
import type { Results } from '../specs/meta/results.ts'
import { ResultsError } from './results-error.ts'
import { clip, oneLine } from './text.ts'

const MOST_PROBLEMS = 5

const compile = () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, verbose: true })
  addFormats.default(ajv)
  return ajv.compile<Results>(schema)
}
let compiled: ReturnType<typeof compile> | undefined

/**
 * Reads and validates a results file.
 * @param file path of a `results.json`, or of one that is packed (`.json.gz`)
 * @throws ResultsError when it cannot be read, is not JSON, or does not match `specs/meta/results.schema.json`
 */
export const readResults = async (file: string): Promise<Results> => {
  let text: string
  try {
    const bytes = await readFile(file)
    text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException
    throw new ResultsError(
      code === 'ENOENT' ? `${file} does not exist: name the results.json of a report` : `${file}: cannot be read (${code})`,
    )
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ResultsError(`${file}: is not JSON: ${oneLine((error as Error).message)}`)
  }
  const problems = resultsProblems(value)
  if (problems.length === 0) return value as Results
  const shown = problems.slice(0, MOST_PROBLEMS).map((problem) => `  ${problem}`)
  const rest = problems.length > MOST_PROBLEMS ? [`  and ${problems.length - MOST_PROBLEMS} more`] : []
  const remedy = '  results of another version have to be made again: run certify'
  throw new ResultsError([`${file}: does not look like results of assay:`, ...shown, ...rest, remedy].join('\n'))
}

/** What is wrong with a value as results, one line per place (`/clauses/3/level: ...`); empty when it is right. */
export const resultsProblems = (value: unknown): string[] => {
  compiled ??= compile()
  return compiled(value) ? [] : (compiled.errors ?? []).map(problemText)
}

const problemText = (error: ErrorObject): string => {
  const place = error.instancePath === '' ? 'top level' : oneLine(error.instancePath)
  const allowed = error.keyword === 'enum' ? `: ${(error.params as { allowedValues: string[] }).allowedValues.join(', ')}` : ''
  const seen = error.keyword === 'required' ? '' : ` (found ${clip(oneLine(JSON.stringify(error.data) ?? 'nothing'), 60)})`
  return `${place}: ${error.message ?? 'is wrong'}${allowed}${seen}`
}
