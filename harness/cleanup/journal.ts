/**
 * A record on disk of what a run made, so that a later start or `assay clean` can remove it after kill -9. Holds no secrets.
 * Runs in other containers or on other machines may share the folder: each writes down who it is, and gives signs of life.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Clocks } from '../base/clocks.ts'
import { NotWritten } from '../base/errors.ts'
import { goesOn, isNeighbour, type Owner, thisOwner } from './owner.ts'
import { stateFolder } from './state-folder.ts'

export interface JournalEntry {
  /** Which target it is on (base URL), or `local` for processes and folders of this machine. */
  on: string
  kind: string
  /** Tells objects of one kind apart on one target and namespace. */
  name: string
  [detail: string]: string
}

/** Where a target's objects are. */
interface Place {
  url: string
  namespace: string
}

/** What a target made, as the journal keeps it: with its address and with the namespace in which the whole run works. */
export const entryOn = ({ url, namespace }: Place, entry: Record<string, string> & { kind: string; name: string }): JournalEntry => ({
  on: url,
  ...(namespace === '' ? {} : { within: namespace }),
  ...entry,
})

/** Whether an entry is on a target, in the namespace of its runs. */
export const isOn = ({ url, namespace }: Place, entry: JournalEntry): boolean => entry.on === url && (entry.within ?? '') === namespace

const keyOf = (entry: JournalEntry): string => JSON.stringify([entry.on, entry.within ?? '', entry.kind, entry.namespace ?? '', entry.name])

/** A sign of life is given this often, in ms. */
const BEAT = 5000
/** A run that we cannot see is over when it has given none for this long: far longer than a busy machine holds one up. */
export const SILENCE = 10 * 60_000

const OWNER = '='
const OVER = '!over'

/** What a run hears of its journal; after each of these it must not go on. */
export interface JournalOptions {
  /** This process stood still so long that others may have taken its run for dead. */
  onStandstill?(minutes: number): void
  /** Something could not be written: what is made from now on would be unknown to those who clean up. */
  onUnwritten?(failure: NotWritten): void
  /** Default those of this machine. */
  clocks?: Clocks
}

/** The journal of one run: who runs it, then a line per change, `+` made and `-` removed; a blank line is a sign of life. */
export class Journal {
  readonly file: string
  readonly #options: JournalOptions
  readonly #left = new Map<string, JournalEntry>()
  #open = false
  /** Whether the last line may be cut off. */
  #cut = false
  #beat: NodeJS.Timeout | undefined

  constructor(run: string, options: JournalOptions = {}) {
    this.file = join(stateFolder(), `${run}-${randomBytes(4).toString('hex')}.jsonl`)
    this.#options = options
  }

  /** Notes what is about to be made. @throws NotWritten: then it must not be made. */
  add(entry: JournalEntry): void {
    if (!this.#open) this.#begin()
    this.#append(`+${JSON.stringify(entry)}`)
    this.#left.set(keyOf(entry), entry)
  }

  /** Notes that something is gone. Where that cannot be written it will be looked for once more, which harms nothing. */
  remove(entry: JournalEntry): void {
    this.#left.delete(keyOf(entry))
    if (this.#open) this.#attempt(`-${JSON.stringify(entry)}`)
  }

  /** What was made and is not removed yet; nothing where somebody has cleaned up behind this run. */
  left(): JournalEntry[] {
    return this.#open && existsSync(this.file) ? [...this.#left.values()] : []
  }

  /** Ends the run: deletes the file when nothing is left; returns what is. */
  close(): JournalEntry[] {
    clearInterval(this.#beat)
    const left = this.left()
    if (!this.#open) return left
    if (left.length === 0) rmSync(this.file, { force: true })
    else this.#attempt(OVER)
    return left
  }

  /** Adds a line of its own, also after one that a full disk cut off. */
  #append(line: string): void {
    try {
      appendFileSync(this.file, `${this.#cut ? '\n' : ''}${line}\n`, { mode: 0o600 })
      this.#cut = false
    } catch (error) {
      this.#cut = true
      const failure = new NotWritten(this.file, error as Error)
      this.#options.onUnwritten?.(failure)
      throw failure
    }
  }

  #attempt(line: string): void {
    try {
      this.#append(line)
    } catch {
      // Told already.
    }
  }

  #begin(): void {
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 })
    this.#append(`${OWNER}${JSON.stringify(thisOwner())}`)
    this.#open = true
    const clocks = this.#options.clocks ?? new Clocks()
    this.#beat = setInterval(() => {
      const { passed } = clocks.sinceLast()
      if (passed > SILENCE) this.#options.onStandstill?.(Math.round(passed / 60_000))
      // A file that is gone was taken for one of a dead run and cleaned: it must not come back without its beginning.
      if (existsSync(this.file)) this.#attempt('')
    }, BEAT)
    this.#beat.unref()
  }
}

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').split('\n')

