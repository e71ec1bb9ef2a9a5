import { check, type JsonObject } from '../../../harness/checks/index.ts'
import { type Bindings, blocks, json, KEYS, MIXED_ROLE, needs, type Place, placeFor, rightsFor } from '../fixtures.ts'

/** Rights of all accounts but one, by resource and role. */
const othersRights = async (place: Place, mine: string[]): Promise<unknown> => {
  const { policies } = await place.cloud.look()
  const members = mine.map((email) => `serviceAccount:${email}`)
  return Object.entries(policies).map(([resource, bindings]) => [
    resource,
    bindings
      .map(({ role, members: all }) => [
        role,
        all
          .filter((member) => !members.includes(member))
          .sort()
          .join(),
      ])
      .filter(([, rest]) => rest !== '')
      .sort(),
  ])
}

check(
  'cloudc/bindings-change',
  ['CLOUDC-BIND-10', 'CLOUDC-BIND-21'],
  'changed bindings replace those before them',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const { project, alpha, beta } = place.resources
    const versions = [
      { [project]: ['roles/viewer'], [alpha]: ['roles/pubsub.viewer'] },
      { [alpha]: ['roles/pubsub.publisher', 'roles/pubsub.viewer'], [beta]: ['roles/pubsub.viewer'] },
      // The same resources, and other roles of the second alone.
      { [alpha]: ['roles/pubsub.publisher', 'roles/pubsub.viewer'], [beta]: ['roles/pubsub.subscriber'] },
      { [project]: ['roles/browser', MIXED_ROLE] },
      // Those of the creation again, those before them again, and the first once more.
      { [project]: ['roles/viewer'], [alpha]: ['roles/pubsub.viewer'] },
      { [project]: ['roles/browser', MIXED_ROLE] },
      { [project]: ['roles/viewer'], [alpha]: ['roles/pubsub.viewer'] },
    ]
    for (const kind of bench.few([{}, KEYS] as JsonObject[], 1)) {
      const name = await place.roleset({ ...kind, bindings: blocks(versions[0]!) })
      for (const bindings of versions.slice(1)) {
        const before = await place.email(name)
        const written = await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body({ ...kind, bindings: json(bindings) }) })
        const after = await place.email(name)
        await bench.decide('CLOUDC-BIND-10', async () => {
          expect(written).toSucceed()
          await bench.eventually(async () => expect(await place.rights(after)).toEqual(rightsFor(bindings)))
          if (before !== after) await bench.eventually(async () => expect(await place.rights(before), 'the account before').toEqual({}))
        })
        await bench.decide('CLOUDC-BIND-21', async () => {
          expect(after, 'the account').not.toBe(before)
          await bench.eventually(async () => expect(await place.accounts()).not.toContain(before))
          if (kind.secret_type !== undefined) return
          const token = await bench.call('cloudc.readToken', { path: { roleset: name } })
          expect(token).toHaveStatus(200)
          const info = await place.judge.tokenInfo(String(token.data.token))
          expect(info?.email).toBe(after)
        })
      }
    }
  },
)

check('cloudc/bindings-others', 'CLOUDC-BIND-11', 'the rights of others stay', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const { project, alpha } = place.resources
  const bindings = blocks({ [project]: ['roles/viewer'], [alpha]: ['roles/pubsub.viewer'] })
  const [first, name] = [await place.roleset({ bindings }), await place.roleset({ bindings })]
  const last = await place.roleset({ bindings: blocks({ [project]: ['roles/browser'] }) })
  const others = await Promise.all([first, last].map((one) => place.email(one)))
  const mine = [await place.email(name)]
  const before = await bench.eventually(async () => {
    const rights = await othersRights(place, mine)
    expect(JSON.stringify(rights), 'both are there').toContain(others[1]!)
    return rights
  })
  const unchanged = async (what: string): Promise<void> => {
    // Whether a deletion takes the account is CLOUDC-SET-16.
    if (what === 'deletion') expect(await place.accounts(), 'accounts').toEqual(expect.arrayContaining(others))
    else await bench.eventually(async () => expect((await place.accounts()).length, 'accounts').toBe(3))
    expect(await othersRights(place, mine), `after ${what}`).toEqual(before)
  }
  await bench.given('cloudc.writeRoleset', { path: { name }, body: place.body({ bindings: blocks({ [project]: ['roles/browser'] }) }) })
  mine.push(await place.email(name))
  await unchanged('a change')
  await bench.given('cloudc.rotate', { path: { name } })
  mine.push(await place.email(name))
  await unchanged('a rotation')
  await bench.given('cloudc.deleteRoleset', { path: { name } })
  await unchanged('deletion')
})

