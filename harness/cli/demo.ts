/** `assay demo`: a first contact without a server of one's own. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FIRST_FAULTS } from '../../reference/faults/index.ts'
import { createReference } from '../../reference/index.ts'
import type { Results } from '../../specs/meta/results.ts'
import { exit } from './exit.ts'
import { namedMutations } from './mutations.ts'
import { supervised } from './supervisor.ts'
import { requireWritable } from './surroundings.ts'

export interface DemoOptions {
  out: string
  open: boolean
}

/** Opens a page where somebody is there to see it. */
const show = (page: string): void => {
  const { platform, env } = process
  const isDesktop = platform === 'darwin' || platform === 'win32' || env.DISPLAY !== undefined || env.WAYLAND_DISPLAY !== undefined
  if (process.stdout.isTTY !== true || env.CI !== undefined || !isDesktop) return
  const [program, ...words] = platform === 'win32' ? ['cmd', '/c', 'start', ''] : [platform === 'darwin' ? 'open' : 'xdg-open']
  const opener = spawn(program!, [...words, page], { detached: true, stdio: 'ignore' })
  opener.on('error', () => undefined)
  opener.unref()
}

const resultsIn = (out: string): Results | undefined => {
  try {
    return JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) as Results
  } catch {
    return undefined
  }
}

export const demo = async ({ out, open }: DemoOptions): Promise<number> => {
  requireWritable(out)
  const { faults } = namedMutations({ fault: FIRST_FAULTS })
  const reference = await createReference({ tls: false, faults }).listen()
  const lines = faults.map(({ title, clauses }) => `  ${clauses.join(', ')}: ${title}`)
  process.stdout.write(`The reference server runs at ${reference.url} with three planted faults:\n${lines.join('\n')}\n\n`)
  const engines = [...new Set(faults.map(({ engine }) => engine))].join(',')
  let code: number
  try {
    process.env.ASSAY_TOKEN = reference.rootToken
    code = await supervised([
      process.argv[0]!,
      process.argv[1]!,
      'certify',
      reference.url,
      '--engine',
      engines,
      '--effort',
      'quick',
      '--out',
      out,
    ])
  } finally {
    await reference.close()
  }
  if (code !== exit.failed) return code === exit.passed ? exit.failed : code
  const violated = new Set(resultsIn(out)?.clauses.flatMap(({ id, outcome }) => (outcome === 'violated' ? [id] : [])))
  const found = faults.filter(({ clauses }) => clauses.some((clause) => violated.has(clause)))
  const page = join(out, 'report.html')
  process.stdout.write(
    [
      '',
      `Found: ${found.length} of ${faults.length} planted faults.`,
      `Look at ${page}: the violations stand first. Open one to see the request, the answer and the command that repeats it.`,
      'This server has ended. To repeat those commands, serve one like it:',
      `  npx assay serve --port ${new URL(reference.url).port} --no-tls --root-token demo --fault ${FIRST_FAULTS.join(',')}`,
      '  export ASSAY_TOKEN=demo',
      'Next, a server of yours: ASSAY_TOKEN=... npx assay certify URL',
      '',
    ].join('\n'),
  )
  if (open) show(page)
  return found.length === faults.length ? exit.passed : exit.failed
}
