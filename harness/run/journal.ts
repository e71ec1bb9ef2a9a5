/** A record on disk of what a run made, so that a later start or `assay clean` can remove it after kill -9. Holds no secrets. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
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

/** The journal of one run: a line per change, `+` made and `-` removed. */
export class Journal {
  readonly file: string
  #open = false

  constructor(run: string) {
    this.file = join(stateFolder(), `${run}-${process.pid}.jsonl`)
  }

  add(entry: JournalEntry): void {
    this.#write('+', entry)
  }

  remove(entry: JournalEntry): void {
    this.#write('-', entry)
  }

  /** What was made and is not removed yet. */
  left(): JournalEntry[] {
    return this.#open ? entriesOf(this.file) : []
  }

  /** Deletes the file when nothing is left; returns what is. */
  close(): JournalEntry[] {
    const left = this.left()
    if (this.#open && left.length === 0) rmSync(this.file, { force: true })
    return left
  }

  #write(sign: '+' | '-', entry: JournalEntry): void {
    if (!this.#open) mkdirSync(stateFolder(), { recursive: true, mode: 0o700 })
    this.#open = true
    appendFileSync(this.file, `${sign}${JSON.stringify(entry)}\n`, { mode: 0o600 })
  }
}

/** What a journal says is still there; a last line cut short by a kill is passed over. */
export const entriesOf = (file: string): JournalEntry[] => {
  const left = new Map<string, JournalEntry>()
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue
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
  for (const entry of gone) appendFileSync(file, `\n-${JSON.stringify(entry)}\n`)
  if (entriesOf(file).length === 0) rmSync(file, { force: true })
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Journals of runs that are over: their process is gone. */
export const abandonedJournals = (): string[] => {
  if (!existsSync(stateFolder())) return []
  return readdirSync(stateFolder())
    .filter((name) => name.endsWith('.jsonl') && !alive(Number(/-(\d+)\.jsonl$/.exec(name)?.[1] ?? 0)))
    .map((name) => join(stateFolder(), name))
}
