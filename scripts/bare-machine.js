// The first command and the tests on machines that lack something: each tool hidden alone, all of them, and accounts that are not root.
// Prints a table; exits with 1 where a row fails, or where tools cannot be hidden. Needs root. --whole certifies all engines in every row, all of
// them, and runs all tests where everything is hidden; without it those tests run that say that they need what is hidden. --row NAME tries that row alone,
// --third N (0, 1 or 2) every third of the rows where one tool is hidden.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const NOT_PERMITTED = 97
const whole = process.argv.includes('--whole')
const LONGEST = (whole ? 45 : 15) * 60_000
const TOOLS = ['postgresql', 'mariadb', 'rabbitmq', 'sshd', 'ssh', 'ssh-keygen', 'openssl', 'softhsm2', 'pkcs11-tool', 'chromium', 'docker']
/** Certifying needs neither: only tests do, and are tried without them where everything is hidden. */
const OF_TESTS = ['curl', 'git']
const ALL = [...TOOLS, ...OF_TESTS]
/** What is certified where one tool is hidden. An engine that is named and cannot be tried at all does not pass, so the broker's is left unnamed. */
const ENGINES = {
  postgresql: 'database',
  mariadb: 'database',
  sshd: 'ssh',
  ssh: 'ssh',
  'ssh-keygen': 'ssh',
  openssl: 'pki',
  softhsm2: 'managed-keys',
  'pkcs11-tool': 'managed-keys',
  chromium: 'kv',
  docker: 'database',
}
/** How many parts the whole has, of which a row with `part` certifies one: the whole itself is certified where everything is hidden. */
const PARTS = 5
/** The backend that is not to be had without a tool. Without PostgreSQL the npm package takes its place. */
const BACKENDS = { mariadb: 'mariadb', rabbitmq: 'rabbitmq', sshd: 'sshd', ssh: 'sshd', softhsm2: 'softhsm', 'pkcs11-tool': 'softhsm' }
/** Backends that clauses cannot be decided without. What MariaDB shows, PostgreSQL shows too. */
const DECIDING = ['rabbitmq', 'sshd', 'softhsm']

/** Test files that say what they need of the machine. */
const toolTests = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return toolTests(path)
    return /\.test\.tsx?$/.test(path) && /support\/(needs|browser)\.ts'/.test(readFileSync(join(root, path), 'utf8')) ? [path] : []
  })
const sayingNeeds = ['harness', 'reference', 'reports', 'suites', 'tests'].flatMap(toolTests)

