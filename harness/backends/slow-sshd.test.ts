import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { backendJournal } from '../../tests/support/backend-journal.ts'
import { lacksBackend } from '../../tests/support/needs.ts'
import { findProgram } from './binaries.ts'
import { sshd } from './sshd.ts'

const journal = backendJournal()

test.skipIf(await lacksBackend('sshd', ['local']))('a server that greets late, as on a busy machine, still counts as up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'slow-sshd-'))
  const path = process.env.PATH
  try {
    // Longer than a server that runs already may take. The program itself has to be called by its whole path.
    writeFileSync(join(folder, 'sshd'), `#!/bin/sh\nsleep 6\nexec ${findProgram('sshd')} "$@"\n`)
    chmodSync(join(folder, 'sshd'), 0o755)
    process.env.PATH = [folder, path].join(delimiter)
    const started = await sshd.providers.local!.start({
      journal,
      targetHost: undefined,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    })
    await started.stop()
    expect(started.handle.version).toMatch(/^OpenSSH/)
  } finally {
    process.env.PATH = path
    rmSync(folder, { recursive: true })
  }
})
