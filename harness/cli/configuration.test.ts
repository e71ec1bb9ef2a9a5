import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { loadContract } from '../contract/load.ts'
import { packageRoot } from '../contract/package-root.ts'
import { openTarget } from '../running/open-target.ts'
import { SecretRegistry } from '../secrets/secrets.ts'
import type { RunConfig } from '../target/run-configuration.ts'
import type { CertifyOptions } from './certify-flags.ts'
import { configFrom, requireKnownNames } from './configuration.ts'

afterEach(() => void vi.unstubAllEnvs())

const written = (text: string): string => {
  const file = join(temporaryFolder(), 'a.yaml')
  writeFileSync(file, text)
  return file
}

const read = (text: string, flags: Partial<CertifyOptions> = {}, url?: string): Promise<RunConfig> =>
  configFrom(url, { seed: 1, effort: 'standard', out: 'x', config: written(text), ...flags })

const SECRETS = 'api: secrets, url: "https://a.example/", identities: { root: { tokenEnv: MY_TOKEN } }'
const RUNS =
  'api: run-management, url: "https://b.example", provisioner: { kind: command, command: [x] }, identities: { root: { token: t } }'
const only = (target: string): string => `targets: [{ ${target} }]`
const BOTH = `targets: [{ ${RUNS} }, { ${SECRETS} }]`

const tokenIn = async (config: RunConfig, token?: string): Promise<string> => {
  const target = openTarget(await loadContract(), config, config.targets[0]!, {
    run: 'abc123',
    ...(token === undefined ? {} : { token }),
    secrets: new SecretRegistry(),
    journal: () => undefined,
    removed: () => undefined,
    signal: new AbortController().signal,
  })
  await target.http.close()
  return target.root.token
}

test('a URL replaces that of the only API that the file has', async () => {
  const { targets } = await read(only(RUNS), {}, 'https://c.example/')
  expect(targets).toMatchObject([
    { api: 'run-management', url: 'https://c.example', identities: { root: { token: 't' } }, provisioner: { command: ['x'] } },
  ])
})

test('an empty file is called empty', async () => {
  await expect(read('')).rejects.toThrow(/is empty: name a server under targets/)
  await expect(read('# only a comment\n')).rejects.toThrow('is empty')
})

test('a run may take longer the more effort it makes, unless somebody says how long', async () => {
  const longest = async (text: string, flags: Partial<CertifyOptions>) => (await read(text, flags)).timing.run / 60_000
  expect(await longest(only(SECRETS), { effort: 'quick' })).toBe(15)
  expect(await longest(only(SECRETS), {})).toBe(30)
  expect(await longest(only(SECRETS), { effort: 'thorough' })).toBe(60)
  expect(await longest(`${only(SECRETS)}\ntiming: { run: 20m }`, { effort: 'thorough' })).toBe(20)
  expect(await longest(only(SECRETS), { effort: 'quick', maxTime: 60_000 })).toBe(1)
})

test('a URL replaces that of the API that is named, else that of the secrets service', async () => {
  expect((await read(BOTH, {}, 'https://c.example')).targets).toMatchObject([
    { api: 'secrets', identities: { root: { tokenEnv: 'MY_TOKEN' } } },
  ])
  expect((await read(BOTH, { api: 'run-management' }, 'https://c.example')).targets).toMatchObject([{ api: 'run-management' }])
  await expect(read(only(SECRETS), { api: 'run-management' }, 'https://c.example')).rejects.toThrow('no target with api run-management')
})

test('the second API is called run-management, and runManagement is understood', async () => {
  const spelled = only(RUNS).replace('run-management', 'runManagement')
  expect((await read(spelled)).targets).toMatchObject([{ api: 'run-management' }])
})

test('the provisioner of the flag keeps the command of the file', async () => {
  expect((await read(only(RUNS), { provisioner: 'command' })).targets).toMatchObject([{ provisioner: { kind: 'command', command: ['x'] } }])
  expect((await read(only(RUNS), { provisioner: 'static' })).targets[0]!.provisioner).toEqual({ kind: 'static' })
})

test('a flag goes before the file, and the file before the environment', async () => {
  vi.stubEnv('MY_TOKEN', 'of this server')
  vi.stubEnv('ASSAY_TOKEN', 'of another')
  const config = await read(only(SECRETS))
  expect(await tokenIn(config)).toBe('of this server')
  expect(await tokenIn(config, 'of the flag')).toBe('of the flag')
  expect(await tokenIn(await read(only('api: secrets, url: "https://a.example"')))).toBe('of another')
})

test('a variable that is not set is named, unless a flag makes up for it', async () => {
  vi.stubEnv('MY_TOKEN', undefined)
  vi.stubEnv('ASSAY_TOKEN', 'of another')
  const config = await read(only(SECRETS))
  await expect(tokenIn(config)).rejects.toThrow('MY_TOKEN is not set')
  expect(await tokenIn(config, 'of the flag')).toBe('of the flag')
})

test.each([
  ['backends: { pstgres: "postgresql://a:b@127.0.0.1/x" }', 'unknown backend in the configuration "pstgres"; did you mean postgres?'],
  ['settings: { cor: {} }', 'unknown engine in settings of the configuration "cor"; did you mean core?'],
])('%s is refused', async (more, says) => {
  const config = await read(only(`${SECRETS}, ${more}`))
  const contract = await loadContract()
  expect(() => requireKnownNames(contract, config)).toThrow(says)
})

test('settings of an engine may be under the name that TypeScript would give it', async () => {
  const config = await read(only(`${SECRETS}, settings: { policyChecks: {}, agent-tokens: {} }`))
  const contract = await loadContract()
  expect(() => requireKnownNames(contract, config)).not.toThrow()
})

test.each(['headers: { "a b": c }', 'provisioner: { kind: command, command: "http://me:hush@[bad" }'])('%s is refused', async (more) => {
  const config = await read(only(`api: secrets, url: "https://a.example", identities: { root: { token: t } }, ${more}`))
  await expect(tokenIn(config)).rejects.toThrow(/^(?!.*hush).*(the header "a b"|provisioner\.command)/)
})

test('the backends that docker-compose.yml describes are those of a configuration', async () => {
  const [first] = /^#\s+backends:\n(#\s{3,}.*\n)+/m.exec(readFileSync(join(packageRoot, 'docker-compose.yml'), 'utf8'))!
  const { backends } = parse(first.replaceAll(/^#/gm, '')) as { backends: object }
  const config = await read(JSON.stringify({ targets: [{ api: 'secrets', url: 'https://a.example', backends }] }))
  expect(Object.keys(config.targets[0]!.backends)).toEqual(['postgres', 'mariadb', 'rabbitmq', 'sshd'])
  requireKnownNames(await loadContract(), config)
})

test('names that `without` does not know are refused with the nearest one', async () => {
  const contract = await loadContract()
  const config = (name: string) => read(only(`${SECRETS}, without: [${name}]`))
  for (const name of ['namespaces', 'identityTemplates', 'ssh.writeKey']) requireKnownNames(contract, await config(name))
  await expect(config('namespace').then((run) => requireKnownNames(contract, run))).rejects.toThrow('did you mean namespaces?')
  await expect(config('agentTokens.createToken').then((run) => requireKnownNames(contract, run))).rejects.toThrow(
    'unknown feature or operation',
  )
})