/** What a journal says is still there; a last line cut short by a kill is passed over. */
export const entriesOf = (file: string): JournalEntry[] => {
  const left = new Map<string, JournalEntry>()
  for (const line of linesOf(file)) {
    if (!line.startsWith('+') && !line.startsWith('-')) continue
    try {
      const entry = JSON.parse(line.slice(1)) as JournalEntry
      if (line.startsWith('+')) left.set(keyOf(entry), entry)
      else left.delete(keyOf(entry))
    } catch {
      // Only a last, half-written line cannot be parsed: its object was not made yet.
    }
  }
  return [...left.values()]
}

/** Notes in the journal of a run that is over that these are gone; deletes it when nothing is left. */
export const strike = (file: string, gone: JournalEntry[]): void => {
  if (!existsSync(file)) return
  // The mark keeps this write from counting as a sign of life of that run.
  appendFileSync(file, `\n${OVER}\n${gone.map((entry) => `-${JSON.stringify(entry)}\n`).join('')}`)
  if (entriesOf(file).length === 0) rmSync(file, { force: true })
}

/** Who wrote a journal; undefined where its beginning is lost. */
const ownerOf = (lines: string[]): Owner | undefined => {
  try {
    return lines[0]?.startsWith(OWNER) ? (JSON.parse(lines[0].slice(1)) as Owner) : undefined
  } catch {
    return undefined
  }
}

/** The present by the clock of the file system, which may be that of another machine. */
const fileSystemNow = (): number => {
  try {
    const trial = mkdtempSync(join(stateFolder(), '.now-'))
    const { mtimeMs } = statSync(trial)
    rmdirSync(trial)
    return mtimeMs
  } catch {
    // Who may not write there can only go by the own clock.
    return Date.now()
  }
}

/** A journal that was found, and whose it is. */
export interface FoundJournal {
  file: string
  /** Name of the run. */
  run: string
  owner: Owner | undefined
  /** Whether process ids and folders in it are those of this machine and container. */
  isNeighbour: boolean
  /** Whether the run goes on, as far as anybody can tell. */
  isAlive: boolean
  /** Last sign of life. */
  seen: Date
}

const examine = (file: string, now: number): FoundJournal => {
  const lines = linesOf(file)
  const owner = ownerOf(lines)
  const { mtime } = statSync(file)
  const near = owner !== undefined && isNeighbour(owner)
  const silent = now - mtime.getTime() > SILENCE
  const isAlive = !lines.includes(OVER) && (near ? goesOn(owner) : !silent)
  return { file, run: /([^/\\]+)-[0-9a-f]+\.jsonl$/.exec(file)?.[1] ?? '', owner, isNeighbour: near, isAlive, seen: mtime }
}

/** All journals of the folder. */
export const foundJournals = (): FoundJournal[] => {
  if (!existsSync(stateFolder())) return []
  const files = readdirSync(stateFolder()).filter((name) => name.endsWith('.jsonl'))
  if (files.length === 0) return []
  const now = fileSystemNow()
  return files.flatMap((name) => {
    try {
      return [examine(join(stateFolder(), name), now)]
    } catch {
      // Its run ended meanwhile and removed it.
      return []
    }
  })
}

/** Journals of runs that are over. */
export const abandonedJournals = (): FoundJournal[] => foundJournals().filter(({ isAlive }) => !isAlive)
