/** Words for a shell. */

/** A word as a POSIX shell reads it back: as it is where that is safe, else in single quotes. */
export const shellWord = (word: string): string => (/^[\w./:@,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)
