/** Evidence of every violated clause, as files that send it again; sent again before it is reported. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Reproduction } from '../../specs/meta/results.ts'
import { isContractCheck } from '../checks/check.ts'
import { entryOn } from '../cleanup/journal.ts'
import { notMade, tlsWords } from '../outcomes/evidence.ts'
import type { CheckRun } from '../running/check-run.ts'
import { newRunName } from '../running/open-run.ts'
import type { RunContext } from '../sending/context.ts'
import type { NumberedExchange } from '../sending/history.ts'
import { ownSubject } from '../target/learned.ts'
import type { Target } from '../target/target.ts'
import { harOf, redactedHar } from './har.ts'
import { type SentAgain, sendAgain } from './send-again.ts'
import { curlConfig, scriptOf } from './shell-script.ts'
import type { Transcript } from './step.ts'
import { type Line, linesOf, NotRepeatable, ownHeaders } from './transcript.ts'

/** Folder beside the results. */
const FOLDER = 'evidence'
const TIMES = 3
/** Longer transcripts are of a whole exploration: the check itself is the shorter way to repeat them. */
const MOST_EXCHANGES = 100
const MOST_CLAUSES = 60
/** Milliseconds for sending everything again, and for the pauses in one transcript. */
const BUDGET = 60_000
const BUDGET_WHEN_STOPPED = 5_000
const LONGEST_PAUSES = 5_000
const SCRIPT_DEADLINE = 60_000
/** Milliseconds that a request has which removes something, although the time is over. */
const LEAST = 500
const OUT_OF_TIME = 'not sent again: the time for it was over'

/** What reproduction adds to a run: files by their path beside the results, and what is said of each clause. */
export interface Reproduced {
  files: Map<string, string>
  byClause: Map<string, Reproduction>
}

interface Violation {
  clause: string
  run: CheckRun
  target: Target
  exchanges: NumberedExchange[]
  /** Whether these are all that led there. */
  isWhole: boolean
}

type Led = Pick<Violation, 'exchanges' | 'isWhole'>

/** The exchanges that led to a violation, the one that shows it last. */
const leadingTo = (run: CheckRun, decision: CheckRun['decisions'][number]): Led => {
  if (isContractCheck(run.check)) {
    const found = run.exchanges.find(({ number }) => number === decision.exchange)
    return { exchanges: found === undefined ? [] : [...(found.before ?? []), found], isWhole: found?.before !== undefined }
  }
  const from = run.notes.caseFrom ?? 0
  const until = decision.after ?? run.exchangeCount
  const exchanges = run.exchanges.filter(({ number }) => number > from && number <= until)
  return { exchanges, isWhole: exchanges.length === until - from && exchanges.length <= MOST_EXCHANGES }
}

/** Why the requests alone do not show what the check saw, or may not be sent again unasked. */
const reasonAgainst = ({ run, exchanges, target, isWhole }: Violation): string | undefined => {
  const { needs } = run.check
  if ((needs.backends ?? []).length > 0) return `judged by ${needs.backends!.join(' and ')} too, which requests alone do not show`
  if (needs.allow !== undefined) return `it disturbs other users of the server (${needs.allow})`
  if (exchanges.some(({ operation }) => operation.mount !== undefined) && !target.provisioner.features.has('mounts'))
    return 'the mounts are given, and evidence is sent again on fresh ones only'
  return isWhole ? undefined : 'its check sent more than evidence holds'
}

/** What can be sent again goes before what cannot; the shortest transcript says most. */
const isBetter = (one: Violation, other: Violation): boolean => {
  const [can, could] = [reasonAgainst(one) === undefined, reasonAgainst(other) === undefined]
  return can === could ? one.exchanges.length < other.exchanges.length : can
}

