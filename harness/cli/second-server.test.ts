/** What a second server is shown of the options for the first one. */
import { expect, test } from 'vitest'
import type { CertifyOptions } from './certify-flags.ts'
import { optionsForOther } from './second-server.ts'

const options: CertifyOptions = {
  seed: 1,
  effort: 'quick',
  out: 'x',
  against: 'https://other.example',
  caCert: 'both.pem',
  dialect: 'vault',
  token: 'first',
  tokenFile: 'first.txt',
  header: { 'X-Key': 'first' },
  headerEnv: { 'X-Other': 'FIRST' },
  clientCert: 'first.pem',
  clientKey: 'first.key',
}

test('nothing that shows the first server who calls goes to the second', () => {
  expect(optionsForOther(options)).toEqual({ seed: 1, effort: 'quick', out: 'x', caCert: 'both.pem', dialect: 'vault' })
})

test('what is said of the second server goes before what both share', () => {
  const own = { againstCaCert: 'second.pem', againstClientCert: 'second.crt', againstClientKey: 'second.key', againstDialect: 'native' }
  expect(optionsForOther({ ...options, ...own })).toMatchObject({
    caCert: 'second.pem',
    clientCert: 'second.crt',
    clientKey: 'second.key',
    dialect: 'native',
  })
})
