/** A thread that does not end by itself: the one that supervises it ends it in time, with the right exit code. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { supervised } from './supervisor.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-supervisor-'))
let files = 0

afterEach(() => vi.restoreAllMocks())

/** A thread that runs these lines, in a file of its own. */
const thread = (...lines: string[]): URL => {
  files += 1
  const file = join(folder, `${files}.mjs`)
  const head = [
    "import { parentPort, workerData } from 'node:worker_threads'",
    'const tell = (message) => parentPort.postMessage(message)',
    'const stand = (text) => new TextEncoder().encodeInto(text, new Uint8Array(workerData.memory))',
    'const hang = () => { for (;;); }',
  ]
  writeFileSync(file, [...head, ...lines].join('\n'))
  return pathToFileURL(file)
}

const heard = (): { text(): string } => {
  let text = ''
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    text += String(chunk)
    return true
  })
  return { text: () => text }
}

/** Until the thread is at its work, and its supervisor listens to signals: either may be told first. */
const untilListening = async (text: () => string, others: number): Promise<void> => {
  await expect.poll(text).toContain('ready')
  await expect.poll(() => process.listenerCount('SIGTERM')).toBe(others + 1)
}

describe('a thread that is supervised', { timeout: 90_000 }, () => {
  test('gives its exit code, and all that it wrote', async () => {
    const { text } = heard()
    const entry = thread("process.stderr.write('a word\\n')", "process.stderr.write('', () => process.exit(7))")
    expect(await supervised([], { entry })).toBe(7)
    expect(text()).toBe('a word\n')
  })
  test('is ended after its longest time and the time for cleaning up, and the position is said', async () => {
    const { text } = heard()
    const entry = thread("stand('checking, kv/one, kv1.read')", 'tell({ lasts: 100 })', 'hang()')
    const begun = performance.now()
    expect(await supervised([], { entry, afterwards: 200 })).toBe(3)
    expect(performance.now() - begun).toBeGreaterThan(300)
    expect(text()).toContain('it had not ended 0.2 s after its longest time')
    expect(text()).toContain('it stood at: checking, kv/one, kv1.read')
    expect(text()).toContain('nothing is left')
  })
  test('has time for its report, once it is begun', async () => {
    const { text } = heard()
    const entry = thread(
      'tell({ lasts: 500 })',
      "setTimeout(() => tell({ run: 'reports' }), 2000)",
      'setTimeout(() => process.exit(7), 4500)',
    )
    expect(await supervised([], { entry, afterwards: 3000 })).toBe(7)
    const inSteps = thread(
      'tell({ lasts: 1 })',
      "for (const at of [0, 2000, 4000]) setTimeout(() => tell({ run: 'reports' }), at)",
      'setTimeout(() => process.exit(7), 5500)',
    )
    expect(await supervised([], { entry: inSteps, afterwards: 3000 })).toBe(7)
    const stuck = thread('tell({ lasts: 1 })', "tell({ run: 'reports' })", 'hang()')
    expect(await supervised([], { entry: stuck, afterwards: 200 })).toBe(3)
    expect(text()).toContain('it had not ended 0.2 s after')
  })
  test('leaves its journal to be cleaned, as one of a run that is over', async () => {
    const journal = join(folder, 'abc123-0.jsonl')
    const entry = { on: 'http://127.0.0.1:1', kind: 'mount', name: 'assay-abc123-1', namespace: '' }
    writeFileSync(journal, `={}\n+${JSON.stringify(entry)}\n`)
    const { text } = heard()
    const stuck = thread(`tell({ journal: ${JSON.stringify(journal)} })`, 'tell({ lasts: 1 })', 'hang()')
    expect(await supervised([], { entry: stuck, afterwards: 1 })).toBe(3)
    expect(text()).toContain('1 object is left on http://127.0.0.1:1: run assay clean http://127.0.0.1:1')
    expect(readdirSync(folder)).toContain('abc123-0.jsonl')
  })
  test('is ended at the second signal, although it hears neither', async () => {
    const { text } = heard()
    const entry = thread("tell({ run: 'begins' })", "process.stderr.write('ready')", 'setTimeout(hang, 50)')
    const others = process.listenerCount('SIGTERM')
    const ended = supervised([], { entry })
    await untilListening(text, others)
    process.emit('SIGTERM')
    await expect.poll(() => text()).toContain('again to stop at once')
    process.emit('SIGINT')
    expect(await ended).toBe(130)
    expect(text()).toContain('stopped before cleaning up was done')
    expect(process.listenerCount('SIGTERM')).toBe(others)
  })
  test('is ended when the time for cleaning up is over after one signal', async () => {
    const { text } = heard()
    const entry = thread("tell({ run: 'begins' })", 'tell({ lasts: 3_600_000 })', "process.stderr.write('ready')", 'setTimeout(hang, 50)')
    const others = process.listenerCount('SIGTERM')
    const ended = supervised([], { entry, afterwards: 300 })
    await untilListening(text, others)
    process.emit('SIGTERM')
    expect(await ended).toBe(130)
    expect(text()).toContain('it had not ended 0.3 s after the signal')
  })
  test('that throws in a callback ends with an internal error, whose words may be secret', async () => {
    const { text } = heard()
    const entry = thread("setTimeout(() => { throw new TypeError('s.secret') }, 1)", 'setTimeout(() => {}, 60_000)')
    expect(await supervised([], { entry })).toBe(4)
    expect(text()).toContain('internal error: TypeError')
    expect(text()).not.toContain('s.secret')
    rmSync(folder, { recursive: true })
  })
})
