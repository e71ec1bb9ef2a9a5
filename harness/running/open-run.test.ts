/** What is known of several servers once they are open. */
import { expect, test } from 'vitest'
import { http, json } from '../../tests/support/hostile-servers.ts'
import { loadContract } from '../contract/load.ts'
import { completeRun, completeTarget } from '../target/run-configuration.ts'
import { closeRun, openRun } from './open-run.ts'

const APIS = ['secrets', 'run-management'] as const

/** Opens both APIs at servers that say this of themselves. */
const openedAt = async (...products: (string | undefined)[]): Promise<string | undefined> => {
  const servers = await Promise.all(
    products.map((product) =>
      http((request, response) => {
        if (product !== undefined) response.setHeader('server', product)
        json(200, { data: {} })(request, response)
      }),
    ),
  )
  const targets = servers.map(({ url }, index) =>
    completeTarget({ api: APIS[index]!, url, engines: [], provisioner: { kind: 'static' } }, process.cwd()),
  )
  const config = { ...completeRun({}, process.cwd()), targets }
  const signal = new AbortController().signal
  const { context, server } = await openRun(await loadContract(), config, { seed: 1, effort: 'quick', token: 't', signal })
  await closeRun(context)
  await Promise.all(servers.map((one) => one.close()))
  return server
}

test('what one server says of itself is said as it is, and once where both say the same', async () => {
  expect(await openedAt('one/1.2')).toBe('one/1.2')
  expect(await openedAt('one/1.2', 'one/1.2')).toBe('one/1.2')
  expect(await openedAt(undefined, undefined)).toBeUndefined()
})

test('what several servers say of themselves is said with the API of each', async () => {
  expect(await openedAt('one/1.2', 'two/3')).toBe('Secrets service: one/1.2; Run-management API: two/3')
  expect(await openedAt(undefined, 'two/3')).toBe('Run-management API: two/3')
})

test('of a long answer to what prepares a target only the beginning is held on to', async () => {
  const server = await http(json(200, { data: { text: 'x'.repeat(1_000_000) }, auth: { client_token: 'of-a-caller', accessor: 'a' } }))
  const target = completeTarget({ api: 'secrets', url: server.url, engines: [], provisioner: { kind: 'sys' } }, process.cwd())
  const config = { ...completeRun({}, process.cwd()), targets: [target] }
  const signal = new AbortController().signal
  const { context } = await openRun(await loadContract(), config, { seed: 1, effort: 'quick', token: 't', signal })
  const { prepared, provisioner } = context.targets.get('secrets')!
  await provisioner.mount({ type: 'kv', name: 'large', exclusive: true, namespace: '' }).catch(() => undefined)
  expect(prepared.sent.map(({ answer }) => answer.bytes.length).filter((length) => length > 20_000)).toEqual([])
  expect(prepared.sent.length).toBeGreaterThan(0)
  await closeRun(context)
  await server.close()
})
