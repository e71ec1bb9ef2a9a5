import { type Bench, check, comesToHold, isBackendFailure, type JsonObject } from '../../../harness/checks/index.ts'
import { base64, blocks, json, KEYS, needs, OTHER_SCOPE, type Place, placeFor, rightsFor, SCOPE, THIRD_SCOPE } from '../fixtures.ts'

/** So many lines of ten characters make a megabyte. */
const MANY = 100_000

/** Refused when a roleset is made, and when it is changed, without a trace. */
const refused = (id: string, clause: string, title: string, texts: (place: Place) => string[]): void =>
  check(`cloudc/bindings-${id}`, clause, title, needs(), async ({ bench }) => {
    const place = await placeFor(bench)
    for (const bindings of bench.few(texts(place), 2)) {
      const path = { name: place.name() }
      await bench.refuses('cloudc.writeRoleset', {
        bad: { path, body: place.body({ bindings }) },
        control: { path, body: place.body() },
        unchanged: async () => [(await place.read(path.name)).status, (await place.settled()).length],
        label: bindings.slice(0, 60),
      })
    }
  })

/** Refused by the provider when a roleset is made or when it is first used. */
const refusedByProvider = (id: string, clause: string, title: string, texts: (place: Place) => string[]): void =>
  check(`cloudc/bindings-${id}`, [clause, 'CLOUDC-FAIL-06'], title, needs(), async ({ bench, expect }) => {
    const place = await placeFor(bench)
    for (const bindings of bench.few(texts(place), 2)) {
      const [path, label] = [{ name: place.name() }, bindings.slice(0, 60)]
      const before = (await place.settled()).length
      const written = await bench.call('cloudc.writeRoleset', { path, body: place.body({ bindings }) })
      await bench.decide(clause, async () => {
        if (written.ok) {
          const { status } = await bench.call('cloudc.readToken', { path: { roleset: path.name } })
          return expect(isBackendFailure(status), `a token of ${label}: 4xx, 500 or 502; it was ${status}`).toBe(true)
        }
        // The server may pass the provider's refusal on.
        expect(isBackendFailure(written.status), `${label}: 4xx, 500 or 502; it was ${written.status}`).toBe(true)
        expect(await place.read(path.name), `the roleset of ${label}`).toHaveStatus(404)
      })
      if (written.ok) bench.observe('CLOUDC-FAIL-06', 'refused at first use')
      else await bench.decide('CLOUDC-FAIL-06', async () => expect((await place.settled()).length, `accounts after ${label}`).toBe(before))
      await bench.given('cloudc.writeRoleset', { path, body: place.body() })
    }
  })

refusedByProvider('unknown-role', 'CLOUDC-BIND-12', 'an unknown role is refused', ({ resources }) => [
  blocks({ [resources.project]: ['roles/nobody-knows'] }),
  json({ [resources.project]: ['roles/viewer'], [resources.alpha]: ['roles/pubsub.viewer', 'roles/pubsub.nothing'] }),
])
refusedByProvider('unknown-resource', 'CLOUDC-BIND-13', 'an unknown resource is refused', ({ resources }) => [
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
  JSON.stringify({ resource: { [resources.project]: { roles: { a: {} } } } }),
  JSON.stringify({ resource: { [resources.project]: { roles: [{ a: {} }] } } }),
])
refused('base64-nothing', 'CLOUDC-BIND-17', 'base64 of something else is refused', () => [
  base64('nothing of that kind at all'),
  base64('{"resource": {'),
])

