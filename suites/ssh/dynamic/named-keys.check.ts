import { type Bench, check, type JsonObject } from '../../../harness/checks/index.ts'
import { rsaPair } from '../rsa-keys.ts'

const refusesKey = async (bench: Bench, body: JsonObject): Promise<void> => {
  const path = { name: bench.mixedName('key') }
  await bench.refuses('ssh.writeKey', {
    bad: { path, body },
    control: { path, body: { key: rsaPair('user2048').privateKey } },
    unchanged: null,
    because: 'named keys cannot be read',
  })
}

check('ssh/key-register', 'SSH-KEY-01', 'a private key can be registered', async ({ bench, expect }) => {
  expect(
    await bench.call('ssh.writeKey', { path: { name: bench.mixedName('key') }, body: { key: rsaPair('user2048').privateKey } }),
  ).toHaveStatus(200, 204)
})

check(
  'ssh/key-refusals',
  ['SSH-KEY-02', 'SSH-KEY-03', 'SSH-KEY-04'],
  'a text that is not a private key is not registered',
  async ({ bench }) => {
    const { privateKey, publicKey } = rsaPair('user2048')
    await bench.decide('SSH-KEY-02', () => refusesKey(bench, {}))
    await bench.decide('SSH-KEY-03', () => refusesKey(bench, { key: { a: privateKey } }))
    const damaged = privateKey.replace(/\n[^\n]+\n[^\n]+\n/, '\nAAAA\n')
    for (const key of ['no key at all', publicKey, damaged]) await bench.decide('SSH-KEY-04', () => refusesKey(bench, { key }))
  },
)

check('ssh/key-delete-unknown', 'SSH-KEY-08', 'deleting an unknown key', async ({ bench }) => {
  bench.observe('SSH-KEY-08', (await bench.call('ssh.deleteKey', { path: { name: bench.fresh('none') }, observing: true })).status)
})
