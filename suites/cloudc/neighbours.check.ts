/** Rolesets, their tokens and keys, and mounts of the engine: what happens to one never shows at another. */
import { apart, type Bench, comesToHold, type JsonObject, type View } from '../../harness/checks/index.ts'
import { blocks, KEYS, type Key, needs, OTHER_SCOPE, OWN_TOKENS, type Place, placeFor } from './fixtures.ts'

const login =
  ({ judge }: Place, { file }: Key): View =>
  async () =>
    (await judge.login(file)) !== undefined

const read =
  (bench: Bench, name: string, mount?: string): View =>
  async () => {
    const { ok, status, data } = await bench.call('cloudc.readRoleset', { path: { name }, ...(mount === undefined ? {} : { mount }) })
    return ok ? data : status
  }

/** Whose tokens are, and what they may do. */
const token =
  (place: Place, name: string): View =>
  () =>
    place.tokens(name)

apart('cloudc/neighbours', 'CLOUDC-APART-01', 'what ends the keys of one roleset ends no others', needs(), async ({ bench }) => {
  const place = await placeFor(bench)
  const first = place.name()
  const names = [first, `${first}a`, `${first}-a`, `${first}.a`, `${first}_a`]
  for (const name of names.slice(1)) bench.defer(() => bench.call('cloudc.deleteRoleset', { path: { name } }))
  const keys: Record<string, Key> = {}
  for (const name of names) {
    await bench.given('cloudc.writeRoleset', { path: { name }, body: place.body(KEYS) })
    keys[name] = await place.key(name)
    await place.logsIn(keys[name], `the key of ${name}`)
  }
  const ended = (name: string) =>
    bench.eventually(async () => (await place.judge.login(keys[name]!.file)) === undefined, { because: `the key of ${name} has ended` })
  const of = (name: string): string[] => [`key of ${name}`, `read of ${name}`]
  const change = async (name: string, body: JsonObject) => {
    await bench.given('cloudc.writeRoleset', { path: { name }, body: place.body({ ...KEYS, ...body }) })
    await ended(name)
  }
  return {
    views: Object.fromEntries(
      names.flatMap((name) => [
        [`key of ${name}`, login(place, keys[name]!)],
        [`read of ${name}`, read(bench, name)],
      ]),
    ),
    atFirst: Object.fromEntries(names.map((name) => [`key of ${name}`, true])),
    steps: [
      {
        what: 'after the bindings of the first were changed',
        run: () => change(first, { bindings: blocks({ [place.resources.project]: ['roles/browser'] }) }),
        changes: of(first),
      },
      {
        what: 'after the second was rotated',
        async run() {
          await bench.given('cloudc.rotate', { path: { name: names[1]! } })
          await ended(names[1]!)
        },
        changes: of(names[1]!),
      },
      { what: 'after another key of the third', run: () => place.key(names[2]!) },
      {
        what: 'after the first was rotated',
        run: () => bench.given('cloudc.rotate', { path: { name: first } }),
        changes: of(first),
      },
      {
        what: 'after the first was deleted',
        run: () => bench.given('cloudc.deleteRoleset', { path: { name: first } }),
        changes: of(first),
      },
    ],
  }
})

apart('cloudc/neighbours-tokens', 'CLOUDC-APART-01', 'a token is that of its own roleset', needs(), async ({ bench }) => {
  const place = await placeFor(bench)
  // They have the same roles, and keep them when one among them is deleted: a policy names its members in one list.
  const [first, among, second, third] = [
    await place.roleset(),
    await place.roleset(),
    await place.roleset(),
    await place.roleset(),
  ] as const
  // What several have alike, by their defaults too, each has for itself.
  const { token_scopes: _scopes, ...plain } = place.body()
  const [bare, emptied, changing] = [place.name(), await place.roleset({ token_scopes: [] }), place.name()] as const
  for (const name of [bare, changing]) await bench.given('cloudc.writeRoleset', { path: { name }, body: plain })
  const emails = await Promise.all([second, bare, emptied].map((name) => place.email(name)))
  const rights = () => Promise.all(emails.map((email) => place.rights(email)))
  await comesToHold(bench, async () => (await rights()).every((of) => Object.keys(of).length > 0))
  const write = (name: string, more: JsonObject) => () => bench.given('cloudc.writeRoleset', { path: { name }, body: place.body(more) })
  const browser = blocks({ [place.resources.project]: ['roles/browser'] })
  return {
    views: {
      'rights of three others': rights,
      'token of the first': token(place, first),
      'token of the second': token(place, second),
      'read of the second': read(bench, second),
      'read of one without scopes': read(bench, bare),
      'read of one with a list of no scopes': read(bench, emptied),
    },
    atFirst: { 'token of the first': OWN_TOKENS, 'token of the second': OWN_TOKENS },
    steps: [
      { what: 'after one among them was deleted', run: () => bench.given('cloudc.deleteRoleset', { path: { name: among } }) },
      { what: 'after the first was rotated', run: () => bench.given('cloudc.rotate', { path: { name: first } }) },
      { what: 'after the key of the first was rotated', run: () => bench.given('cloudc.rotateKey', { path: { name: first } }) },
      { what: 'after one without scopes got some', run: write(changing, { token_scopes: [OTHER_SCOPE] }) },
      { what: 'after it lost them', run: write(changing, { token_scopes: [] }) },
      { what: 'after the third got other scopes and bindings', run: write(third, { token_scopes: [OTHER_SCOPE], bindings: browser }) },
      { what: 'after one more came with scopes', run: () => place.roleset({ token_scopes: [OTHER_SCOPE] }) },
      { what: 'after the third was deleted', run: () => bench.given('cloudc.deleteRoleset', { path: { name: third } }) },
    ],
  }
})

