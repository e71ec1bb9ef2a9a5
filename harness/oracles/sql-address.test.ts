import { expect, test } from 'vitest'
import type { BackendHandle } from '../base/backend-handle.ts'
import { connectionStrings, sqlAddress } from './sql-address.ts'

const handle = { host: '127.0.0.1', port: 1, targetHost: 'db', targetPort: 5432 } as BackendHandle

test('a connection string tells where the target finds the database, and leaves the slots to it', () => {
  expect(sqlAddress(connectionStrings.postgres, handle, 'tokens')).toBe(
    'postgresql://{{username}}:{{password}}@db:5432/tokens?sslmode=disable',
  )
  expect(sqlAddress(connectionStrings.mariadb, handle, 'tokens', 7)).toBe('{{username}}:{{password}}@tcp(db:7)/tokens')
})
