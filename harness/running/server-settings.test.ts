import { expect, test } from 'vitest'
import { type AnyHandle, type ModuleHandle, secretsOf, serviceOf } from '../base/backend-handle.ts'
import { completeRun } from '../target/run-configuration.ts'
import { addSettings, serverSettingsOf } from './server-settings.ts'

const common = { provider: 'local' as const, version: '1', extra: {} }
const hsm: ModuleHandle = {
  ...common,
  name: 'hsm',
  module: '/hsm.so',
  environment: {},
  tokens: [{ label: 'one', slot: '1', pin: 'pin-1' }],
  secrets: ['so-pin'],
  server: { libraries: { hsm: { module: '/hsm.so', environment: { A: 'b' } } }, settings: { keys: { library: 'hsm' } } },
}
const gateway: AnyHandle = {
  ...common,
  name: 'gateway',
  host: '127.0.0.1',
  port: 1,
  targetHost: '127.0.0.1',
  targetPort: 1,
  username: '',
  password: '',
  secrets: ['a', 'b'],
  server: { cloud: { proxy: 'http://127.0.0.1:1', caFile: '/ca.pem' }, settings: { keys: { project: 'p' } } },
}

test('what a server has to be told is gathered from all backends, and the configuration wins', () => {
  const all = serverSettingsOf({ hsm, gateway })
  expect(all).toEqual({
    libraries: hsm.server?.libraries,
    cloud: gateway.server?.cloud,
    settings: { keys: { library: 'hsm', project: 'p' } },
  })
  const config = completeRun({ targets: [{ api: 'secrets', url: 'http://127.0.0.1:1', settings: { keys: { library: 'mine' } } }] }, '/')
  addSettings(config, all)
  expect(config.targets[0]?.settings).toEqual({ keys: { library: 'mine', project: 'p' } })
})

test('every secret of a handle is known, and a module has no address', () => {
  expect(secretsOf(hsm)).toEqual(['so-pin', 'pin-1'])
  expect(secretsOf(gateway)).toEqual(['a', 'b'])
  expect(() => serviceOf(hsm)).toThrow('hsm is not a backend with an address')
})
