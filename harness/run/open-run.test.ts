/** What is known of several servers once they are open. */
import { expect, test } from 'vitest'
import { http, json } from '../../tests/support/hostile.ts'
import { loadContract } from '../contract/load.ts'
import { completeRun, completeTarget } from '../target/config.ts'
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
