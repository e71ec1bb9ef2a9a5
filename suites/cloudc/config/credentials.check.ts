import { check, cloudPlace, type JsonObject, neverShown } from '../../../harness/checks/index.ts'
import { blocks, needs, placeFor } from '../fixtures.ts'

check('cloudc/credentials-hidden', ['CLOUDC-CONF-03', 'CLOUDC-CONF-17'], 'credentials are not shown', needs(), async (context) => {
  const { bench, expect } = context
  const { cloud } = await placeFor(bench)
  const key = String((JSON.parse(cloud.credentials) as JsonObject).private_key)
  const secrets = [key, key.split('\n')[1]!]
  const read = await bench.given('cloudc.readConfig')
  await bench.decide('CLOUDC-CONF-03', () => {
    neverShown(context, [read], secrets)
    expect(Object.keys(read.data), 'members of the read').not.toContain('credentials')
  })
  const written = await bench.given('cloudc.writeConfig', { body: { credentials: cloud.credentials } })
  const wrong = await bench.call('cloudc.writeConfig', { body: { credentials: cloud.credentials, ttl: '-5s' } })
  const broken = await bench.call('cloudc.writeConfig', { body: { credentials: cloud.credentials.slice(0, -1) } })
  await bench.decide('CLOUDC-CONF-17', () => neverShown(context, [written, wrong, broken], secrets))
})

check('cloudc/credentials-no-json', 'CLOUDC-CONF-13', 'text that is not JSON makes no roleset', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  for (const credentials of ['nothing of that kind', place.cloud.credentials.slice(1)]) {
    const written = await bench.call('cloudc.writeConfig', { body: { credentials } })
    const path = { name: place.name() }
    if (written.ok) {
      const made = await bench.call('cloudc.writeRoleset', { path, body: place.body() })
      expect(made.ok, 'a roleset was made').toBe(false)
      expect(await place.read(path.name)).toHaveStatus(404)
    } else expect(written).toBeRefused()
    await bench.given('cloudc.writeConfig', { body: { credentials: place.cloud.credentials } })
    expect(await bench.call('cloudc.writeRoleset', { path, body: place.body() }), 'with good ones').toSucceed()
  }
})

check('cloudc/credentials-replaced', 'CLOUDC-CONF-14', 'the credentials written last are used', needs(), async ({ bench, expect }) => {
  const place = await placeFor(bench)
  await place.roleset()
  const other = await cloudPlace(bench.backend('clouds'))
  bench.defer(() => other.remove())
  await bench.given('cloudc.writeConfig', { body: { credentials: other.credentials } })
  const bindings = blocks({ [`//cloudresourcemanager.googleapis.com/projects/${other.id}`]: ['roles/viewer'] })
  const name = place.name()
  expect(await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body({ project: other.id, bindings }) })).toSucceed()
  const email = await place.email(name)
  await bench.eventually(async () => expect((await other.look()).accounts.map((account) => account.email)).toContain(email))
  await bench.given('cloudc.deleteRoleset', { path: { name } })
  await bench.given('cloudc.writeConfig', { body: { credentials: place.cloud.credentials } })
})

check('cloudc/credentials-file', 'CLOUDC-CONF-15', 'a path names a file with credentials', needs(), async ({ bench, expect }) => {
  const file = bench.setting<string>('cloudc.credentialsFile')
  const project = bench.setting<string>('cloudc.fileProject')
  if (file === undefined || project === undefined)
    return bench.blocked(
      'no file of credentials on the target’s machine is named',
      'set settings.cloudc.credentialsFile and settings.cloudc.fileProject',
    )
  const place = await placeFor(bench)
  expect(await bench.call('cloudc.writeConfig', { body: { credentials: `@${file}` } })).toSucceed()
  const name = bench.mixedName('roleset')
  const bindings = blocks({ [`//cloudresourcemanager.googleapis.com/projects/${project}`]: ['roles/viewer'] })
  expect(await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body({ project, bindings }) })).toSucceed()
  expect((await place.read(name)).data.service_account_project).toBe(project)
  await bench.given('cloudc.deleteRoleset', { path: { name } })
})

check(
  'cloudc/credentials-refused',
  ['CLOUDC-CONF-10', 'CLOUDC-CONF-11'],
  'credentials of a refused configuration are not used',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const other = await cloudPlace(bench.backend('clouds'))
    bench.defer(() => other.remove())
    for (const [clause, bad] of [
      ['CLOUDC-CONF-10', { ttl: 'soon' }],
      ['CLOUDC-CONF-11', { max_ttl: 'late' }],
    ] as const) {
      const refused = await bench.call('cloudc.writeConfig', { body: { credentials: other.credentials, ...bad }, invalid: true })
      const path = { name: place.name() }
      const made = await bench.call('cloudc.writeRoleset', { path, body: place.body() })
      await bench.decide(clause, () => {
        expect(refused).toBeRefused()
        expect(made, 'a roleset with the credentials before').toSucceed()
      })
    }
  },
)
