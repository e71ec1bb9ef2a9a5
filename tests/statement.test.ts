/** A signed run: verified in its folder, and refused once any byte of it differs. */
import { generateKeyPairSync } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { publish } from '../harness/cli/publish.ts'
import { STATEMENT_FILE } from '../harness/cli/signed-statement.ts'
import { verify } from '../harness/cli/verify.ts'
import { imagine } from '../harness/outcomes/testing/imagined.ts'
import { commandSigner, keySigner } from '../harness/results/signing-key.ts'
import { temporaryFolder } from './support/cli.ts'

const results = imagine({ engines: { kv: [{ seen: 'verified' }, { seen: 'violated' }, { seen: 'observed' }] } })

const keysIn = (folder: string, type: 'ed25519' | 'ec') => {
  const { privateKey, publicKey } = type === 'ec' ? generateKeyPairSync('ec', { namedCurve: 'P-256' }) : generateKeyPairSync('ed25519')
  writeFileSync(join(folder, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(join(folder, 'key.pub'), publicKey.export({ type: 'spki', format: 'pem' }))
  return { secret: join(folder, 'key.pem'), open: join(folder, 'key.pub') }
}

/** What was said while something ran. */
const quietly = async <T>(run: () => Promise<T>): Promise<T> => {
  const [out, err] = [process.stdout.write, process.stderr.write]
  process.stdout.write = process.stderr.write = () => true
  try {
    return await run()
  } finally {
    process.stdout.write = out
    process.stderr.write = err
  }
}

describe.each(['ed25519', 'ec'] as const)('a run signed with %s', (type) => {
  const folder = temporaryFolder()
  const report = join(folder, 'report')
  const keys = keysIn(folder, type)
  const verified = (place: string, key = keys.open) => quietly(() => verify(join(place, STATEMENT_FILE), { key }))

  const evidence = new Map([
    ['evidence/KV-C-02.har', '{"log":{}}\n'],
    ['evidence/KV-C-02.sh', '#!/bin/sh\nexit 1\n'],
  ])
  beforeAll(() => quietly(() => publish(results, { out: report, evidence, signer: keySigner(keys.secret) })))

  test('is verified elsewhere, by its key and no other', async () => {
    const elsewhere = join(folder, 'elsewhere')
    cpSync(report, elsewhere, { recursive: true })
    expect(await verified(elsewhere)).toBe(0)
    expect(await verified(elsewhere, keysIn(temporaryFolder(), type).open)).toBe(1)
  })

  test('is not verified once any byte of the statement or an artefact differs', { timeout: 120_000 }, async () => {
    const files = readdirSync(report, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(report, join(entry.parentPath, entry.name)))
    expect(files).toContain(join('evidence', 'KV-C-02.sh'))
    const changed = join(folder, 'changed')
    cpSync(report, changed, { recursive: true })
    const one = fc.record({
      file: fc.constantFrom(...files, STATEMENT_FILE, 'results.json'),
      at: fc.nat(),
      by: fc.integer({ min: 1, max: 255 }),
    })
    await fc.assert(
      fc.asyncProperty(one, async ({ file, at, by }) => {
        const whole = readFileSync(join(report, file))
        if (whole.length === 0) return
        const bytes = Buffer.from(whole)
        bytes[at % bytes.length]! ^= by
        writeFileSync(join(changed, file), bytes)
        const code = await verified(changed)
        writeFileSync(join(changed, file), whole)
        expect(code, `${file} ${at % whole.length}`).toBe(1)
      }),
      { numRuns: 200 },
    )
    expect(await verified(changed)).toBe(0)
  })

  test('is not verified without one of its artefacts', async () => {
    const less = join(folder, 'less')
    cpSync(report, less, { recursive: true })
    rmSync(join(less, 'badge.svg'))
    expect(await verified(less)).toBe(1)
  })
})

test('results that were made up are refused although somebody signed them', async () => {
  const folder = temporaryFolder()
  const keys = keysIn(folder, 'ed25519')
  await quietly(() =>
    publish({ ...results, verdict: 'conformant', gate: 'passed', gateReasons: [] }, { out: folder, signer: keySigner(keys.secret) }),
  )
  expect(await quietly(() => verify(join(folder, STATEMENT_FILE), { key: keys.open }))).toBe(1)
})

test('a program signs for a key that never leaves its place', async () => {
  const folder = temporaryFolder()
  const keys = keysIn(folder, 'ec')
  const program = join(folder, 'sign.cjs')
  writeFileSync(
    program,
    `process.stdout.write(require('crypto').sign('sha256', require('fs').readFileSync(0), require('fs').readFileSync(${JSON.stringify(keys.secret)})))`,
  )
  const signer = commandSigner(`${process.execPath} ${program}`, keys.open)
  await quietly(() => publish(results, { out: join(folder, 'report'), signer }))
  expect(await quietly(() => verify(join(folder, 'report', STATEMENT_FILE), { key: keys.open }))).toBe(0)
  await expect(commandSigner('echo no', keys.open).sign(Buffer.from('x'))).rejects.toThrow(/not a signature by the key/)
  await expect(commandSigner('exit 3', keys.open).sign(Buffer.from('x'))).rejects.toThrow(/ended with 3/)
})

test('a key that cannot be used is named with what to give', () => {
  const file = join(temporaryFolder(), 'rsa.pem')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  expect(() => keySigner(file)).toThrow(/--sign: .*rsa\.pem holds a key of type rsa: give one of Ed25519 or ECDSA/)
  writeFileSync(file, 'no key')
  expect(() => keySigner(file)).toThrow(/--sign: .*rsa\.pem holds no readable key: give a PEM file/)
  expect(() => keySigner(`${file}.not`)).toThrow(/does not exist/)
})
