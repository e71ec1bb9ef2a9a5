/** Directories of keys: whatever comes before a slash is one. */

/**
 * The names directly in a directory, each once; those that are directories end in a slash.
 * @param directory without trailing slash; empty for the root
 */
export const namesIn = (keys: string[], directory: string): string[] => {
  const prefix = directory === '' ? '' : `${directory}/`
  const below = keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length))
  return [...new Set(below.map((rest) => (rest.includes('/') ? rest.slice(0, rest.indexOf('/') + 1) : rest)))]
}