const violationsOf = (context: RunContext, runs: readonly CheckRun[]): Violation[] => {
  const found = new Map<string, Violation>()
  for (const run of runs) {
    for (const decision of run.decisions) {
      const { clause, outcome } = decision
      const level = context.contract.clauses.get(clause)?.level
      if (outcome !== 'violated' || level === undefined || level === 'open') continue
      const led = leadingTo(run, decision)
      const [first] = led.exchanges
      if (first === undefined) continue
      const violation = { clause, run, target: context.targets.get(first.operation.api)!, ...led }
      const known = found.get(clause)
      if (known === undefined || isBetter(violation, known)) found.set(clause, violation)
    }
  }
  return [...found.values()].slice(0, MOST_CLAUSES)
}

/** Milliseconds that a step may take: what it has, or what is left of the time for all. */
const shareOf = (ms: number, until: number): number => Math.ceil(Math.max(LEAST, Math.min(ms, until - performance.now())))

const runScript = (file: string, target: Target, until: number): Promise<SentAgain['outcome']> =>
  new Promise((done) => {
    const words = join(dirname(file), 'curl.conf')
    writeFileSync(words, curlConfig(ownHeaders(target)), { mode: 0o600 })
    const env = {
      ASSAY_CURL: `-K ${words}`,
      PATH: process.env.PATH,
      ASSAY_TOKEN: target.root.token,
      ASSAY_URL: target.http.url.origin,
      ...(target.http.proxy === undefined ? { NO_PROXY: '*' } : { ALL_PROXY: target.http.proxy.href }),
    }
    execFile('sh', [file], { env, timeout: shareOf(SCRIPT_DEADLINE, until) }, (error) => {
      const code = error === null ? 0 : error.code
      done(code === 1 ? 'again' : code === 0 ? 'notAgain' : 'notTried')
    })
  })

/** Sends a transcript once more, with what it makes noted in the journal as the run's own. */
const once = async (
  context: RunContext,
  target: Target,
  { transcript, names }: { transcript: Transcript; names: ReadonlySet<string> },
  until: number,
): Promise<SentAgain> => {
  const run = newRunName()
  const renamed = (text: string): string => text.replace(`assay-${context.run}-`, `assay-${run}-`)
  // Objects outside mounts go by their paths.
  const isNamed = (name: string): boolean => names.has(name.slice(name.lastIndexOf('/') + 1))
  const entries = target.prepared.made.filter(({ name, accessor }) => isNamed(name) && accessor === undefined)
  const again = entries.map((entry) => ({ ...entry, name: renamed(entry.name) }))
  for (const entry of again) context.journal.add(entryOn(target.config, entry))
  const values = new Map([
    ['ASSAY_TOKEN', target.root.token],
    ['RUN', run],
  ])
  try {
    const own = ownHeaders(target)
    return await sendAgain(transcript, values, async (request, id) => {
      const operation = context.contract.operations.get(id)
      const subject = operation === undefined ? ownSubject(request) : { operation }
      const timeout = shareOf(target.http.timeout, until)
      const { status, bytes } = await target.http.send({ ...request, headers: { ...own, ...request.headers } }, timeout, subject)
      return { status, bytes }
    })
  } finally {
    for (const entry of again.reverse()) {
      await context.cleanUp
        .within(SCRIPT_DEADLINE, () => target.provisioner.undo(entry))
        .catch((error: Error) => context.leftovers.push(error.message))
    }
  }
}

const said = (outcomes: readonly SentAgain[]): string => {
  const again = outcomes.filter(({ outcome }) => outcome === 'again').length
  const why = outcomes.find((one) => one.why !== undefined)?.why
  const counted = `${again} of ${outcomes.length}`
  if (again === outcomes.length) return counted
  return `${counted}: ${again === 0 ? (why ?? 'the answers differ') : `unstable${why === undefined ? '' : `, ${why}`}`}`
}

