/** Headers that a user adds to every request. */

// The values of these are not secrets, and their words are everywhere.
const HARMLESS = new Set(['accept', 'accept-language', 'content-type', 'host', 'user-agent'])

/** Values of headers that a user adds are as good as tokens: a gateway's key, a proxy's password. */
export const secretsInHeaders = (headers: Record<string, string>): string[] =>
  Object.entries(headers)
    .filter(([name]) => !HARMLESS.has(name.toLowerCase()))
    .flatMap(([, value]) => {
      const words = value.split(/\s+/)
      const basic = words[0]?.toLowerCase() === 'basic' ? Buffer.from(words[1] ?? '', 'base64').toString('utf8') : ''
      return [value, ...words.slice(1), ...basic.split(':').slice(1)]
    })
