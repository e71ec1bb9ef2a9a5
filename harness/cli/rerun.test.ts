/** The command that repeats a run, as a report prints it. */
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { type CertifyOptions, certifyFlags, rerunWords, selectionWords } from './certify-flags.ts'

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
