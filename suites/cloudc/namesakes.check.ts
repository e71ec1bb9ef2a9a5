/** What rolesets of one name in several places have issued, and the service under every spelling of a namespace. */
import { type Answer, apart, type Bench, check, comesToHold, type JsonObject, type Step, type View } from '../../harness/checks/index.ts'
import { blocks, KEYS, type Key, needs, OTHER_SCOPE, OWN_TOKENS, type Place, placeFor, SCOPE } from './fixtures.ts'

interface Home {
  what: string
  place: Place
  mount: string
  /** The key that was issued last. */
  key: Key
}

const shown = ({ ok, status, data }: Answer): unknown => (ok ? data : status)

const views = (bench: Bench, home: Home, tokens: string, keys: string): Record<string, View> => {
  const { what, place, mount } = home
  return {
    [`roleset for tokens of ${what}`]: async () => shown(await place.read(tokens)),
    [`roleset for keys of ${what}`]: async () => shown(await place.read(keys)),
    [`key of ${what}`]: async () => (await place.judge.login(home.key.file)) !== undefined,
    [`config of ${what}`]: async () => (await bench.given('cloudc.readConfig', { mount })).data,
    [`token of ${what}`]: () => place.tokens(tokens),
  }
}

/** All that happens to the rolesets of one place, each with the views of that place that it may change. */
const stepsIn = (bench: Bench, home: Home, tokens: string, keys: string): Step[] => {
  const { place, mount, what } = home
  const [tokenRoleset, keyRoleset, key, token] = ['roleset for tokens', 'roleset for keys', 'key', 'token'].map(
    (view) => `${view} of ${what}`,
  ) as [string, string, string, string]
  const at = (name: string) => ({ mount, path: { name } })
  const write = (name: string, more: JsonObject) => bench.given('cloudc.writeRoleset', { ...at(name), body: place.body(more) })
  const browser = { bindings: blocks({ [place.resources.project]: ['roles/browser'] }) }
  const ended = () =>
    bench.eventually(async () => (await place.judge.login(home.key.file)) === undefined, { because: `the key of ${what} has ended` })
  // Whether a deletion ends keys is CLOUDC-SET-16.
  const mayEnd = () => comesToHold(bench, async () => (await place.judge.login(home.key.file)) === undefined)
  const again = async () => {
    home.key = await place.key(keys)
    await place.logsIn(home.key, `another key of ${what}`)
  }
  const step = (did: string, run: () => Promise<unknown>, ...changes: string[]): Step => ({ what: `after ${what} ${did}`, run, changes })
  return [
    step('got other bindings of its keys', () => write(keys, { ...KEYS, ...browser }).then(ended), keyRoleset, key),
    step('issued another key', again, key),
    step('was rotated', () => bench.given('cloudc.rotate', at(keys)).then(ended), keyRoleset, key),
    step('issued one more key', again, key),
    step(
      'got other bindings and scopes of its tokens',
      () => write(tokens, { ...browser, token_scopes: [OTHER_SCOPE, SCOPE] }),
      tokenRoleset,
      token,
    ),
    step('got another account of its tokens', () => bench.given('cloudc.rotate', at(tokens)), tokenRoleset),
    step('got another key of its tokens', () => bench.given('cloudc.rotateKey', at(tokens))),
    step('lost its roleset for keys', () => bench.given('cloudc.deleteRoleset', at(keys)).then(mayEnd), keyRoleset, key),
    step('lost its roleset for tokens', () => bench.given('cloudc.deleteRoleset', at(tokens)), tokenRoleset, token),
  ]
}

const namesakes = (id: string, title: string, features: ('mounts' | 'namespaces')[], other: (bench: Bench) => Promise<string>): void =>
  apart(`cloudc/namesakes-${id}`, 'CLOUDC-APART-01', title, needs({ features }), async ({ bench }) => {
    const first = await placeFor(bench, { ttl: 600, max_ttl: 7200 })
    const mount = await other(bench)
    await bench.given('cloudc.writeConfig', { mount, body: { credentials: first.cloud.credentials, ttl: 700, max_ttl: 7100 } })
    const [tokens, keys] = [await first.roleset(), await first.keyRoleset()]
    const homes: Home[] = []
    for (const [what, place, at] of [
      ['the one', first, 'cloudc'],
      ['the other', first.in(mount), mount],
    ] as const) {
      if (place !== first) await place.roleset({}, place.name(tokens))
      if (place !== first) await place.keyRoleset({}, place.name(keys))
      const key = await place.key(keys)
      await place.logsIn(key, `the key of ${what}`)
      homes.push({ what, place, mount: at, key })
    }
    const [one, two] = homes as [Home, Home]
    return {
      views: Object.assign({}, ...homes.map((home) => views(bench, home, tokens, keys))),
      atFirst: Object.fromEntries(
        homes.flatMap(({ what }) => [
          [`key of ${what}`, true],
          [`token of ${what}`, OWN_TOKENS],
        ]),
      ),
      // All but the deletions in the one, while the other has everything; then all in the other, and the deletions in the one.
      steps: [
        ...stepsIn(bench, one, tokens, keys).slice(0, -2),
        ...stepsIn(bench, two, tokens, keys),
        ...stepsIn(bench, one, tokens, keys).slice(-2),
      ],
    }
  })

