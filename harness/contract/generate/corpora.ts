/** Texts that break servers which trim, fold, normalise, count or quote carelessly. All are valid JSON strings without lone surrogates or NUL. */

/** Scripts, combining marks, directions, widths, emoji, normal forms. */
const unicodeTexts: readonly string[] = [
  'é',
  'e\u0301',
  'ﬁ',
  'ß ẞ İ ı',
  'Ωmega Ω',
  '日本語',
  'עברית \u202eright to left\u202c',
  '👩‍👩‍👧‍👦',
  '🏳️‍🌈',
  '\u{1f600}\u{10ffff}',
  'z\u0300\u0301\u0302\u0303\u0304',
  '\ufeffbyte order mark',
  'zero\u200bwidth\u200djoiner',
  '\u2028line\u2029paragraph',
  'soft\u00adhyphen',
  '\ufffd\ufffe',
]

/** White space that must survive at the ends and within. */
const trimmingTexts: readonly string[] = [
  ' lead',
  'trail ',
  '\ttab\t',
  '\nline\n',
  '\r\n',
  ' ',
  '',
  'two  spaces',
  '\u00a0no-break\u00a0',
  '\u3000ideographic',
  'end.\n',
]

/** Texts that mean something to a shell, a query, a template, a path, a number parser or a log. */
const meaningfulTexts: readonly string[] = [
  "'; DROP TABLE users; --",
  '"quoted"',
  'back\\slash \\n \\u0041',
  '{{identity}} $HOME %s %n',
  '../../etc/passwd',
  'null',
  'true',
  '0',
  '-0',
  '1e400',
  '0x1f',
  '1_000',
  '<script>alert(1)</script>',
  '\u001b[31mred\u001b[0m',
  '\u0001\u001f\u007f\u0085',
  '__proto__',
  'constructor',
]

/** All of them. */
export const nastyTexts: readonly string[] = [...unicodeTexts, ...trimmingTexts, ...meaningfulTexts]
