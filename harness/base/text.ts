/** Shortens text for people to read. */

/** What stands where text was left out; a piece of a secret right before it is still known for one. */
const CUT_MARK = '…'

/** The beginning of a text with its length; the text itself where it is no longer than `length` characters. */
export const cut = (text: string, length = 200): string =>
  text.length > length ? `${text.slice(0, length)}${CUT_MARK} (${text.length} characters)` : text
