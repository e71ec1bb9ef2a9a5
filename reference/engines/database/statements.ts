/** Statement templates: splitting and filling in. */

/**
 * The single statements of a text, split at `;` outside of quotes, comments and dollar quotes. A text with the word END is procedural
 * and stays whole.
 */
export const splitStatements = (text: string): string[] => {
  if (/\bEND\b/i.test(text)) return [text.trim()]
  const parts: string[] = []
  let part = ''
  // One match per lexical unit, so that a `;` inside of one is not seen.
  for (const [unit] of text.matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|[\s\S]/g)) {
    if (unit === ';') {
      parts.push(part)
      part = ''
    } else part += unit
  }
  return [...parts, part].map((statement) => statement.trim()).filter((statement) => statement !== '')
}

/** `{{key}}` replaced by the value of that key; spaces inside of the braces are allowed, other names stay as they are. */
export const fill = (template: string, values: Record<string, string>): string =>
  template.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, key: string) => values[key] ?? whole)

/** A time as PostgreSQL and MariaDB read it: `2026-01-31 12:00:00+0000`. */
export const timestamp = (seconds: number): string => `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')}+0000`
