import { check } from '../../../harness/checks/index.ts'
import { storedUnder, storeEntry, valueIn } from '../fixtures.ts'

const own = { needs: { mounts: { own: { type: 'kv1' } } } }

check('core/prefix', 'CORE-PREFIX-01', 'routes answer below the prefix', own, async ({ bench, expect }) => {
  const { path, value } = await storeEntry(bench)
  const answer = await bench.call('core.readAny', { path: { anyPath: `${bench.mountPath('own')}/${path}` } })
  expect(answer).toHaveStatus(200)
  expect(valueIn(answer)).toBe(value)
})

check('core/no-prefix', 'CORE-PREFIX-02', 'the route without the prefix does not serve the value', own, async ({ bench, expect }) => {
  const { path, value } = await storeEntry(bench)
  const answer = await bench.call('core.readUnprefixed', { path: { unprefixed: `${bench.mountPath('own')}/${path}` } })
  expect(answer.text).not.toContain(value)
})

check(
  'core/other-version',
  'CORE-PREFIX-03',
  'the route below another version does not serve the value',
  own,
  async ({ bench, expect }) => {
    const { path, value } = await storeEntry(bench)
    const answer = await bench.call('core.readOtherVersion', { path: { otherVersion: `${bench.mountPath('own')}/${path}` } })
    expect(answer.text).not.toContain(value)
  },
)

check(
  'core/mounts-anywhere',
  'CORE-MOUNT-01',
  'an engine works at whatever path it is mounted',
  { needs: { features: ['mounts'], mounts: { first: { type: 'kv1' }, second: { type: 'kv2' } } } },
  async ({ bench, expect }) => {
    const { path, value } = await storeEntry(bench, { mount: 'first' })
    expect(await storedUnder(bench, path, { mount: 'first' })).toBe(value)
    await bench.given('kv2.write', { mount: 'second', path: { path }, body: { data: { value } } })
    const answer = await bench.call('kv2.read', { mount: 'second', path: { path } })
    expect(answer).toSucceed()
    expect(answer.data.data).toEqual({ value })
  },
)

check(
  'core/mounts-apart',
  'CORE-MOUNT-02',
  'what one mount stores does not appear in another',
  { needs: { features: ['mounts'], mounts: { first: { type: 'kv1' }, second: { type: 'kv1' } } } },
  async ({ bench, expect }) => {
    const { path, value } = await storeEntry(bench, { mount: 'first' })
    const other = await bench.call('kv1.read', { mount: 'second', path: { path } })
    expect(other).toBeRefused()
    expect(other.text).not.toContain(value)
    const mine = await storeEntry(bench, { mount: 'second', path: { path } })
    expect(await storedUnder(bench, path, { mount: 'first' })).toBe(value)
    expect(await storedUnder(bench, path, { mount: 'second' })).toBe(mine.value)
  },
)
