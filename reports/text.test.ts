/** Text that is shown. */
import { describe, expect, it } from 'vitest'
import { cut, duration, oneLine, visible, wrap } from './text.ts'

describe('text', () => {
  it('shows what cannot be seen, and keeps what can', () => {
    expect(visible('a\u0000b\u200bc\ud800d\u009b')).toBe('a\\u{0}b\\u{200b}c\\u{d800}d\\u{9b}')
    expect(visible('tab\tline\n‹é漢😀›')).toBe('tab\tline\n‹é漢😀›')
    expect(oneLine(' a\r\n b\u001b ')).toBe('a b\\u{1b}')
  })

  it('cuts, wraps and tells time', () => {
    expect(cut('abcdef', 4)).toBe('abcd… (2 more characters)')
    expect(wrap('aa bb cc', 5)).toEqual(['aa bb', 'cc'])
    expect(wrap('a bbbbbbb', 5)).toEqual(['a', 'bbbbb', 'bb'])
    expect([duration(12.4), duration(2400), duration(185_000)]).toEqual(['12 ms', '2.4 s', '3 min 5 s'])
  })
})