/** What a test names that needs a tool: the tool, or a backend that it belongs to. */
const NAMED = {
  postgresql: ['postgres'],
  mariadb: ['mariadb'],
  rabbitmq: ['rabbitmq'],
  ssh: ['ssh', 'sshd'],
  'ssh-keygen': ['ssh-keygen', 'sshd'],
  softhsm2: ['softhsm'],
  'pkcs11-tool': ['pkcs11-tool', 'softhsm'],
}
/** Whether what a test file needs may be gone with a tool. */
const concerns = (tool) => (path) => {
  const text = readFileSync(join(root, path), 'utf8')
  if (tool === 'chromium') return text.includes('lacksBrowser')
  const names = NAMED[tool] ?? [tool]
  // Where the backend is a variable, it is one of those that the file names.
  if (/lacksBackend\((?!')/.test(text) && names.some((name) => text.includes(`'${name}'`))) return true
  return names.some((name) => text.includes(`lacksProgram('${name}'`) || text.includes(`lacksBackend('${name}'`))
}
const touching = (tools) => sayingNeeds.filter((path) => tools.some((tool) => concerns(tool)(path)))

const everyRow = [
  { name: 'all', hide: ALL, tests: whole ? 'all' : touching(ALL) },
  { name: 'all, nobody', hide: ALL, user: 'nobody', part: 1, tests: whole ? 'all' : touching(['postgresql']) },
  { name: 'all, npm too', hide: [...ALL, 'npm-postgresql'], part: 2, tests: touching(['postgresql']) },
  ...TOOLS.map((tool) => ({ name: tool, hide: [tool], engine: whole ? undefined : ENGINES[tool], tests: touching([tool]) })),
  { name: 'nothing, user', hide: [], user: 'user', part: 1, tests: touching(TOOLS.filter((tool) => tool !== 'chromium')) },
].map((row) => (row.name === 'rabbitmq' ? { ...row, part: 3 } : row))
const only = process.argv.includes('--row') ? process.argv[process.argv.indexOf('--row') + 1] : undefined
const third = process.argv.includes('--third') ? Number(process.argv[process.argv.indexOf('--third') + 1]) : undefined
const isOfThird = ({ name }) => third === undefined || !TOOLS.includes(name) || TOOLS.indexOf(name) % 3 === third
const rows = everyRow.filter((row) => (only === undefined || row.name === only) && isOfThird(row))
if (rows.length === 0) {
  console.error(`no such row: ${only}; there are ${everyRow.map(({ name }) => name).join(' | ')}`)
  process.exit(2)
}

const run = (row, words) =>
  new Promise((done) => {
    const script = join(root, 'scripts/hide-tools.sh')
    const command = [row.hide.join(' '), row.user ?? 'root', process.execPath, ...words]
    execFile(script, command, { timeout: LONGEST, maxBuffer: 1 << 28 }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr }),
    )
  })

/** What is wrong with a certified row besides its exit code; the counts of its clauses. */
const judge = (row, { stdout }) => {
  const summary = JSON.parse(stdout.slice(stdout.indexOf('{')))
  // Engines that were not asked for are claimed by nobody.
  const asked = summary.engines.filter(({ id }) => row.engine === undefined || id === row.engine)
  const sum = (outcome) => asked.reduce((total, { clauses }) => total + clauses[outcome], 0)
  const notClaimed = sum('notClaimed')
  const gone = new Set(row.hide.flatMap((tool) => BACKENDS[tool] ?? []))
  const lacks = DECIDING.some((backend) => gone.has(backend))
  const said = summary.backends.filter(({ provider, remedy }) => provider === 'none' && remedy !== undefined).map(({ name }) => name)
  const wrong = []
  for (const backend of gone)
    if (!said.includes(backend)) wrong.push(`${backend} is missing, and the summary does not say so with a remedy`)
  for (const outcome of ['violated', 'blocked', 'errored']) if (sum(outcome) > 0) wrong.push(`${sum(outcome)} ${outcome}`)
  if (lacks && notClaimed === 0) wrong.push('clauses are claimed that nothing here can decide')
  if (said.length === 0 && notClaimed > 0) wrong.push(`${notClaimed} clauses are not claimed, and nothing that decides them is missing`)
  return { verdict: summary.verdict, verified: sum('verified'), notClaimed, wrong }
}

const seconds = (since) => Math.round((performance.now() - since) / 1000)

const attempt = async (row) => {
  let begun = performance.now()
  const engine = row.engine === undefined ? [] : ['--engine', row.engine]
  const part = whole || row.part === undefined ? [] : ['--shard', `${row.part}/${PARTS}`]
  const certified = await run(row, ['bin/assay.js', 'certify', '--embedded', '--effort', 'quick', '--json', ...engine, ...part])
  if (certified.code === NOT_PERMITTED) return { ...row, forbidden: true }
  const certifySeconds = seconds(begun)
  let judged = { verdict: '-', verified: 0, notClaimed: 0, wrong: [] }
  try {
    judged = judge(row, certified)
  } catch {
    judged.wrong.push('no summary')
  }
  begun = performance.now()
  // Without a name vitest would run every test there is.
  const named = row.tests === 'all' ? [] : row.tests
  const tested =
    row.tests.length === 0
      ? { code: 0, stdout: 'Tests none needs it', stderr: '' }
      : await run(row, ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...named])
  const counts = /Tests .*/.exec(stripVTControlCharacters(tested.stdout))?.[0].replace(/^Tests\s+/, '') ?? '-'
  return { ...row, certified, certifySeconds, tested, testSeconds: seconds(begun), counts, ...judged }
}

const failed = ({ certified, tested, wrong }) => certified.code !== 0 || tested.code !== 0 || wrong.length > 0

const line = (cells) => cells.map((cell, at) => String(cell).padEnd([16, 12, 6, 5, 13, 9, 12, 6, 5][at] ?? 0)).join(' ')

/** The end of what a row said, for a person who has to find out why. */
const show = (row) => {
  const text = ({ stdout, stderr }) => `${stdout.slice(-1500)}\n${stderr.slice(-3000)}`
  console.log(`\n--- ${row.name}: ${row.wrong.join('; ')}`)
  if (row.certified.code !== 0 || row.wrong.length > 0) console.log(row.certified.stderr.slice(-4000))
  if (row.tested.code !== 0) console.log(text(row.tested))
}

const results = []
const waiting = [...rows]
const work = async () => {
  for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
    const result = await attempt(row)
    if (result.forbidden) {
      waiting.length = 0
      console.log('!!!!! NO BARE MACHINE: mount namespaces or overlays are not permitted here, so nothing was tried !!!!!')
      console.log('bare machines: 0 passed, 1 failed')
      process.exit(1)
    }
    results.push(result)
    const { name, engine, part, certified, certifySeconds, verdict, verified, notClaimed, tested, testSeconds, counts } = result
    const extent = engine ?? (whole || part === undefined ? 'all' : `all, ${part}/${PARTS}`)
    console.log(line([name, extent, certified.code, certifySeconds, verdict, verified, notClaimed, tested.code, testSeconds, counts]))
    if (failed(result)) show(result)
  }
}

console.log(line(['hidden', 'certify of', 'exit', 's', 'verdict', 'verified', 'not claimed', 'tests', 's', '']))
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work))
const bad = results.filter(failed).length
console.log(`bare machines: ${results.length - bad} passed, ${bad} failed`)
process.exitCode = bad === 0 ? 0 : 1
