/** What is printed of a system that is up is what a configuration takes. */
import { expect, test } from 'vitest'
import type { BackendHandle } from '../base/backend-handle.ts'
import { problemsOf } from '../contract/own-documents.ts'
import { namedInConfiguration, readAddress } from './addresses.ts'

const up = (username: string, password: string): BackendHandle => ({
  name: 'clouds',
  provider: 'embedded',
  host: '127.0.0.1',
  port: 3128,
  targetHost: '127.0.0.1',
  targetPort: 3128,
  username,
  password,
  version: '1',
  extra: { caFile: '/tmp/authority.pem' },
})

test.each([
  ['with a user', up('admin', 'word')],
  ['without a user', up('', 'word')],
  ['without a password', up('root', '')],
])('a system %s', (_, handle) => {
  const named = namedInConfiguration(handle)
  const target = { api: 'secrets', url: 'http://127.0.0.1:8200', backends: { clouds: named } }
  expect(problemsOf('target', { name: 'x', targets: [target] })).toEqual([])
  const { host, port, username, password, extra } = handle
  expect(readAddress({ name: 'clouds', port: 1 }, named)).toEqual({ host, port, username, password, extra })
})
