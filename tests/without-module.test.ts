/** A server without a hardware module: said in `without` it leaves out one kind of managed keys alone, and said of a server that has it the gate fails. */
import { beforeAll, expect, test } from 'vitest'
import type { CheckDefinition } from '../harness/checks/vocabulary.ts'
import type { Contract } from '../harness/contract/contract.ts'
import { loadContract } from '../harness/contract/load.ts'
import { catalogue } from '../harness/planning/catalogue.ts'
import { allFaults } from '../reference/faults/index.ts'
import type { Results } from '../specs/meta/results.ts'
import { recorded } from './support/recorded-faults.ts'

const CHECKS = ['pkcs11-created', 'cloudakms-created', 'pkcs11-needs-pin', 'delete', 'lists', 'unknown-kind', 'signs']
const OF_MODULES = ['MANAGED-KEYS-WRITE-01', 'MANAGED-KEYS-PKCS-03', 'MANAGED-KEYS-SIGN-01']
const OF_ALL = ['MANAGED-KEYS-WRITE-02', 'MANAGED-KEYS-DELETE-01', 'MANAGED-KEYS-LIST-02', 'MANAGED-KEYS-WRITE-08']

let contract: Contract
let checks: CheckDefinition[]

beforeAll(async () => {
  contract = await loadContract()
  checks = (await catalogue(contract, ['managed-keys'])).filter(({ id }) => CHECKS.includes(id.replace('managed-keys/', '')))
})

const run = (faults: string[]): Promise<Results> =>
  recorded(
    contract,
    allFaults.filter(({ id }) => faults.includes(id)),
    checks,
    ['pkcs11'],
  )

test('named in without, it leaves out what is about modules, and nothing else', async () => {
  const { clauses, gateReasons } = await run(['managed-keys/pkcs11-not-created'])
  const outcomes = new Map(clauses.map(({ id, outcome, causedBy = [] }) => [id, [outcome, ...causedBy]]))
  for (const id of OF_MODULES) expect(outcomes.get(id), id).toEqual(['blocked', 'pkcs11'])
  for (const id of OF_ALL) expect(outcomes.get(id), id).toEqual(['verified'])
  expect(gateReasons.filter(({ subject = '' }) => [...OF_MODULES, ...OF_ALL, 'pkcs11'].includes(subject))).toEqual([])
})

test('a server that has it, although named, fails the gate', async () => {
  const { gate, gateReasons } = await run([])
  expect(gate).toBe('failed')
  expect(gateReasons.map(({ message }) => message)).toContain('pkcs11 stands in without, and the target has it: take it out')
})
