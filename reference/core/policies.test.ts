import { describe, expect, it } from 'vitest'
import { Policies } from './policies.ts'
import { parsePolicy } from './policy-syntax.ts'
import { coreRules } from './rules.ts'

const granted = (policies: string[], path: string, isList = false) => {
  const store = new Policies(coreRules)
  for (const [index, text] of policies.entries()) store.write('', `p${index}`, text)
  const names = policies.map((_text, index) => `p${index}`)
  return [...store.granted('', names, path, isList)].sort()
}

describe('a policy', () => {
  it('is read from blocks with comments and from JSON', () => {
    const blocks = '# all of it\npath "a/*" {\n  capabilities = ["read", "list"]\n}\npath "b" { capabilities = [] }'
    expect(parsePolicy(blocks).map(({ path }) => path)).toEqual(['a/*', 'b'])
    expect(parsePolicy('{"path":{"a/*":{"capabilities":["read"]}}}')[0]?.capabilities).toEqual(new Set(['read']))
  })

  it.each(['path "a" {', 'nonsense', '{"path":', 'path "a" { capabilities = ["fly"] }'])('is refused when it is malformed: %s', (text) => {
    expect(() => parsePolicy(text)).toThrow(expect.objectContaining({ status: 400 }))
  })
})

describe('a grant', () => {
  const own = 'path "kv/a" { capabilities = ["read"] }'
  const all = 'path "kv/*" { capabilities = ["create", "list"] }'

  it('comes from the most specific pattern alone', () => {
    expect(granted([own, all], 'kv/a')).toEqual(['read'])
    expect(granted([own, all], 'kv/b')).toEqual(['create', 'list'])
    expect(granted([own, all], 'other')).toEqual([])
  })

  it('adds up over policies with the same pattern', () => {
    expect(granted([own, 'path "kv/a" { capabilities = ["update"] }'], 'kv/a')).toEqual(['read', 'update'])
  })

  it('ends where one of them denies', () => {
    expect(granted([own, 'path "kv/a" { capabilities = ["deny"] }'], 'kv/a')).toEqual(['deny'])
  })

  it('follows + for one segment and * for the rest', () => {
    const plus = 'path "kv/+/x" { capabilities = ["read"] }'
    expect(granted([plus], 'kv/1/x')).toEqual(['read'])
    expect(granted([plus], 'kv/1/2/x')).toEqual([])
    expect(granted([plus, 'path "kv/1/*" { capabilities = ["list"] }'], 'kv/1/x')).toEqual(['list'])
    expect(granted(['path "kv/a*" { capabilities = ["read"] }'], 'kv/abc/d')).toEqual(['read'])
  })

  it('lists a directory with and without its slash', () => {
    const directory = 'path "kv/dir/" { capabilities = ["list"] }'
    expect(granted([directory], 'kv/dir', true)).toEqual(['list'])
    expect(granted([directory], 'kv/dir/', true)).toEqual(['list'])
    expect(granted([directory], 'kv/dir')).toEqual([])
  })
})
