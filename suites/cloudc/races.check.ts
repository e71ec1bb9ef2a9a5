/** Requests about one roleset that meet: whatever order they took, one account is left, and it has its rights. */
import { check } from '../../harness/checks/index.ts'
import { blocks, needs, placeFor, rightsFor } from './fixtures.ts'

check(
  'cloudc/race-changes',
  'CLOUDC-RACE-01',
  'rotations, changes and tokens at once leave one account',
  { ...needs(), kind: 'race' },
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const versions = [{ [place.resources.project]: ['roles/browser'] }, { [place.resources.alpha]: ['roles/pubsub.viewer'] }]
    const name = await place.roleset()
    const write = (version: number) =>
      bench.call('cloudc.writeRoleset', { path: { name }, body: place.body({ bindings: blocks(versions[version]!) }) })
    const answers = await Promise.all([
      bench.call('cloudc.rotate', { path: { name } }),
      write(0),
      bench.call('cloudc.readToken', { path: { roleset: name } }),
      bench.call('cloudc.rotate', { path: { name } }),
      write(1),
      bench.call('cloudc.rotateKey', { path: { name } }),
    ])
    for (const { status } of answers) expect(status, 'no internal error').not.toBe(500)
    expect(
      answers.some(({ ok }) => ok),
      'one of them succeeds',
    ).toBe(true)
    const { data } = await bench.given('cloudc.readRoleset', { path: { name } })
    const email = String(data.service_account_email)
    await bench.eventually(async () => expect(await place.accounts(), 'accounts at the provider').toEqual([email]))
    await bench.eventually(async () => expect((await place.keyIds(email))?.length, 'keys of the account').toBe(1))
    const rights = rightsFor(data.bindings as Record<string, string[]>)
    await bench.eventually(async () => expect(await place.rights(email)).toEqual(rights))
    const info = await place.judge.tokenInfo(String((await place.token(name)).data.token))
    expect(info?.email).toBe(email)
  },
)

check(
  'cloudc/race-key-delete',
  'CLOUDC-RACE-02',
  'keys asked for while their roleset is deleted end with it',
  { ...needs(), kind: 'race' },
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const roleset = await place.keyRoleset()
    const ask = () => bench.call('cloudc.readKey', { path: { roleset } })
    const before = [ask(), ask(), ask()]
    const deletion = bench.call('cloudc.deleteRoleset', { path: { name: roleset } })
    const [deleted, ...made] = await Promise.all([deletion, ...before, ask(), ask()])
    expect(deleted).toSucceed()
    await bench.eventually(async () => expect(await place.accounts(), 'accounts at the provider').toEqual([]))
    for (const answer of made.filter(({ ok }) => ok)) {
      const { file } = place.keyIn(answer)
      await bench.eventually(async () => (await place.judge.login(file)) === undefined)
    }
    expect(await ask()).toHaveStatus(400, 404)
  },
)

check(
  'cloudc/race-key-change',
  'CLOUDC-RACE-02',
  'keys asked for while the bindings change are those of the account, or have ended',
  { ...needs(), kind: 'race' },
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    const roleset = await place.keyRoleset()
    const ask = () => bench.call('cloudc.readKey', { path: { roleset } })
    const body = place.body({ secret_type: 'service_account_key', bindings: blocks({ [place.resources.beta]: ['roles/pubsub.viewer'] }) })
    const before = [ask(), ask()]
    const change = bench.call('cloudc.writeRoleset', { path: { name: roleset }, body })
    const [changed, ...made] = await Promise.all([change, ...before, ask(), ask()])
    expect(changed).toSucceed()
    const email = await place.email(roleset)
    await bench.eventually(async () => expect(await place.accounts(), 'accounts at the provider').toEqual([email]))
    for (const answer of made.filter(({ ok }) => ok)) {
      const { file, facts } = place.keyIn(answer)
      await bench.eventually(async () => ((await place.judge.login(file)) !== undefined) === (facts.email === email))
    }
  },
)
