import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { coreEngine } from '../core/core-engine.ts'
import { applyMutations, type Mutable } from '../core/mutation.ts'
import { allEngines, allParts } from '../engines/index.ts'
import { faultsOf, variantsOf } from './declare.ts'
import { allFaults, allVariants } from './index.ts'

const bell: Mutable<{ tone: () => string }, (loud: boolean) => string> = {
  type: 'bell',
  rules: { tone: () => 'ding' },
  routes: [
    { id: 'bell.ring', handle: (loud) => (loud ? 'DONG' : 'dong') },
    { id: 'bell.stop', handle: () => '' },
  ],
}

test('a fault has the prefix of its engine, its clauses as a list, and changes what it says', () => {
  const { rule, route, change, declared } = faultsOf(bell)
  rule('higher', 'BELL-01', 'the tone is too high', { tone: (original) => () => `${original()}!` })
  route('silent', ['BELL-02', 'BELL-03'], 'nothing is heard', ['bell.ring', 'bell.stop'], () => () => 'hush')
  change('broken', 'BELL-01', 'nothing works', { rules: { tone: () => () => 'crack' }, routes: { 'bell.stop': () => () => 'crack' } })
  const [higher, silent, broken] = declared
  expect(higher).toMatchObject({ id: 'bell/higher', engine: 'bell', clauses: ['BELL-01'], type: 'bell' })
  expect(silent).toMatchObject({ id: 'bell/silent', clauses: ['BELL-02', 'BELL-03'] })
  const hits: string[] = []
  const changed = applyMutations(bell, [higher!, silent!], (id) => hits.push(id))
  expect([changed.rules.tone(), ...changed.routes.map(({ handle }) => handle(true))]).toEqual(['ding!', 'hush', 'hush'])
  expect(hits).toEqual(['bell/higher', 'bell/silent', 'bell/silent'])
  expect(applyMutations(bell, [broken!], () => undefined).rules.tone()).toBe('crack')
})

test('a variant names the reading instead of the clauses; one that shows in another engine has its prefix', () => {
  const { rule, declared } = variantsOf(bell, 'tower')
  rule('deeper', 'the tone is not stated', 'the tone is deeper', { tone: () => () => 'dong' })
  expect(declared[0]).toMatchObject({ id: 'tower-deeper', engine: 'tower', reading: 'the tone is not stated', type: 'bell' })
})

test('an operation that does not exist is an error', () => {
  const { route } = faultsOf(bell)
  expect(() => route('lost', 'BELL-01', 'nothing is wrapped', 'bell.paint', (original) => original)).toThrow('bell.paint')
})

test('every engine, fault and variant is found by its file name', () => {
  const folder = fileURLToPath(new URL('../engines', import.meta.url))
  const engines = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of engines) {
    expect([coreEngine, ...allEngines, ...allParts].map(({ type }) => type.replace(/^kv[12]$/, 'kv'))).toContain(name)
    for (const all of [allFaults, allVariants]) expect(all.map(({ engine }) => engine)).toContain(name)
  }
})
