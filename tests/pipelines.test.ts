/** The pipelines that are ready to use: each read by tools and schemas that others wrote, and the sharded one and the action tried. */
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { Job } from 'kubernetes-models/batch/v1'
import { ConfigMap, PersistentVolumeClaim } from 'kubernetes-models/v1'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { packageRoot } from '../harness/contract/package-root.ts'
import { createReference, type Reference } from '../reference/index.ts'
import { WRITERS } from '../reports/formats/registry.ts'
import type { Results } from '../specs/meta/results.ts'
import { temporaryFolder } from './support/cli.ts'
import { PROGRAM } from './support/command-line.ts'
import { lacksProgram } from './support/needs.ts'

const text = (name: string): string => readFileSync(join(packageRoot, name), 'utf8')

/** Both linters are WebAssembly that wants a plain Node around it. */
const findings = (workflows: string[], actions: string[]): unknown[] => {
  const words = [join(packageRoot, 'tests/support/lint-workflows.mjs'), JSON.stringify({ workflows, actions })]
  return JSON.parse(execFileSync(process.execPath, words, { cwd: packageRoot, encoding: 'utf8' })) as unknown[]
}

describe('what others read', () => {
  test('workflows and the action, by their schemas and actionlint', { timeout: 120_000 }, () => {
    const workflows = ['pipelines/github-nightly.yml', '.github/workflows/ci.yml']
    expect(findings(workflows, ['action.yml'])).toEqual([])
    const folder = temporaryFolder()
    const wrong = join(folder, 'wrong.yml')
    writeFileSync(wrong, text('action.yml').replace('shell: bash', 'shell: {}'))
    expect(findings([], [wrong])).toHaveLength(1)
    writeFileSync(wrong, text(workflows[0]!).replace('runs-on', 'run-on'))
    expect(findings([wrong], []).length).toBeGreaterThan(1)
  })

  test('actions of others are named by commit, with their version beside it', () => {
    for (const file of ['pipelines/github-nightly.yml', '.github/workflows/ci.yml', 'action.yml']) {
      const used = [...text(file).matchAll(/uses: (.+)/g)]
        .map(([, action]) => action!)
        .filter((action) => !action.startsWith('example-org/'))
      expect(used.length, file).toBeGreaterThan(0)
      for (const action of used) expect(action, file).toMatch(/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
    }
  })

  test.skipIf(lacksProgram('git'))('the GitLab pipeline, by a runner for local use', { timeout: 120_000 }, () => {
    const folder = temporaryFolder()
    copyFileSync(join(packageRoot, 'pipelines/gitlab-ci.yml'), join(folder, '.gitlab-ci.yml'))
    const git = (...words: string[]) => execFileSync('git', words, { cwd: folder, stdio: 'pipe' })
    git('init', '-q')
    git('remote', 'add', 'origin', 'https://example.com/a/b.git')
    git('add', '.')
    git('-c', 'user.name=a', '-c', 'user.email=a@example.com', 'commit', '-qm', 'a')
    const runner = join(packageRoot, 'node_modules/gitlab-ci-local')
    const { bin } = JSON.parse(readFileSync(join(runner, 'package.json'), 'utf8')) as { bin: string }
    const out = execFileSync(process.execPath, [join(runner, bin), '--list-csv-all'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, HOME: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const jobs = out.split('\n').filter((line) => line.startsWith('assay-'))
    expect(jobs.map((line) => line.split(';').filter((_, at) => at === 0 || at === 2 || at === 5))).toEqual([
      ...[1, 2, 3, 4].map((shard) => [`assay-shard: [${shard}/4]`, 'certify', '[]']),
      ['assay-gate', 'gate', '[assay-shard]'],
    ])
    const { reports } = (parse(text('pipelines/gitlab-ci.yml')) as { 'assay-gate': { artifacts: { reports: Record<string, string> } } })[
      'assay-gate'
    ].artifacts
    const written = Object.values(WRITERS).map(({ file }) => `assay-report/${file}`)
    for (const report of Object.values(reports)) expect(written).toContain(report)
  })

  test('the Dockerfile, and it does not run as root', () => {
    expect(validate(text('Dockerfile'))).toEqual([])
    expect(text('Dockerfile')).toMatch(/^USER 1000:1000$/m)
  })

  test('the manifest for Kubernetes, by the schemas of its API', () => {
    const kinds = { ConfigMap, Job, PersistentVolumeClaim }
    const documents = parseAllDocuments(text('pipelines/kubernetes.yaml')).map((one) => one.toJS() as { kind: keyof typeof kinds })
    expect(documents.map(({ kind }) => kind)).toEqual(['ConfigMap', 'PersistentVolumeClaim', 'Job', 'Job'])
    for (const document of documents) expect(() => new kinds[document.kind](document as never).validate()).not.toThrow()
    expect(() => new Job({ ...documents[2], spec: { completions: 'four' } } as never).validate()).toThrow()
  })
})

describe.skipIf(lacksProgram('bash'))('what is run here', () => {
  const folder = temporaryFolder()
  const bin = join(folder, 'bin')
  let server: Reference

  beforeAll(async () => {
    server = createReference({ tls: false })
    await server.listen()
    mkdirSync(bin)
    writeFileSync(join(bin, 'assay'), `#!/bin/sh\nexec ${PROGRAM.map((word) => `'${word}'`).join(' ')} "$@"\n`)
    chmodSync(join(bin, 'assay'), 0o755)
  })
  afterAll(() => server.close())

  const run = (words: string[], env: Record<string, string>) =>
    new Promise<{ code: number; said: string }>((done) => {
      const environment = {
        ...process.env,
        NO_COLOR: '1',
        ASSAY_STATE_DIR: join(folder, 'state'),
        PATH: `${bin}:${process.env.PATH}`,
        ...env,
      }
      execFile(words[0]!, words.slice(1), { cwd: folder, env: environment, timeout: 200_000 }, (error, stdout, stderr) =>
        done({ code: error === null ? 0 : Number(error.code ?? -1), said: stdout + stderr }),
      )
    })

  test('the four pods and the one that joins them', { timeout: 400_000 }, async () => {
    interface Pods {
      kind: string
      data: Record<string, string>
      spec: { completions?: number; template: { spec: { containers: [{ command: string[] }] } } }
    }
    const [map, , shards, gate] = parseAllDocuments(text('pipelines/kubernetes.yaml')).map((one) => one.toJS() as Pods)
    const env = {
      ...map!.data,
      RESULTS: join(folder, 'results'),
      SERVER: server.url,
      FLAGS: '--engine kv --effort quick',
      ASSAY_TOKEN: server.rootToken,
    }
    const command = ({ spec }: Pods): string[] => spec.template.spec.containers[0].command
    expect(Number(map!.data.SHARDS)).toBe(shards!.spec.completions)
    const joined = run(command(gate!), env)
    for (let index = 0; index < shards!.spec.completions!; index += 1) {
      const shard = await run(command(shards!), { ...env, JOB_COMPLETION_INDEX: String(index) })
      expect(shard.code, shard.said).toBe(0)
    }
    const { code, said } = await joined
    expect(code, said).toBe(0)
    const results = JSON.parse(readFileSync(join(env.RESULTS, map!.data.RUN!, 'report/results.json'), 'utf8')) as Results
    expect(results.engines.find(({ id }) => id === 'kv')?.verdict).toBe('conformant')
    expect(existsSync(join(env.RESULTS, 'history'))).toBe(true)
    const mistaken = await run(command(shards!), { ...env, FLAGS: '--engine nonsense', JOB_COMPLETION_INDEX: '0' })
    expect(mistaken.code, 'a usage mistake fails the pod').toBe(2)
    const other = { ...env, RUN: 'mistaken', SHARDS: '1', FLAGS: '--engine nonsense' }
    await run(command(shards!), { ...other, JOB_COMPLETION_INDEX: '0' })
    expect((await run(command(gate!), other)).code, 'and the gate does not wait for its results').toBe(2)
  })

  test('the script of the action, whose inputs are never run as commands', { timeout: 200_000 }, async () => {
    interface Action {
      runs: { steps: { id?: string; run: string }[] }
    }
    const { steps } = (parse(text('action.yml')) as Action).runs
    const scriptOf = (name: string): string => steps.find(({ id }) => id === name)!.run
    const place = join(folder, 'action')
    mkdirSync(join(place, 'bin'), { recursive: true })
    writeFileSync(
      join(place, 'package.json'),
      '{ "name": "assay", "version": "0.0.0", "devDependencies": { "no-such-package-of-anyone": "1.0.0" } }',
    )
    writeFileSync(
      join(place, 'bin/assay.js'),
      `const { spawnSync } = require('node:child_process')\nprocess.exitCode = spawnSync('assay', process.argv.slice(2), { stdio: 'inherit' }).status\n`,
    )
    const output = join(folder, 'output')
    writeFileSync(output, '')
    const env = {
      RUNNER_TEMP: join(folder, 'temp'),
      ASSAY_PACKAGE: place,
      GITHUB_ACTION_PATH: join(folder, 'nothing'),
      GITHUB_OUTPUT: output,
      ASSAY_TOKEN: server.rootToken,
      ASSAY_COMMAND: 'certify',
      ASSAY_ARGUMENTS: `${server.url}\n--check kv/v1-replaces --header X-A:$(>made)`,
      ASSAY_OUT: 'of action',
    }
    mkdirSync(env.RUNNER_TEMP)
    for (const name of ['package', 'install', 'run']) {
      const { code, said } = await run(['bash', '-e', '-o', 'pipefail', '-c', scriptOf(name)], env)
      expect(code, `${name}: ${said}`).toBe(0)
    }
    const [key, ...written] = readFileSync(output, 'utf8').split('\n')
    expect(key).toMatch(/^key=[0-9a-f]{32}$/)
    expect(written.join('\n')).toMatch(/^gate=passed\nverdict=\w+\n$/)
    expect(existsSync(join(folder, 'made'))).toBe(false)
  })
})
