import { check } from '../../../harness/checks/index.ts'
import { storedUnder, storeEntry } from '../fixtures.ts'

check(
  'core/service-request-header',
  'CORE-HEADER-01',
  'requests that carry the service-request header are served',
  async ({ bench, expect }) => {
    const headers = { 'X-Service-Request': 'true' }
    const { path, value } = await storeEntry(bench, { headers })
    expect(await storedUnder(bench, path, { headers })).toBe(value)
  },
)
