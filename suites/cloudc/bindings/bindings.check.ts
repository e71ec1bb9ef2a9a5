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
    for (const bindings of [{ [place.resources.project]: ['roles/viewer'] }, several(place)]) {
      const name = place.name()
      const written = await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body({ bindings: text(bindings) }) })
      await bench.decide(clause, () => expect(written).toSucceed())
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
  ['CLOUDC-BIND-07', 'CLOUDC-BIND-09'],
  'a self-link names a resource',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const bindings = {
      [`https://cloudresourcemanager.googleapis.com/v1/projects/${place.cloud.id}`]: ['roles/browser'],
      [`https://pubsub.googleapis.com/v1/projects/${place.cloud.id}/topics/beta`]: ['roles/pubsub.viewer'],
      [`https://pubsub.googleapis.com/v1/${relative(place.resources.gamma)}`]: ['roles/pubsub.publisher'],
    }
    for (const text of [blocks, json]) {
      const name = place.name()
      const written = await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body({ bindings: text(bindings) }) })
      const { service_account_email: email } = (await place.read(name)).data
      await bench.decide('CLOUDC-BIND-07', async () => {
        expect(written).toSucceed()
        await bench.eventually(async () => expect(await place.rights(String(email))).toEqual(rightsFor(bindings)))
      })
      const read = asObject((await bench.given('cloudc.readRoleset', { path: { name } })).data.bindings)
      await bench.decide('CLOUDC-BIND-09', () => {
        // Whether a resource reads by its self-link or by its name is not said; it is one that may be written.
        expect(Object.fromEntries(Object.entries(read).map(([resource, roles]) => [relative(resource), roles]))).toEqual(
          rightsFor(bindings),
        )
        for (const resource of Object.keys(read)) expect(resource, 'a resource').toMatch(/^(https:)?\/\/[a-z]+\.googleapis\.com\//)
      })
    }
  },
)
