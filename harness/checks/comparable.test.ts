import { expect, test } from 'vitest'
import type { Answer } from '../target/exchange.ts'
import { comparable } from './comparable.ts'

const answer = (body: object, status = 404) => ({ status, text: JSON.stringify(body) }) as Answer

test.each(['id', 'request_id', 'requestId', 'request-id', 'X-Request-Id', 'trace_id', 'correlation-id', 'timestamp'])(
  '%s may differ between equal refusals',
  (key) => {
    const [one, two] = ['a', 'b'].map((value) => answer({ errors: [{ title: 'not found' }], meta: { [key]: value } }))
    expect(comparable(one!, 'x')).toEqual(comparable(two!, 'y'))
  },
)

test('names asked for, times and UUIDs in texts may differ, other words not', () => {
  const of = (name: string, at: string) => answer({ errors: [{ detail: `no ${name} at ${at}` }] })
  expect(comparable(of('x1', '2026-01-02T03:04:05.678Z'), 'x1')).toEqual(comparable(of('y2', '2026-01-02T03:04:06+00:00'), 'y2'))
  expect(comparable(answer({ errors: [{ detail: 'hidden' }] }), 'x')).not.toEqual(
    comparable(answer({ errors: [{ detail: 'unknown' }] }), 'y'),
  )
  expect(comparable({ status: 404, text: 'gone' } as Answer, 'x')).not.toEqual(comparable({ status: 403, text: 'gone' } as Answer, 'x'))
})
