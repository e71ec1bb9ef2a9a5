import { expect, test } from 'vitest'
import { runOfName } from './objects.ts'

test.each([
  'assay_abc123_001_user_4',
  'assay_abc123_001_uSer_4',
  'assay_abc123_01z_uSer_1a_LongLong_Ab',
  'assay_abc123_001_uSer_4-Up.Case',
  'assay-abc123-001-vhost-2',
  'assay-abc123-001-Vhost_of.It-2.x',
])('%s is of a run', (name) => {
  expect(runOfName(name)).toBe('abc123')
  expect(runOfName(name, 'abc123')).toBe('abc123')
  expect(runOfName(name, 'other1')).toBeUndefined()
})

test.each([
  'assay_results',
  'assay-abc123-reader',
  'assay_abc123_001',
  'assay_abc123_001_user',
  'my_assay_abc123_001_user_4',
  'assay-abc123_001_user_4',
])('%s is of somebody else', (name) => expect(runOfName(name)).toBeUndefined())
