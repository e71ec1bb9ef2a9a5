/** Counts what the runs of the fuzz came to. */
import type { FuzzRun } from './fuzz-run.ts'

const counted = (names: readonly string[]): [string, number][] => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)
}

interface Cause {
  operation: string
  /** Of the cell that the secret was sent in, or that it was in none. */
  cell: string
  form: string
  artefact: string
  example: string
}

const kindOf = (artefact: string): string =>
  artefact
    .replace(/^evidence\/.*(\.\w+)$/, 'evidence/*$1')
    .replace(/^history\/.*/, 'history')
    .replace(/^temporary\/.*/, 'temporary')

export class Tally {
  cells = 0
  #runs = 0
  #seconds = 0
  #secrets = 0
  readonly #codes: string[] = []
  readonly #operations: string[] = []
  readonly #wrong: string[] = []
  readonly #causes: Cause[] = []

  add({ sent, secrets, leaks, wrong, code, seconds }: FuzzRun): void {
    this.#runs += 1
    this.cells += sent.length
    this.#seconds += seconds
    this.#secrets += secrets.size
    this.#codes.push(`exit ${code}`)
    this.#operations.push(...sent.map(({ operation }) => operation))
    this.#wrong.push(...wrong)
    for (const { artefact, secret, form, around } of leaks) {
      const cells = sent.filter((one) => one.secret === secret)
      const cell = cells.find((one) => one.form === form) ?? cells[0]
      this.#causes.push({
        operation: cell?.operation ?? [...(secrets.get(secret) ?? [])].join(', '),
        cell: cell === undefined ? 'no odd answer' : `${cell.shape}, ${cell.place}, ${cell.form}`,
        form,
        artefact: kindOf(artefact),
        example: around,
      })
    }
  }

  get holds(): boolean {
    return this.#wrong.length === 0 && this.#causes.length === 0
  }

  #by(title: string, name: (cause: Cause) => string): string {
    return `\nleaks by ${title}:\n${counted(this.#causes.map(name))
      .slice(0, 40)
      .map(([of, count]) => `${String(count).padStart(6)}  ${of}\n`)
      .join('')}`
  }

  /** What was tried, and the leaks by cause. */
  table(): string {
    const head = [
      `${this.cells} cells of ${new Set(this.#operations).size} operations in ${this.#runs} runs, ${this.#secrets} secrets, ${this.#seconds.toFixed(0)} s; ${counted(
        this.#codes,
      )
        .map(([code, count]) => `${code}: ${count}`)
        .join(', ')}`,
      ...counted(this.#operations).map(([name, count]) => `  ${String(count).padStart(4)}  ${name}`),
      `${this.#causes.length} leaks, ${this.#wrong.length} other faults`,
      ...this.#wrong.map((one) => `WRONG: ${one}`),
    ]
    if (this.#causes.length === 0) return `${head.join('\n')}\n`
    return `${head.join('\n')}\n${this.#by('form', ({ form }) => form)}${this.#by('cell', ({ cell }) => cell)}${this.#by('operation', ({ operation }) => operation)}${this.#by('artefact', ({ artefact }) => artefact)}`
  }
}
