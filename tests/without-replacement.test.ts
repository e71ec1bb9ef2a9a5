/** A server on which a CA cannot be replaced: said in `without` it narrows, unsaid it is violated, and said of a server that can do it the gate fails. */
import { beforeAll, expect, test } from 'vitest'
import type { CheckDefinition } from '../harness/checks/vocabulary.ts'
import type { Contract } from '../harness/contract/contract.ts'
import { loadContract } from '../harness/contract/load.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { allFaults } from '../reference/faults/index.ts'
import type { Results } from '../specs/meta/results.ts'
import { recorded } from './support/recorded-faults.ts'

const FAULTS = ['ssh/ca-not-replaced', 'pki/config-not-replaced']
const CHECKS = ['ssh/ca-replace', 'ssh/ca-generate-again', 'ssh/ca-supplied', 'pki/config-ca', 'pki/config-ca-replaces', 'pki/origin-5']
const REPLACING = ['PKI-CONFIG-02', 'SSH-CA-09', 'SSH-CA-10', 'SSH-CA-11']

let contract: Contract
let checks: CheckDefinition[]

beforeAll(async () => {
  contract = await loadContract()
  checks = (await catalogue(contract, ['ssh', 'pki'])).filter(({ id }) => CHECKS.includes(id))
})

const run = (faults: string[], without: string[]): Promise<Results> =>
  recorded(
    contract,
    allFaults.filter(({ id }) => faults.includes(id)),
    checks,
    without,
  )

const outcomesOf = ({ clauses }: Results, ids: readonly string[]) =>
  Object.fromEntries(clauses.filter(({ id }) => ids.includes(id)).map(({ id, outcome, causedBy = [] }) => [id, [outcome, ...causedBy]]))

const failing = ({ gateReasons }: Results): (string | undefined)[] =>
  gateReasons.filter(({ kind }) => kind === 'violated').map(({ subject }) => subject)

test('named in without, it explains what was not decided', async () => {
  const results = await run(FAULTS, ['replaceCa'])
  expect(outcomesOf(results, REPLACING)).toEqual(Object.fromEntries(REPLACING.map((id) => [id, ['blocked', 'replaceCa']])))
  expect(outcomesOf(results, ['SSH-CA-05', 'PKI-CONFIG-01'])).toEqual({ 'SSH-CA-05': ['verified'], 'PKI-CONFIG-01': ['verified'] })
  expect(results.gateReasons.filter(({ subject = '' }) => [...REPLACING, 'replaceCa'].includes(subject))).toEqual([])
})

test('not named, it is a violation, beneath which the rest stands', async () => {
  const results = await run(FAULTS, [])
  expect(failing(results).sort()).toEqual(['PKI-CONFIG-02', 'SSH-CA-09'])
  expect(outcomesOf(results, ['PKI-SIGN-12'])).toEqual({ 'PKI-SIGN-12': ['blocked', 'PKI-CONFIG-02'] })
})

test('a supplied CA that is not served fails the clause of the replacement alone', async () => {
  const results = await run(['pki/config-first'], [])
  expect(failing(results)).toEqual(['PKI-CONFIG-02'])
  expect(outcomesOf(results, ['PKI-ISSUE-07', 'PKI-SIGN-12'])).toEqual({
    'PKI-ISSUE-07': ['blocked', 'PKI-CONFIG-02'],
    'PKI-SIGN-12': ['blocked', 'PKI-CONFIG-02'],
  })
})

test('a server that can do it, although named, fails the gate', async () => {
  const { gate, gateReasons } = await run([], ['replaceCa'])
  expect(gate).toBe('failed')
  expect(gateReasons.map(({ message }) => message)).toContain('replaceCa stands in without, and the target has it: take it out')
})