/** Updates that are bad, each with good changes of all else; `may` marks those of what cannot be updated, which may be ignored instead. */
const badUpdates = (
  { resources: { project, alpha, beta } }: Place,
  isForTokens: boolean,
): [what: string, body: JsonObject, may?: true][] => {
  const good: JsonObject = {
    bindings: blocks({ [beta]: ['roles/pubsub.viewer'] }),
    ...(isForTokens ? { token_scopes: [OTHER_SCOPE] } : {}),
  }
  return [
    ['broken text', { ...good, bindings: '{' }],
    ['an unknown type', { ...good, secret_type: 'password' }, true],
    ['an object for a project', { ...good, project: { a: {} } }, true],
    ...(isForTokens ? [['an object for a scope', { ...good, token_scopes: [{ a: {} }] }] as [string, JsonObject]] : []),
    ['another project', { ...good, project: 'another-project' }, true],
    ['the other type', { ...good, ...(isForTokens ? KEYS : { secret_type: 'access_token' }) }, true],
    // The provider may keep an account of these and show it late: nothing that is compared with its accounts comes after them.
    ['an unknown role', { ...good, bindings: json({ [project]: ['roles/browser'], [alpha]: ['roles/pubsub.nothing'] }) }],
    ['an unknown resource', { ...good, bindings: blocks({ [`${alpha}x`]: ['roles/pubsub.viewer'] }) }],
    [
      'a known and an unknown resource',
      { ...good, bindings: json({ [beta]: ['roles/pubsub.viewer'], [`${alpha}x`]: ['roles/pubsub.viewer'] }) },
    ],
  ]
}

/** Those of them that only the provider can refuse, at once or when the roleset is used. */
const BY_PROVIDER = ['an unknown role', 'an unknown resource', 'a known and an unknown resource']

/** A roleset with rights, and all that must stay of it. */
const bound = async (bench: Bench, place: Place, kind: JsonObject) => {
  const bindings = { [place.resources.project]: ['roles/viewer'], [place.resources.alpha]: ['roles/pubsub.viewer'] }
  const name = await place.roleset({ ...kind, bindings: blocks(bindings) })
  const { data } = await place.read(name)
  const email = String(data.service_account_email)
  await comesToHold(bench, async () => JSON.stringify(await place.rights(email)) === JSON.stringify(rightsFor(bindings)))
  const key = kind === KEYS ? await place.key(name) : undefined
  if (key !== undefined) await place.logsIn(key, 'a key before')
  return { name, data, email, key, rights: await place.rights(email), accounts: await place.accounts() }
}

check(
  'cloudc/bindings-refused-change',
  ['CLOUDC-BIND-16', 'CLOUDC-BIND-22'],
  'a refused change changes nothing',
  needs(),
  async ({ bench, expect }) => {
    const place = await placeFor(bench)
    for (const kind of [{ token_scopes: [SCOPE, THIRD_SCOPE] }, KEYS] as JsonObject[]) {
      let before = await bound(bench, place, kind)
      for (const [what, body, may] of badUpdates(place, kind !== KEYS)) {
        const { name, data, email, key, rights, accounts } = before
        const answer = await bench.call('cloudc.writeRoleset', { path: { name }, body: place.body({ ...kind, ...body }), invalid: true })
        // What cannot be updated may be ignored instead: whether the rest of such an update counts is not said.
        const byProvider = BY_PROVIDER.includes(what)
        if ((may || byProvider) && answer.ok) {
          if (byProvider) bench.observe('CLOUDC-BIND-22', `${what} is refused at first use`)
          before = await bound(bench, place, kind)
          continue
        }
        await bench.decide('CLOUDC-BIND-16', async () => {
          expect(answer.ok, `${what} was accepted`).toBe(false)
          expect((await place.read(name)).data, `the roleset after ${what}`).toEqual(data)
        })
        await bench.decide(byProvider ? 'CLOUDC-BIND-22' : 'CLOUDC-BIND-16', async () => {
          await bench.eventually(async () => expect(await place.accounts(), `accounts after ${what}`).toEqual(accounts))
          await bench.eventually(async () => expect(await place.rights(email), `rights after ${what}`).toEqual(rights))
          if (key !== undefined) return expect(await place.judge.login(key.file), `the key from before, after ${what}`).toBeDefined()
          const token = await bench.call('cloudc.readToken', { path: { roleset: name } })
          expect(token, `a token after ${what}`).toHaveStatus(200)
          const info = await place.judge.tokenInfo(String(token.data.token))
          expect([info?.email, info?.scopes], `the token after ${what}`).toEqual([email, [SCOPE, THIRD_SCOPE].sort()])
        })
        // Later changes are compared with what the provider has kept.
        if (byProvider) before = { ...before, accounts: await place.accounts() }
      }
      if (kind === KEYS)
        await bench.decide('CLOUDC-BIND-22', async () =>
          expect(await bench.call('cloudc.readKey', { path: { roleset: before.name } }), 'it still gives keys').toHaveStatus(200),
        )
    }
  },
)
