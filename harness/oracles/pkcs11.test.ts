import { afterAll, beforeAll, expect, it } from 'vitest'
import { lacksBackend } from '../../tests/support/needs.ts'
import { type Backends, startBackends } from '../backends/chain.ts'
import { isModule, type ModuleHandle } from '../base/backend-handle.ts'
import { forbidSigning } from './key-use.ts'
import { turnsOf } from './module-turns.ts'
import { reserveTokens, tokenOf } from './pkcs11.ts'

const absent = await lacksBackend('softhsm')
let backends: Backends | undefined
let handle: ModuleHandle

beforeAll(async () => {
  if (absent) return
  const journal = { add() {}, remove() {} }
  backends = await startBackends(['softhsm'], { external: {}, journal, onProgress() {}, signal: new AbortController().signal })
  const found = backends.handles.softhsm
  if (found === undefined || !isModule(found)) throw new Error(backends.missing.softhsm?.reason)
  handle = found
}, 60_000)
afterAll(() => backends?.stop())

it.skipIf(absent)(
  'makes, finds and removes keys of one token, with the PIN of no argument',
  async () => {
    const [one, other] = [tokenOf(handle, handle.tokens[0]!), tokenOf(handle, handle.tokens[1]!)]
    await one.generate('EC:prime256v1', 'first', '0a')
    expect(await one.keys('first')).toEqual([{ label: 'first', id: '0a', type: 'EC' }])
    expect(await one.bits('first')).toBe(256)
    expect(await other.keys()).toEqual([])
    expect(await one.mechanisms()).toContain('SHA256-RSA-PKCS')
    await forbidSigning(handle, handle.tokens[0]!, 'first')
    expect(await one.uses('first')).not.toContain('sign')
    expect(await one.uses('first')).not.toEqual([])
    await one.remove('first')
    expect(await one.keys()).toEqual([])
  },
  60_000,
)

it.skipIf(absent)(
  'a pair is made while no other program uses the module',
  async () => {
    const order: string[] = []
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const other = turnsOf(handle).beside(() => ended.then(() => order.push('other')))
    const token = tokenOf(handle, handle.tokens[2]!)
    const pair = token.generate('EC:prime256v1', 'turn', '0b').then(() => order.push('pair'))
    const listed = token.keys('turn').then((keys) => order.push(`keys ${keys.length}`))
    end()
    await Promise.all([other, pair, listed])
    expect(order).toEqual(['other', 'pair', 'keys 1'])
  },
  60_000,
)

it.skipIf(absent)(
  'a wrong PIN is an error that does not show it',
  async () => {
    const wrong = { ...handle.tokens[0]!, pin: 'wrong-pin-of-a-test' }
    const failed = tokenOf(handle, wrong).keys()
    await expect(failed).rejects.toThrow('pkcs11-tool --list-objects')
    await expect(failed).rejects.not.toThrow('wrong-pin-of-a-test')
  },
  60_000,
)

it('a token is reserved for one at a time, and several at once', async () => {
  const tokens = ['a', 'b'].map((label) => ({ label, slot: '1', pin: 'p' }))
  const module = { tokens } as ModuleHandle
  const first = await reserveTokens(module, 1)
  const both = reserveTokens(module, 2)
  first.giveBack()
  expect((await both).tokens.map(({ label }) => label).sort()).toEqual(['a', 'b'])
  await expect(reserveTokens(module, 3)).rejects.toThrow('3 are needed')
})
