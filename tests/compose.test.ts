/** docker-compose.yml for real: a run with every backend of it as the external provider. scripts/ci-compose.sh brings it up first. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { createReference } from '../reference/index.ts'
import type { Results } from '../specs/meta/results.ts'
import { assay, temporaryFolder } from './support/cli.ts'

const { ASSAY_TEST_COMPOSE: adminKeyFile, SSHD_HOST_KEY: hostKey } = process.env
const TOKEN = 'root-token-of-the-compose-test'

/** The backends as the head of docker-compose.yml tells users to write them, with the keys of the service filled in. */
const described = (): object => {
  const [text] = /^#\s+backends:\n(#\s{3,}.*\n)+/m.exec(readFileSync('docker-compose.yml', 'utf8'))!
  const { backends } = parse(text.replaceAll(/^#/gm, '')) as { backends: { sshd: object } }
  return { ...backends, sshd: { ...backends.sshd, adminKey: readFileSync(adminKeyFile!, 'utf8'), hostKey } }
}

test.runIf(adminKeyFile !== undefined)('a run certifies through docker-compose.yml', { timeout: 400_000 }, async () => {
  const reference = await createReference({ tls: false, rootToken: TOKEN }).listen()
  const folder = temporaryFolder()
  const target = {
    api: 'secrets',
    url: reference.url,
    engines: ['ssh', 'database', 'broker'],
    identities: { root: { token: TOKEN } },
    allow: ['rotateRoot'],
    backends: described(),
  }
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify({ targets: [target] }))
  try {
    const ran = await assay(['certify', '--effort', 'quick'], { folder })
    expect(ran.code, ran.all).toBe(0)
    const { backends, engines } = JSON.parse(readFileSync(join(folder, 'assay-report/results.json'), 'utf8')) as Results
    const providers = Object.fromEntries(backends.map(({ name, provider }) => [name, provider]))
    expect(providers).toEqual({ postgres: 'external', mariadb: 'external', rabbitmq: 'external', sshd: 'external' })
    const verdicts = Object.fromEntries(engines.map(({ id, verdict }) => [id, verdict]))
    expect(verdicts).toMatchObject(Object.fromEntries(target.engines.map((id) => [id, 'conformant'])))
  } finally {
    await reference.close()
  }
})