/** Sends the HAR's transcript and the script again, in turn, while there is time. */
const tryAgain = async (
  context: RunContext,
  { target }: Violation,
  { transcript, names, script }: { transcript: Transcript; names: ReadonlySet<string>; script: string },
  until: number,
): Promise<SentAgain[]> => {
  const outcomes: SentAgain[] = []
  const folder = mkdtempSync(join(tmpdir(), 'assay-evidence-'))
  const file = join(folder, 'evidence.sh')
  writeFileSync(file, script, { mode: 0o700 })
  try {
    for (let time = 0; time < TIMES && performance.now() < until && !context.signal.aborted; time += 1) {
      const sent = await once(context, target, { transcript, names }, until)
      // What time has cut off shows nothing.
      if (sent.outcome !== 'again' && performance.now() >= until) break
      const scripted = sent.outcome === 'again' ? await runScript(file, target, until) : sent.outcome
      // Without curl the script cannot be tried here; the HAR was.
      const isDifferent = sent.outcome === 'again' && scripted === 'notAgain'
      outcomes.push(isDifferent ? { outcome: 'notAgain', why: 'the script got other answers' } : sent)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return outcomes
}

const reproduceOne = async (
  context: RunContext,
  violation: Violation,
  until: number,
  { files, isSentAgain }: { files: Map<string, string>; isSentAgain: boolean },
): Promise<Reproduction> => {
  const { clause, run, target } = violation
  const exchanges = violation.exchanges.slice(-MOST_EXCHANGES)
  const base = { check: run.check.id }
  const title = context.contract.clauses.get(clause)!.text
  let made: { lines: Line[]; names: Set<string> }
  try {
    made = linesOf(context.secrets, target, context.run, exchanges)
  } catch (error) {
    if (!(error instanceof NotRepeatable)) throw error
    return { ...base, said: `not sent again: ${error.message}` }
  }
  const steps = made.lines.map(({ step }) => step)
  const transcript: Transcript = {
    clause,
    check: run.check.id,
    title,
    origin: target.http.url.origin,
    headers: Object.keys(ownHeaders(target)),
    steps,
  }
  const script = scriptOf(transcript, tlsWords(target))
  const [har, sh] = [`${FOLDER}/${clause}.har`, `${FOLDER}/${clause}.sh`]
  files.set(har, harOf(transcript, made.lines))
  files.set(sh, script)
  const named = { ...base, har, script: sh }
  const against = isSentAgain ? reasonAgainst(violation) : '--no-reproduce was given'
  if (against !== undefined) return { ...named, said: `not sent again: ${against}` }
  if (steps.reduce((sum, { pauseMs }) => sum + pauseMs, 0) > LONGEST_PAUSES) return { ...named, said: 'not sent again: it waits too long' }
  const outcomes = await tryAgain(context, violation, { transcript, names: made.names, script }, until)
  if (outcomes.length === 0) return { ...named, said: OUT_OF_TIME }
  const again = outcomes.filter(({ outcome }) => outcome === 'again').length
  return { ...named, again, of: outcomes.length, said: context.secrets.redact(said(outcomes)) }
}

/**
 * Makes the evidence of each violated clause and sends it again, within a minute for all.
 *
 * @param runs of the checks, when the run is through.
 * @param isSentAgain false where evidence is only written.
 */
export const reproduce = async (context: RunContext, runs: readonly CheckRun[], isSentAgain: boolean): Promise<Reproduced> => {
  // Who stops a run, or has given it a longest time, waits for little more.
  const until = context.cleanUp.evidenceUntil(context.signal.aborted ? BUDGET_WHEN_STOPPED : BUDGET)
  const reproduced: Reproduced = { files: new Map(), byClause: new Map() }
  const make = async (violation: Violation): Promise<Reproduction> => {
    const files = new Map<string, string>()
    try {
      const made = await reproduceOne(context, violation, until, { files, isSentAgain })
      const redact = (text: string) => context.secrets.redact(text)
      for (const [file, text] of files) reproduced.files.set(file, file.endsWith('.har') ? redactedHar(text, redact) : redact(text))
      return made
    } catch (error) {
      return { check: violation.run.check.id, said: context.secrets.redact(notMade(error)) }
    }
  }
  for (const violation of violationsOf(context, runs)) reproduced.byClause.set(violation.clause, await make(violation))
  return reproduced
}
