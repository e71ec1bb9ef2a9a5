import { expect, test } from 'vitest'
import type { RunnableCheck } from '../checks/vocabulary.ts'
import type { Contract, Operation } from '../contract/contract.ts'
import type { CheckRun } from '../running/check-run.ts'
import { type NameForm, NameForms } from './name-forms.ts'

const operation = { id: 'kv.write', engine: 'kv' } as Operation
const contract = { operations: new Map([[operation.id, operation]]) } as Contract
const check = (id: string) => ({ id, engine: 'kv' }) as RunnableCheck

/** Tries a check that holds where its name is taken; tells the forms in which it was tried. */
const tried = async (names: NameForms, id: string, takes: (form: string, nth: number) => boolean) => {
  const forms: string[] = []
  const one = check(id)
  const run = await names.tried(one, new AbortController().signal, async () => {
    const form = names.of(one)
    forms.push(form)
    const isOk = takes(form, forms.length)
    names.answered(one, operation, form as NameForm, isOk)
    return { check: one, outcome: isOk ? 'passed' : 'blocked' } as CheckRun
  })
  return { forms, outcome: run.outcome }
}

test('a server that takes mixed names is asked with nothing else, whatever else fails', async () => {
  const names = new NameForms(contract)
  expect(await tried(names, 'one', () => true)).toEqual({ forms: ['mixed'], outcome: 'passed' })
  expect(await tried(names, 'two', () => false)).toEqual({ forms: ['mixed'], outcome: 'blocked' })
  expect(names.notes).toEqual([])
})

test('a server that takes plain names alone is asked with these from then on', async () => {
  const names = new NameForms(contract)
  expect(await tried(names, 'one', (form) => form === 'plain')).toEqual({ forms: ['mixed', 'plain', 'mixed'], outcome: 'passed' })
  expect(await tried(names, 'two', (form) => form === 'plain')).toEqual({ forms: ['plain'], outcome: 'passed' })
  expect(names.notes).toEqual([expect.stringContaining('kv.write takes no name with capital letters')])
})

test('what fails with either name fails, and what failed by chance decides nothing of names', async () => {
  const names = new NameForms(contract)
  expect(await tried(names, 'one', () => false)).toEqual({ forms: ['mixed', 'plain'], outcome: 'blocked' })
  expect(await tried(names, 'two', (_, nth) => nth > 1)).toEqual({ forms: ['mixed', 'plain', 'mixed'], outcome: 'blocked' })
  expect(await tried(names, 'three', () => true)).toEqual({ forms: ['mixed'], outcome: 'passed' })
  expect(names.notes).toEqual([])
})
