import { check, comesToHold } from '../../../harness/checks/index.ts'
import { base64, blocks, json, needs, type Place, placeFor, rightsFor } from '../fixtures.ts'

/** So many lines of ten characters make a megabyte. */
const MANY = 100_000

/** Refused when a roleset is made, and when it is changed, without a trace. */
const refused = (id: string, clause: string, title: string, texts: (place: Place) => string[]): void =>
  check(`cloudc/bindings-${id}`, clause, title, needs(), async ({ bench }) => {
    const place = await placeFor(bench)
    for (const bindings of texts(place)) {
      const path = { name: place.name() }
      await bench.refuses('cloudc.writeRoleset', {
        bad: { path, body: place.body({ bindings }) },
        control: { path, body: place.body() },
        unchanged: async () => [(await place.read(path.name)).status, (await place.settled()).length],
        label: bindings.slice(0, 60),
      })
    }
  })

refused('unknown-role', 'CLOUDC-BIND-12', 'an unknown role is refused', ({ resources }) => [
  blocks({ [resources.project]: ['roles/nobody-knows'] }),
  json({ [resources.project]: ['roles/viewer'], [resources.alpha]: ['roles/pubsub.viewer', 'roles/pubsub.nothing'] }),
])
refused('unknown-resource', 'CLOUDC-BIND-13', 'an unknown resource is refused', ({ resources }) => [
  blocks({ [`${resources.alpha}-unknown`]: ['roles/pubsub.viewer'] }),
  json({ [resources.project]: ['roles/viewer'], [`${resources.beta}-unknown`]: ['roles/pubsub.viewer'] }),
  json({ [`of${resources.alpha}`]: ['roles/pubsub.viewer'] }),
  blocks({ [resources.project]: ['roles/viewer'], [`${resources.alpha}/beta`]: ['roles/pubsub.viewer'] }),
])
refused('broken', 'CLOUDC-BIND-14', 'broken text is refused', ({ resources }) => [
  `resource "${resources.project}" { roles = ["roles/viewer"]`,
  json({ [resources.project]: ['roles/viewer'] }).slice(0, -2),
  'neither the one nor the other',
  `${'# nothing\n'.repeat(MANY)}resource "${resources.project}" {`,
  `${json({ [resources.project]: ['roles/viewer'] }).slice(0, -2)}${' '.repeat(10 * MANY)}`,
])
refused('no-list', 'CLOUDC-BIND-15', 'roles have to be a list', ({ resources }) => [
  `resource "${resources.project}" {\n  roles = "roles/viewer"\n}`,
  JSON.stringify({ resource: { [resources.project]: { roles: { a: {} } } } }),
  JSON.stringify({ resource: { [resources.project]: { roles: [{ a: {} }] } } }),
  `resource "${resources.project}" {\n}`,
])
refused('base64-nothing', 'CLOUDC-BIND-17', 'base64 of something else is refused', () => [
  base64('nothing of that kind at all'),
  base64('{"resource": {'),
])

check('cloudc/bindings-refused-change', 'CLOUDC-BIND-16', 'a refused change changes nothing', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  const { project, alpha } = place.resources
  const bound = { [project]: ['roles/viewer'], [alpha]: ['roles/pubsub.viewer'] }
  const bindings = blocks(bound)
  for (const name of [await place.roleset({ bindings }), await place.keyRoleset({ bindings })]) {
    const before = await place.read(name)
    const email = String(before.data.service_account_email)
    await comesToHold(bench, async () => JSON.stringify(await place.rights(email)) === JSON.stringify(rightsFor(bound)))
    const [rights, accounts] = [await place.rights(email), await place.accounts()]
    for (const bad of [
      json({ [project]: ['roles/browser'], [alpha]: ['roles/pubsub.nothing'] }),
      blocks({ [`${alpha}x`]: ['roles/pubsub.viewer'] }),
      '{',
    ]) {
      const body = place.body({ secret_type: String(before.data.secret_type), bindings: bad })
      const answer = await bench.call('cloudc.writeRoleset', { path: { name }, body })
      expect(answer.ok, 'the change was accepted').toBe(false)
      expect((await place.read(name)).data, 'the roleset').toEqual(before.data)
      await bench.eventually(async () => expect(await place.accounts(), 'accounts').toEqual(accounts))
      await bench.eventually(async () => expect(await place.rights(email), 'rights').toEqual(rights))
    }
    const operation = before.data.secret_type === 'access_token' ? 'cloudc.readToken' : 'cloudc.readKey'
    expect(await bench.call(operation, { path: { roleset: name } }), 'it still gives secrets').toHaveStatus(200)
  }
})