check(
  'cloudc/bindings-same',
  ['CLOUDC-BIND-18', 'CLOUDC-SET-26'],
  'bindings that are there already, and none',
  needs(),
  async ({ bench }) => {
    const place = await placeFor(bench)
    const name = await place.roleset()
    const before = await place.email(name)
    const { status } = await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body(), observing: true })
    bench.observe('CLOUDC-BIND-18', { status, sameAccount: (await place.email(name)) === before })
    const { bindings: _bindings, ...rest } = place.body()
    const without = await bench.call('cloudc.writeRoleset', { path: { name }, body: rest, invalid: true, observing: true })
    bench.observe('CLOUDC-SET-26', without.status)
  },
)

/** From what to what bindings may change: more, less, something else, on as many resources or not; and whether they go back then. */
const changes = ({ project, alpha }: Place['resources']): [what: string, before: Bindings, after: Bindings, back?: true][] => [
  ['another role', { [project]: ['roles/viewer'] }, { [project]: ['roles/browser'] }, true],
  ['one more role', { [project]: ['roles/viewer'] }, { [project]: ['roles/viewer', 'roles/browser'] }],
  ['one role less', { [project]: ['roles/viewer', 'roles/browser'] }, { [project]: ['roles/browser'] }],
  [
    'another role of the second resource',
    { [project]: ['roles/viewer'], [alpha]: ['roles/pubsub.viewer'] },
    { [project]: ['roles/viewer'], [alpha]: ['roles/pubsub.publisher'] },
  ],
  ['one more resource', { [project]: ['roles/viewer'] }, { [project]: ['roles/viewer'], [alpha]: ['roles/pubsub.viewer'] }],
  ['one resource less', { [project]: ['roles/viewer'], [alpha]: ['roles/pubsub.viewer'] }, { [project]: ['roles/viewer'] }],
]

check(
  'cloudc/bindings-end-keys',
  ['CLOUDC-BIND-19', 'CLOUDC-BIND-20'],
  'a change ends the keys of this roleset, and of no other',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const neighbour = await place.key(await place.keyRoleset())
    await place.logsIn(neighbour, 'the key of the neighbour')
    for (const [what, before, after, back = false] of bench.few(changes(place.resources), 2)) {
      const name = await place.keyRoleset({ bindings: blocks(before) })
      for (const [step, bindings] of [[what, after], ...(back ? [[`${what}, and back`, before] as const] : [])] as const) {
        const keys = await place.keys(name)
        for (const key of keys) await place.logsIn(key, `a key before ${step}`)
        await bench.given('cloudc.writeRoleset', { path: { name }, body: place.body({ ...KEYS, bindings: blocks(bindings) }) })
        await bench.decide('CLOUDC-BIND-19', async () => {
          for (const { file } of keys)
            await bench.eventually(async () => (await place.judge.login(file)) === undefined, { because: `a key ends with ${step}` })
        })
        await bench.decide('CLOUDC-BIND-20', async () =>
          expect(await place.judge.login(neighbour.file), `the neighbour after ${step}`).toBeDefined(),
        )
      }
    }
  },
)
