/** Characters that act instead of being seen: on a terminal, an XML reader or the direction of a text. Nothing that we write holds one raw. */

/** Controls other than tab and line feed, direction and zero-width marks, line separators, lone surrogates and non-characters. */
export const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu

/** Makes every unseen character readable as `\u{1b}`, so that no text can drive a terminal or hide what it says. */
export const visible = (text: string): string => text.replace(UNSEEN, (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`)

const escaped = (found: string): string =>
  Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')

/** A value as JSON that reads back the same, with its unseen characters escaped. */
export const jsonText = (value: unknown, space?: number): string => JSON.stringify(value, null, space).replace(UNSEEN, escaped)