apart(
  'cloudc/neighbours-mounts',
  'CLOUDC-APART-01',
  'what happens in one mount does not show in another',
  needs({ features: ['mounts'] }),
  async ({ bench }) => {
    const place = await placeFor(bench, { ttl: 600, max_ttl: 7200 })
    const [tokens, keys, bare] = [await place.roleset(), await place.keyRoleset(), await place.roleset({ token_scopes: [] })]
    const email = await place.email(tokens)
    await comesToHold(bench, async () => Object.keys(await place.rights(email)).length > 0)
    const key = await place.key(keys)
    await place.logsIn(key, 'the key')
    // A provider has ten keys of an account at most: one is made for each look.
    const fresh = await place.keyRoleset()
    const mount = await bench.mount('cloudc', { exclusive: true })
    const there = bench.mixedName('roleset')
    const config = { credentials: place.cloud.credentials, ttl: 300, max_ttl: 900 }
    const write = (name: string, token_scopes: string[] = []) => {
      bench.defer(() => bench.call('cloudc.deleteRoleset', { mount, path: { name } }))
      return bench.given('cloudc.writeRoleset', { mount, path: { name }, body: place.body({ token_scopes }) })
    }
    return {
      views: {
        config: async () => (await bench.given('cloudc.readConfig')).data,
        names: async () => [...((await bench.given('cloudc.listRolesets')).data.keys as string[])].sort(),
        'roleset for tokens': read(bench, tokens),
        'roleset for keys': read(bench, keys),
        'roleset without scopes': read(bench, bare),
        'lease of a new key, to ten seconds': async () => Math.round((await place.key(fresh)).duration / 10),
        key: login(place, key),
        token: token(place, tokens),
        rights: () => place.rights(email),
      },
      atFirst: { names: [tokens, keys, bare, fresh].sort(), 'lease of a new key, to ten seconds': 60, key: true, token: OWN_TOKENS },
      steps: [
        { what: 'after the other was configured', run: () => bench.given('cloudc.writeConfig', { mount, body: config }) },
        { what: 'after the other got a roleset', run: () => write(there) },
        { what: 'after that got scopes', run: () => write(there, [OTHER_SCOPE]) },
        { what: 'after the other got one of a name that is here', run: () => write(tokens) },
        { what: 'after that was rotated', run: () => bench.given('cloudc.rotate', { mount, path: { name: tokens } }) },
        { what: 'after that was deleted', run: () => bench.given('cloudc.deleteRoleset', { mount, path: { name: tokens } }) },
        {
          what: 'after one of the name of the one for keys came and went',
          async run() {
            await write(keys)
            await bench.given('cloudc.deleteRoleset', { mount, path: { name: keys } })
          },
        },
      ],
    }
  },
)

apart(
  'cloudc/neighbours-namespaces',
  'CLOUDC-APART-01',
  'what happens in a namespace does not show in the mount of the same path outside',
  needs({ features: ['mounts', 'namespaces'] }),
  async ({ bench }) => {
    const place = await placeFor(bench)
    const name = await place.keyRoleset()
    const key = await place.key(name)
    await place.logsIn(key, 'the key')
    const mount = await bench.mount('cloudc', { exclusive: true, namespace: await bench.namespace(), path: bench.mountPath('cloudc') })
    const write = (bindings: string) =>
      bench.given('cloudc.writeRoleset', { mount, path: { name }, body: place.body({ ...KEYS, bindings }) })
    return {
      views: {
        names: async () => [...((await bench.given('cloudc.listRolesets')).data.keys as string[])].sort(),
        roleset: read(bench, name),
        key: login(place, key),
      },
      atFirst: { names: [name], key: true },
      steps: [
        {
          what: 'after the one in the namespace got a roleset of this name',
          async run() {
            await bench.given('cloudc.writeConfig', { mount, body: { credentials: place.cloud.credentials } })
            bench.defer(() => bench.call('cloudc.deleteRoleset', { mount, path: { name } }))
            await write(blocks({ [place.resources.project]: ['roles/viewer'] }))
          },
        },
        { what: 'after that got other bindings', run: () => write(blocks({ [place.resources.project]: ['roles/browser'] })) },
        { what: 'after that was rotated', run: () => bench.given('cloudc.rotate', { mount, path: { name } }) },
        { what: 'after that was deleted', run: () => bench.given('cloudc.deleteRoleset', { mount, path: { name } }) },
      ],
    }
  },
)

apart(
  'cloudc/neighbours-lease-times',
  'CLOUDC-APART-01',
  'lease times of one mount are none of another that has none configured',
  needs({ features: ['mounts'] }),
  async ({ bench }) => {
    const place = await placeFor(bench)
    const fresh = await place.keyRoleset()
    const mount = await bench.mount('cloudc', { exclusive: true })
    const configure = (more: JsonObject) =>
      bench.given('cloudc.writeConfig', { mount, body: { credentials: place.cloud.credentials, ...more } })
    return {
      views: {
        config: async () => (await bench.given('cloudc.readConfig')).data,
        'lease of a new key, to ten seconds': async () => Math.round((await place.key(fresh)).duration / 10),
      },
      steps: [
        { what: 'after the other got a ttl', run: () => configure({ ttl: 90 }) },
        { what: 'after the other got a max_ttl too', run: () => configure({ ttl: 40, max_ttl: 50 }) },
      ],
    }
  },
)
