import { describe, expect, it } from 'vitest'
import { parseMysqlUrl } from './plugins.ts'
import { fill, splitStatements, timestamp } from './statements.ts'

describe('splitStatements', () => {
  it('splits at semicolons and drops what is empty', () => {
    expect(splitStatements('CREATE ROLE a; GRANT b TO a;; ')).toEqual(['CREATE ROLE a', 'GRANT b TO a'])
  })
  it.each([
    ["INSERT INTO t VALUES ('a;b'); SELECT 1", ["INSERT INTO t VALUES ('a;b')", 'SELECT 1']],
    ["SELECT 'it''s; one'", ["SELECT 'it''s; one'"]],
    ['SELECT "a;b"; SELECT `c;d`', ['SELECT "a;b"', 'SELECT `c;d`']],
    ['SELECT 1 -- no; yes\n; SELECT 2', ['SELECT 1 -- no; yes', 'SELECT 2']],
    ['SELECT /* a;b */ 1', ['SELECT /* a;b */ 1']],
    ['SELECT $x$ a;b $x$; SELECT $$;$$', ['SELECT $x$ a;b $x$', 'SELECT $$;$$']],
  ])('leaves a semicolon inside of %s', (text, parts) => expect(splitStatements(text)).toEqual(parts))
  it('keeps a procedural text whole', () => {
    const text = 'DO $$ BEGIN PERFORM 1; END $$;'
    expect(splitStatements(text)).toEqual([text])
  })
})

describe('fill', () => {
  it('replaces known names only', () => {
    expect(fill('{{name}}/{{ password }}/{{other}}', { name: 'n', password: '$&' })).toBe('n/$&/{{other}}')
  })
})

it('timestamp is in universal time', () => expect(timestamp(0)).toBe('1970-01-01 00:00:00+0000'))

it('parseMysqlUrl reads both spellings', () => {
  const address = { host: 'h', port: 3307, user: 'u', password: 'p@:', database: 'd' }
  expect(parseMysqlUrl('u:p@:@tcp(h:3307)/d?x=1')).toEqual(address)
  expect(parseMysqlUrl('mysql://u:p%40%3A@h:3307/d')).toEqual(address)
})
