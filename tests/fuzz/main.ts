/**
 * `npm run fuzz -- --cells 200 --seed 1`, or `--all` for every cell: odd answers of operations that give or take a secret, and of those that the tool
 * itself asks. No secret may be in what a run leaves, the report has to be there, the exit code right and the deadline kept.
 * `--shapes '500 HTML,307'` tries only these, `--program FILE` another build of the command line.
 */
import { parseArgs } from 'node:util'
import { seededRandom } from '../../harness/checks/seeded-random.ts'
import { Journal } from '../../harness/cleanup/journal.ts'
import { removeAbandoned } from '../../harness/cli/leftovers.ts'
import { newRunName } from '../../harness/running/open-run.ts'
import { localJournal } from '../../harness/running/used-backends.ts'
import { PROGRAM } from '../support/command-line.ts'
import { Deck } from './cells.ts'
import { type FuzzRun, fuzzRun } from './fuzz-run.ts'
import { drawChecks, startShared } from './shared-server.ts'
import { Tally } from './tally.ts'

/** Of one operation in one run. */
const MOST = 8
/** Runs without a single new cell: nothing more can be reached. */
const PATIENCE = 5

const { values } = parseArgs({
  options: {
    cells: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    all: { type: 'boolean', default: false },
    program: { type: 'string' },
    shapes: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const wanted = values.all ? Number.POSITIVE_INFINITY : Number(values.cells)
const say = (line: string): void => void process.stderr.write(`${line}\n`)

const program = values.program === undefined ? PROGRAM : ([process.execPath, values.program] as const)

await removeAbandoned()
const journal = new Journal(newRunName())
const server = await startShared(localJournal(journal), say)
const deck = new Deck(seed, values.shapes?.split(','))
const tally = new Tally()
try {
  for (let number = 1, idle = 0; tally.cells < wanted && idle < PATIENCE; number += 1) {
    const run: FuzzRun = await fuzzRun(server, {
      deck,
      most: MOST,
      checks: drawChecks(server, seededRandom(seed, `run ${number}`)),
      program,
    })
    idle = run.sent.length === 0 ? idle + 1 : 0
    tally.add(run)
    say(
      `run ${number}: ${run.sent.length} cells, ${run.secrets.size} secrets, exit ${run.code}, ${run.seconds.toFixed(0)} s, ${run.leaks.length} leaks${run.wrong.map((one) => `\n  WRONG: ${one}`).join('')}`,
    )
    if (values.verbose) for (const leak of run.leaks) say(`  ${leak.artefact}, ${leak.form}: ${JSON.stringify(leak.around)}`)
  }
} finally {
  await server.close()
  journal.close()
}
process.stdout.write(tally.table())
// A machine on which the cells wanted cannot be reached has not been tried.
if (!tally.holds || (!values.all && tally.cells < wanted)) process.exitCode = 1
