import { asObject, check } from '../../../harness/checks/index.ts'
import { type Bindings, base64, blocks, json, MIXED_ROLE, needs, type Place, placeFor, relative, rightsFor } from '../fixtures.ts'

const several = ({ resources }: Place): Bindings => ({
  [resources.project]: ['roles/viewer', 'roles/browser', MIXED_ROLE],
  [resources.alpha]: ['roles/pubsub.publisher'],
  [resources.gamma]: ['roles/pubsub.editor'],
  [resources.beta]: ['roles/pubsub.viewer', 'roles/pubsub.subscriber', 'roles/pubsub.publisher'],
})

const forms: [id: string, clause: string, text: (bindings: Bindings) => string][] = [
  ['blocks', 'CLOUDC-BIND-01', blocks],
  ['json', 'CLOUDC-BIND-02', json],
  ['spaced-json', 'CLOUDC-BIND-02', (bindings) => `\n  ${JSON.stringify(JSON.parse(json(bindings)), null, 2)}\n`],
  ['spaced-blocks', 'CLOUDC-BIND-01', (bindings) => `\n\n  ${blocks(bindings)}\n\n`],
  ['base64-blocks', 'CLOUDC-BIND-03', (bindings) => base64(blocks(bindings))],
  ['base64-json', 'CLOUDC-BIND-04', (bindings) => base64(json(bindings))],
]
for (const [id, clause, text] of forms)
  check(`cloudc/bindings-${id}`, [clause, 'CLOUDC-BIND-08', 'CLOUDC-BIND-09'], `bindings as ${id}`, needs(), async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const [first, second] = [place.name(), place.name()]
    const one = { [place.resources.project]: ['roles/viewer'] }
    // Made and updated, by either verb: from less to more, and from more to less.
    for (const [name, bindings, method] of [
      [first, one, 'POST'],
      [second, several(place), 'PUT'],
      [first, several(place), 'POST'],
      [second, one, 'PUT'],
    ] as [string, Bindings, string][]) {
      const written = await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body({ bindings: text(bindings) }), method })
      await bench.decide(clause, () => expect(written, method).toSucceed())
      const read = await place.read(name)
      await bench.decide('CLOUDC-BIND-09', () => {
        const shown = Object.entries(read.data.bindings as Bindings).map(([resource, roles]) => [resource, [...roles].sort()])
        expect(Object.fromEntries(shown)).toEqual(
          Object.fromEntries(Object.entries(bindings).map(([resource, roles]) => [resource, [...roles].sort()])),
        )
      })
      await bench.decide('CLOUDC-BIND-08', () =>
        bench.eventually(async () => expect(await place.rights(String(read.data.service_account_email))).toEqual(rightsFor(bindings))),
      )
    }
  })

check('cloudc/bindings-resources', 'CLOUDC-BIND-05', 'each of several resources is bound', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const name = await place.roleset({ bindings: blocks(several(place)) })
  const email = await place.email(name)
  await bench.eventually(async () =>
    expect(Object.keys(await place.rights(email)).sort()).toEqual(Object.keys(rightsFor(several(place))).sort()),
  )
})

check('cloudc/bindings-roles', 'CLOUDC-BIND-06', 'each of several roles is given', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const roles = ['roles/viewer', 'roles/browser', 'roles/logging.viewer', MIXED_ROLE]
  for (const text of [blocks, json]) {
    const email = await place.email(await place.roleset({ bindings: text({ [place.resources.project]: roles }) }))
    await bench.eventually(async () => expect(Object.values(await place.rights(email))).toEqual([[...roles].sort()]))
  }
})

check(
  'cloudc/bindings-self-link',
  ['CLOUDC-BIND-07', 'CLOUDC-BIND-09', 'CLOUDC-SET-17'],
  'a self-link names a resource',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const linked = (...roles: string[][]): Bindings => ({
      [`https://cloudresourcemanager.googleapis.com/v1/projects/${place.cloud.id}`]: roles[0]!,
      [`https://pubsub.googleapis.com/v1/projects/${place.cloud.id}/topics/beta`]: roles[1]!,
      [`https://pubsub.googleapis.com/v1/${relative(place.resources.gamma)}`]: roles[2]!,
    })
    const [all, others] = [
      linked(['roles/browser'], ['roles/pubsub.viewer'], ['roles/pubsub.publisher']),
      linked(['roles/viewer', 'roles/browser'], ['roles/pubsub.publisher'], ['roles/pubsub.viewer', 'roles/pubsub.editor']),
    ]
    // A link beside a name, as they may be written side by side.
    const mixed = { [Object.keys(all)[1]!]: ['roles/pubsub.viewer'], [place.resources.alpha]: ['roles/pubsub.subscriber'] }
    // And two blocks of one resource, named and linked: both count.
    const twice = {
      [place.resources.beta]: ['roles/pubsub.subscriber', 'roles/pubsub.viewer'],
      [Object.keys(all)[1]!]: ['roles/pubsub.publisher', 'roles/pubsub.viewer'],
    }
    const [raw, encoded] = [place.name(), place.name()]
    const write = (name: string, text: string) => () =>
      bench.call('cloudc.writeRoleset', { path: { name }, body: place.body({ bindings: text }) })
    const rotate = (name: string) => () => bench.call('cloudc.rotate', { path: { name } })
    const remove = () => bench.call('cloudc.deleteRoleset', { path: { name: raw } })
    const former = new Map<string, string>()
    for (const [name, bindings, change] of [
      [raw, all, write(raw, blocks(all))],
      [raw, others, write(raw, json(others))],
      [raw, others, rotate(raw)],
      [raw, mixed, write(raw, blocks(mixed))],
      [raw, twice, write(raw, blocks(twice))],
      [encoded, mixed, write(encoded, base64(json(mixed)))],
      [encoded, all, write(encoded, base64(blocks(all)))],
      [raw, undefined, remove],
    ] as const) {
      const changed = await change()
      // Whether a resource may be written twice is not said.
      if (bindings === twice && !changed.ok) continue
      const email = bindings === undefined ? undefined : String((await place.read(name)).data.service_account_email)
      const before = former.get(name)
      await bench.decide('CLOUDC-BIND-07', async () => {
        expect(changed).toSucceed()
        if (email !== undefined) await bench.eventually(async () => expect(await place.rights(email)).toEqual(rightsFor(bindings ?? {})))
      })
      // A link is as good as a name where rights are taken back.
      if (before !== undefined && before !== email)
        await bench.decide(bindings === undefined ? 'CLOUDC-SET-17' : 'CLOUDC-BIND-07', () =>
          bench.eventually(async () => expect(await place.rights(before), 'the account before').toEqual({})),
        )
      if (email === undefined) continue
      former.set(name, email)
      // How a resource reads that was written twice is not said.
      if (bindings === twice) continue
      const read = asObject((await bench.given('cloudc.readRoleset', { path: { name } })).data.bindings)
      await bench.decide('CLOUDC-BIND-09', () => {
        // Whether a resource reads by its self-link or by its name is not said; it is one that may be written.
        expect(rightsFor(read as Bindings)).toEqual(rightsFor(bindings ?? {}))
        for (const resource of Object.keys(read)) expect(resource, 'a resource').toMatch(/^(https:)?\/\/[a-z]+\.googleapis\.com\//)
      })
    }
  },
)
