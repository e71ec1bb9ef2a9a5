import { setTimeout as sleep } from 'node:timers/promises'
import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { administrativeOf, anyKind, givenKey, goodBody, kindsOf, namesOf, readableOf, readKey, removeLater, stateOf } from '../fixtures.ts'

check(
  'managed-keys/lists',
  ['MANAGED-KEYS-LIST-01', 'MANAGED-KEYS-LIST-02', 'MANAGED-KEYS-LIST-06'],
  'a listing names the keys of its kind and no others',
  async ({ bench, expect }) => {
    const names = new Map<string, string[]>()
    for (const kind of readableOf(bench)) {
      names.set(kind, [await givenKey(bench, kind), await givenKey(bench, kind)])
      // An update lists a key no second time.
      await givenKey(bench, kind, { ...goodBody(bench, kind), any_mount: 'true' }, names.get(kind)![0]!)
    }
    for (const kind of readableOf(bench)) {
      const answer = await bench.call('managedKeys.list', { path: { type: kind } })
      await bench.decide('MANAGED-KEYS-LIST-01', () => {
        expect(answer).toHaveStatus(200)
        for (const name of names.get(kind)!) expect(namesOf(answer), kind).toContain(name)
        expect(new Set(namesOf(answer)).size, 'names without repetition').toBe(namesOf(answer).length)
      })
      await bench.decide('MANAGED-KEYS-LIST-02', () => {
        const others = readableOf(bench)
          .filter((other) => other !== kind)
          .flatMap((other) => names.get(other)!)
        expect(
          others.filter((name) => namesOf(answer).includes(name)),
          `names of other kinds among those of ${kind}`,
        ).toEqual([])
      })
      bench.observe('MANAGED-KEYS-LIST-06', answer.data.keys === undefined ? 'at the top level' : 'under data')
    }
  },
)

check(
  'managed-keys/lists-beside-cloudckms',
  'MANAGED-KEYS-LIST-02',
  'a key of kind cloudckms is in the listing of no other kind',
  async ({ bench, expect }) => {
    const name = await givenKey(bench, 'cloudckms')
    for (const kind of readableOf(bench)) {
      const own = await givenKey(bench, kind)
      for (const method of ['LIST', 'GET']) {
        const names = namesOf(await bench.call('managedKeys.list', { path: { type: kind }, method }))
        expect(
          [own, name].map((one) => names.includes(one)),
          `a key of kind ${kind} and one of kind cloudckms, by ${method}`,
        ).toEqual([true, false])
      }
    }
  },
)

check('managed-keys/list-of-namespace', 'MANAGED-KEYS-LIST-03', 'a listing holds keys of its own namespace', async ({ bench, expect }) => {
  const namespace = administrativeOf(bench)
  for (const kind of readableOf(bench)) {
    const [outside, inside] = [await givenKey(bench, kind), await givenKey(bench, kind, undefined, undefined, { namespace })]
    const list = async (where: object) => namesOf(await bench.given('managedKeys.list', { ...where, path: { type: kind } }))
    const [root, administrative] = [await list({}), await list({ namespace })]
    expect([root.includes(outside), root.includes(inside)], `keys of kind ${kind} in the listing of the root`).toEqual([true, false])
    const other = [administrative.includes(outside), administrative.includes(inside)]
    expect(other, `keys of kind ${kind} in the other listing`).toEqual([false, true])
  }
})

/** How long others may have keys of a kind in the namespace in which the last one is to go. */
const OTHERS = 20_000
const BETWEEN_LOOKS_MS = 100

check('managed-keys/list-emptied', 'MANAGED-KEYS-LIST-08', 'a kind without keys has no listing', async ({ bench, expect }) => {
  const namespace = administrativeOf(bench)
  let decided = 0
  for (const kind of bench.few(readableOf(bench), 2))
    for (const method of ['LIST', 'GET']) {
      // Once with nothing at all, and once with nothing of this kind though there is something of another.
      const other = readableOf(bench).find((one) => one !== kind)!
      const beside = method === 'GET' ? await givenKey(bench, other, undefined, undefined, { namespace }) : undefined
      const name = await givenKey(bench, kind, undefined, undefined, { namespace })
      expect(namesOf(await bench.call('managedKeys.list', { path: { type: kind }, namespace, method })), `by ${method}`).toContain(name)
      await bench.given('managedKeys.delete', { path: { type: kind, name }, namespace })
      // Others have keys here, too: a listing that is not empty says nothing.
      const until = Date.now() + (decided === 0 ? OTHERS : OTHERS / 10)
      for (let isOver = false; !isOver; ) {
        const answer = await bench.call('managedKeys.list', { path: { type: kind }, namespace, method })
        const isOthers = answer.ok && namesOf(answer).length > 0
        if (!isOthers) {
          expect(answer, `the listing of kind ${kind} by ${method} when the last key is gone`).toHaveStatus(404)
          decided += 1
        }
        isOver = !isOthers || Date.now() > until
        if (!isOver) await sleep(bench.effort(4, 1) * BETWEEN_LOOKS_MS)
      }
      if (beside !== undefined) await bench.given('managedKeys.delete', { path: { type: other, name: beside }, namespace })
    }
  if (decided === 0) bench.blocked('others keep keys of every kind in the administrative namespace', 'have one kind without keys there')
})

