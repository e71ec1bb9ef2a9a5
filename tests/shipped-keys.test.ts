/** No private key is shipped: neither in the repository nor in the package. Code that needs one makes it at run time. */
import { execFileSync } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { lacksProgram } from './support/needs.ts'
import { npm } from './support/npm.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

// A frame with something of a key behind it, be its lines ended by a break or by an escape of one.
const FRAMED = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?:\s|\\[nr]|['"`+,])*[A-Za-z0-9+/]{32}/
// What every key file of OpenSSH begins with, in base64.
const OPENSSH = Buffer.from('openssh-key-v1\0').toString('base64')
const BASE64 = /[A-Za-z0-9+/]{56,}={0,2}/g
const FORMS = ['pkcs8', 'pkcs1', 'sec1'] as const

const isKey = (stretch: string): boolean =>
  // The first byte of every key in DER.
  stretch.startsWith('M') &&
  FORMS.some((type) => {
    try {
      createPrivateKey({ key: Buffer.from(stretch, 'base64'), format: 'der', type })
      return true
    } catch {
      return false
    }
  })

/** Why a text is taken to hold a private key; undefined where it holds none. */
const keyIn = (text: string): string | undefined => {
  const framed = FRAMED.exec(text)?.[0]
  if (framed !== undefined) return framed.slice(0, 60)
  if (text.includes(OPENSSH)) return 'a key file of OpenSSH'
  return [...text.matchAll(BASE64)].map(([stretch]) => stretch).find(isKey)
}

const keysIn = (files: readonly string[]): string[] =>
  files
    .map((file) => join(root, file))
    .filter((file) => existsSync(file) && statSync(file).isFile())
    .flatMap((file) => {
      const found = keyIn(readFileSync(file, 'utf8'))
      return found === undefined ? [] : [`${file.slice(root.length)}: ${found}`]
    })

test('the search finds keys in every form', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'sec1', format: 'pem' }).toString()
  const der = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  const head = '-----BEGIN PRIVATE'
  for (const text of [pem, JSON.stringify(pem), `const key = '${der}'`, `${OPENSSH}AAAABG5vbmU`]) expect(keyIn(text), text).toBeDefined()
  for (const text of [`${head} KEY-----`, `startsWith('${head} KEY-----')\n`, pem.split('\n')[1]!.slice(0, 40)])
    expect(keyIn(text)).toBeUndefined()
})

test.skipIf(!existsSync(join(root, '.git')) || lacksProgram('git'))('no file of the repository holds a private key', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  expect(files.length).toBeGreaterThan(500)
  expect(keysIn(files)).toEqual([])
})

test('no file of the package holds a private key', () => {
  const [packed] = JSON.parse(npm(['pack', '--dry-run', '--json', '--ignore-scripts'], root)) as { files: { path: string }[] }[]
  expect(packed!.files.length).toBeGreaterThan(50)
  expect(keysIn(packed!.files.map(({ path }) => path))).toEqual([])
})