namesakes('beside', 'rolesets of one name in mounts whose paths begin alike issue each their own', ['mounts'], (bench) =>
  bench.mount('cloudc', { exclusive: true, path: `${bench.mountPath('cloudc')}-a` }),
)
namesakes('within', 'rolesets of one name at one path in two namespaces issue each their own', ['mounts', 'namespaces'], async (bench) =>
  bench.mount('cloudc', { exclusive: true, path: bench.mountPath('cloudc'), namespace: await bench.namespace() }),
)

/** Which clause says that a namespace may be spelled so, by the number of its segments that go into the path. */
const SPELLINGS = ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03'] as const

check(
  'cloudc/nested-namespace',
  [...SPELLINGS, 'CLOUDC-APART-01'],
  'a mount in a namespace within another serves under every spelling, and the one around it has no part in that',
  needs({ features: ['mounts', 'namespaces'] }),
  async ({ bench, expect }) => {
    const outer = await bench.namespace()
    const [around, mount] = [
      await bench.mount('cloudc', { exclusive: true, namespace: outer, path: bench.mountPath('cloudc') }),
      await bench.mount('cloudc', { exclusive: true, namespace: await bench.namespace(outer), path: bench.mountPath('cloudc') }),
    ]
    const root = await placeFor(bench)
    const { credentials } = root.cloud
    const [there, place] = [root.in(around), root.in(mount)]
    await bench.given('cloudc.writeConfig', { mount: around, body: { credentials, ttl: 333 } })
    await bench.given('cloudc.writeConfig', { mount, body: { credentials } })
    const outside = [await there.roleset(), await there.keyRoleset()]
    const before = await Promise.all(outside.map((name) => there.read(name)))
    for (const [namespaceInPath, clause] of SPELLINGS.entries()) {
      const [tokens, keys] = outside.map((name) => place.name(name)) as [string, string]
      const send = async (
        operation: string,
        input: { path?: Record<string, string>; body?: JsonObject; method?: string } = {},
      ): Promise<Answer> => {
        const answer = await bench.call(operation, { ...input, mount, namespaceInPath })
        await bench.decide(clause, () => expect(answer, `${operation} with ${namespaceInPath} segments in the path`).toSucceed())
        return answer
      }
      await send('cloudc.writeConfig', { body: { credentials, ttl: 700 + namespaceInPath, max_ttl: 7200 } })
      await send('cloudc.writeRoleset', { path: { name: tokens }, body: place.body({ token_scopes: [OTHER_SCOPE] }) })
      await send('cloudc.writeRoleset', { path: { name: keys }, body: place.body(KEYS) })
      for (const rotates of [false, true]) {
        if (rotates) for (const name of [tokens, keys]) await send('cloudc.rotate', { path: { name } })
        if (rotates) await send('cloudc.rotateKey', { path: { name: tokens } })
        const [tokenEmail, keyEmail] = [await place.email(tokens), await place.email(keys)]
        const read = await send('cloudc.readRoleset', { path: { name: tokens } })
        await bench.decide(clause, () => expect(read.data.service_account_email).toBe(tokenEmail))
        for (const operation of ['cloudc.readToken', 'cloudc.createToken']) {
          const { token } = (await send(operation, { path: { roleset: tokens } })).data
          const info = await place.judge.tokenInfo(String(token))
          await bench.decide(clause, () => expect([info?.email, info?.scopes], operation).toEqual([tokenEmail, [OTHER_SCOPE]]))
        }
        for (const operation of ['cloudc.readKey', 'cloudc.createKey']) {
          const { facts, duration } = place.keyIn(await send(operation, { path: { roleset: keys } }))
          await bench.decide(clause, () => {
            expect(facts.email, operation).toBe(keyEmail)
            expect(Math.abs(duration - 700 - namespaceInPath), 'seconds from the ttl of this mount').toBeLessThanOrEqual(2)
          })
        }
      }
      for (const method of ['LIST', 'GET']) {
        const { keys: listed } = (await send('cloudc.listRolesets', { method })).data
        await bench.decide(clause, () => expect([...(listed as string[])].sort(), method).toEqual([tokens, keys].sort()))
      }
      for (const name of [tokens, keys]) await send('cloudc.deleteRoleset', { path: { name } })
      await bench.decide(clause, async () => {
        for (const name of [tokens, keys]) expect(await place.read(name), 'a deleted one').toHaveStatus(404)
      })
      await bench.decide('CLOUDC-APART-01', async () => {
        for (const [index, name] of outside.entries()) expect((await there.read(name)).data, 'those around').toEqual(before[index]!.data)
      })
    }
  },
)