check('managed-keys/list-unknown-kind', 'MANAGED-KEYS-LIST-04', 'the listing of an unknown kind is refused', async ({ bench }) => {
  const known = anyKind(bench)
  await givenKey(bench, known)
  for (const type of ['pkcs12', 'cloudxkms'])
    await bench.refuses('managedKeys.list', {
      bad: { path: { type } },
      control: { path: { type: known } },
      unchanged: null,
      because: 'a listing changes nothing',
      label: type,
    })
})

check('managed-keys/unknown-kind', 'MANAGED-KEYS-WRITE-08', 'a key of an unknown kind is refused', async ({ bench, expect }) => {
  const known = anyKind(bench)
  const good = await givenKey(bench, known)
  // The parameters of all kinds: only the kind is wrong.
  const body: JsonObject = Object.assign({}, ...kindsOf(bench).map((kind) => goodBody(bench, kind)))
  for (const type of bench.few(['pkcs12', 'cloudxkms', 'pkcs'], 1)) {
    const name = bench.fresh('key')
    for (const kind of kindsOf(bench)) removeLater(bench, kind, name)
    for (const method of ['POST', 'PUT']) {
      // No operation of the contract writes such a kind.
      const write = { path: { type, name }, method, body, invalid: true }
      expect(await bench.call('managedKeys.read', write), `a key of kind ${type}, by ${method}`).toBeRefused()
    }
    for (const kind of readableOf(bench))
      expect(await stateOf(bench, kind, name), `what is there of kind ${kind} after it`).toEqual({ status: 404 })
    const path = { type, name: good }
    expect(await bench.call('managedKeys.read', { path }), `a read of ${type}`).toBeRefused()
    expect(await bench.call('managedKeys.testSign', { path, body: {} }), `a test of ${type}`).toBeRefused()
    await bench.call('managedKeys.delete', { path })
  }
  expect((await readKey(bench, known, good)).name, 'the key of an existing kind').toBe(good)
})

check('managed-keys/cloudckms-reads', ['MANAGED-KEYS-LIST-05', 'MANAGED-KEYS-READ-11'], 'lists and reads of kind c', async ({ bench }) => {
  const name = await givenKey(bench, 'cloudckms')
  bench.observe('MANAGED-KEYS-LIST-05', (await bench.call('managedKeys.list', { path: { type: 'cloudckms' }, observing: true })).status)
  const read = await bench.call('managedKeys.read', { path: { type: 'cloudckms', name }, observing: true })
  bench.observe('MANAGED-KEYS-READ-11', {
    read: read.status,
    delete: (await bench.call('managedKeys.delete', { path: { type: 'cloudckms', name } })).status,
  })
})

check('managed-keys/list-after-deletion', 'MANAGED-KEYS-LIST-07', 'a deleted key is no longer listed', async ({ bench, expect }) => {
  for (const kind of bench.few(readableOf(bench), 1)) {
    const base = bench.fresh('key')
    const [gone, longer, beside] = [base, `${base}-2`, bench.fresh('key')]
    for (const name of [gone, longer, beside]) await givenKey(bench, kind, undefined, name)
    const before = namesOf(await bench.given('managedKeys.list', { path: { type: kind } }))
    expect(
      [gone, longer, beside].filter((name) => !before.includes(name)),
      `keys of kind ${kind} that are not listed before`,
    ).toEqual([])
    await bench.given('managedKeys.delete', { path: { type: kind, name: gone } })
    const names = namesOf(await bench.given('managedKeys.list', { path: { type: kind } }))
    expect(
      [gone, longer, beside].map((name) => names.includes(name)),
      `the deleted key and its neighbours of kind ${kind}`,
    ).toEqual([false, true, true])
    const other = readableOf(bench).find((one) => one !== kind)!
    await givenKey(bench, other, undefined, gone)
    for (const one of readableOf(bench))
      expect(
        namesOf(await bench.call('managedKeys.list', { path: { type: one } })).includes(gone),
        `the name of a deleted key of kind ${kind}, now one of kind ${other}, in the listing of kind ${one}`,
      ).toBe(one === other)
  }
})
