import { describe, expect, it } from 'vitest'
import type { Operation, Schema } from './contract.ts'
import { judgeAnswer } from './validate.ts'

const schema: Schema = {
  type: 'object',
  'x-clause': 'BODY-01',
  required: ['kind'],
  properties: { kind: { type: 'string', 'x-clause': 'KIND-01' } },
  allOf: [
    {
      if: { properties: { kind: { const: 'a' } } },
      // biome-ignore lint/suspicious/noThenProperty: the keyword's name in JSON Schema
      then: { required: ['of_a'], properties: { of_a: { type: 'integer', 'x-clause': 'A-01' } } },
      else: { properties: { of_others: { type: 'integer', 'x-clause': 'OTHERS-01' } } },
    },
  ],
}

const operation: Operation = {
  id: 'toy.read',
  engine: 'toy',
  api: 'toys',
  summary: '',
  method: 'GET',
  path: '/toy',
  parameters: [],
  queryParameters: [],
  isList: false,
  unauthenticated: false,
  sudo: false,
  responses: { 200: { mediaTypes: ['application/json'], schema, clause: 'MEDIA-01' } },
}

const judge = (text: string, contentType = 'application/json') => {
  let body: never | undefined
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  const { findings, reached } = judgeAnswer(operation, { status: 200, contentType, body, size: text.length })
  return { clauses: findings.map(({ clause }) => clause), reached: [...reached].sort() }
}

describe('what an answer reaches', () => {
  it('is the branch that applies to it', () => {
    expect(judge('{"kind": "a", "of_a": 1}').reached).toEqual(['A-01', 'BODY-01', 'KIND-01', 'MEDIA-01'])
    expect(judge('{"kind": "b"}').reached).not.toContain('A-01')
    expect(judge('{"kind": "b", "of_others": 1}').reached).toContain('OTHERS-01')
  })
})

describe('what is wrong with an answer', () => {
  it('is named by the clause nearest to it', () => {
    expect(judge('{"kind": "a", "of_a": 1}').clauses).toEqual([])
    expect(judge('{"kind": "a"}').clauses).toEqual(['A-01'])
    expect(judge('{"kind": 7}').clauses).toEqual(['KIND-01'])
  })

  it('is the body if it is not JSON, whatever its label', () => {
    expect(judge('').clauses).toEqual(['BODY-01'])
    expect(judge('no such thing', 'text/plain').clauses).toEqual(['BODY-01'])
    expect(judge('no such thing').clauses).toEqual(['BODY-01'])
  })

  it('is the label where JSON is called something else', () => {
    expect(judge('{"kind": "b"}', 'text/plain').clauses).toEqual(['MEDIA-01'])
    expect(judge('{"kind": "b"}', 'application/json; charset=utf-8').clauses).toEqual([])
  })
})
