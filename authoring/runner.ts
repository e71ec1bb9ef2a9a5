/** Vitest's runner, which reads files of checks: each `check()` becomes a test of its file. */
import { TestRunner } from 'vitest'
import { collectWith } from '../harness/checks/check.ts'
import { declareSkipped, declareTest } from './tests.ts'
import { closeSession, openSession } from './worker-run.ts'

type Source = Parameters<TestRunner['importFile']>[1]

export default class CheckRunner extends TestRunner {
  readonly #abort = new AbortController()

  constructor(config: ConstructorParameters<typeof TestRunner>[0]) {
    super(config)
    this.onCleanupWorkerContext(closeSession)
  }

  override cancel(...reason: Parameters<TestRunner['cancel']>): void {
    super.cancel(...reason)
    this.#abort.abort(new Error('cancelled'))
  }

  override async importFile(path: string, source: Source): Promise<unknown> {
    if (source === 'setup') return super.importFile(path, source)
    const session = await openSession(this.#abort.signal)
    collectWith({
      check(definition) {
        const place = new Error('declared here').stack
        if (session.checks.has(definition.id)) declareTest(session, definition, place)
        else declareSkipped(`${definition.id}: ${definition.title}`)
      },
      sweep(id) {
        const place = new Error('declared here').stack
        const swept = [...session.checks.values()].filter((check) => check.id.startsWith(`${id}/`))
        for (const check of swept) declareTest(session, check, place)
        if (swept.length === 0) declareSkipped(id)
      },
    })
    try {
      // The catalogue has read the file before; what is set-up is read again.
      return await super.importFile(path, 'setup')
    } finally {
      collectWith(undefined)
    }
  }
}
