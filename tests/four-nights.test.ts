/** docs/four-nights.sh, which shows what a nightly gate says, does what it says. */
import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../harness/contract/package-root.ts'
import { temporaryFolder } from './support/cli.ts'
import { PROGRAM } from './support/command-line.ts'
import { lacksProgram } from './support/needs.ts'

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => done(port))
    })
  })

test.skipIf(lacksProgram('bash'))('four nights of a gate', { timeout: 600_000 }, async () => {
  const work = temporaryFolder()
  const environment = {
    ...process.env,
    NO_COLOR: '1',
    ASSAY: PROGRAM.join(' '),
    TSX_TSCONFIG_PATH: join(packageRoot, 'tsconfig.json'),
    ASSAY_STATE_DIR: join(work, 'journal'),
    PORT: String(await freePort()),
    WORK: work,
  }
  const said = await new Promise<string>((done) => {
    execFile('bash', [join(packageRoot, 'docs/four-nights.sh')], { env: environment, timeout: 580_000 }, (_, stdout, stderr) =>
      done(stdout + stderr),
    )
  })
  expect(said).toMatch(/four nights: passed\n$/)
})
