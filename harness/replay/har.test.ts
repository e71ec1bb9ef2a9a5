/** The text of a HAR file keeps our own instants, whatever was learned. */
import { expect, test } from 'vitest'
import { SecretRegistry } from '../secrets/secrets.ts'
import { redactedHar } from './har.ts'

test('an instant by our clock stays, although a secret begins like it', () => {
  const secrets = new SecretRegistry()
  secrets.add('2026-11-29T14:52:03.117844921Z')
  const entries = [{ startedDateTime: '2026-11-29T14:52:03.118Z', response: { text: 'until 2026-11-29T14:52:03.117844921Z' } }]
  const written = redactedHar(JSON.stringify({ entries }, null, 2), (part) => secrets.redact(part))
  expect(JSON.parse(written)).toEqual({
    entries: [{ startedDateTime: '2026-11-29T14:52:03.118Z', response: { text: 'until [redacted]' } }],
  })
})
