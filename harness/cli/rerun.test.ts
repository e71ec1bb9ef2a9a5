/** The command that repeats a run, as a report prints it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../tests/support/cli.ts'
import { type CertifyOptions, certifyFlags, rerunWords, selectionWords } from './certify-flags.ts'
import { header, headerEnv, headersFrom } from './flags.ts'

const optionsOf = (...words: string[]): CertifyOptions =>
  certifyFlags(new Command('certify')).parse(words, { from: 'user' }).opts<CertifyOptions>()

test('durations stand there as the user wrote them', () => {
  const options = optionsOf('--timeout', '1m30s', '--max-time', '20m', '--within', '120s')
  expect(rerunWords(undefined, options)).toEqual(['--timeout', '1m30s', '--max-time', '20m'])
  expect(selectionWords(options)).toEqual(['--within', '120s'])
})

test('and one that a program gave, in milliseconds', () => {
  expect(rerunWords(undefined, { ...optionsOf(), maxTime: 4321 })).toEqual(['--max-time', '4321ms'])
})

test('values of headers stay off the list of processes: a file or a variable holds them, and the command shows neither', () => {
  const file = join(temporaryFolder(), 'key')
  writeFileSync(file, 'from-a-file\n')
  process.env.ASSAY_TEST_HEADER = 'from-a-variable'
  const options = optionsOf('--header', `X-One: @${file}`, '--header', 'X-Two: plain', '--header-env', 'X-Three=ASSAY_TEST_HEADER')
  expect(headersFrom(options)).toEqual({ 'X-One': 'from-a-file', 'X-Two': 'plain', 'X-Three': 'from-a-variable' })
  expect(rerunWords(undefined, options).join(' ')).toBe(
    '--header X-One: <value> --header X-Two: <value> --header-env X-Three=ASSAY_TEST_HEADER',
  )
  expect(() => headerEnv('X-Four=ASSAY_TEST_HEADER_UNSET')).toThrow('the environment variable ASSAY_TEST_HEADER_UNSET is not set')
  expect(() => header('X-One: @/nope')).toThrow('--header X-One: /nope does not exist')
})
