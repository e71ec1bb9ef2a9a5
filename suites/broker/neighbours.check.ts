/** Roles, settings, users and mounts of the engine: what happens to one never shows at another. */
import { apart, type Bench, type View } from '../../harness/checks/index.ts'
import { type Credential, needs, type Place, placeFor } from './fixtures.ts'

/** What the broker has of a user, and whether it lets the user in. */
const user =
  ({ admin, login }: Place, credential: Credential): View =>
  async () => ({
    tags: await admin.tagsOf(credential.username),
    rights: await admin.rightsOf(credential.username),
    topics: await admin.topicRightsOf(credential.username),
    loggedIn: await login(credential),
  })

const read =
  (bench: Bench, name: string, mount?: string): View =>
  async () => {
    const { ok, status, data } = await bench.call('broker.readRole', { path: { name }, ...(mount === undefined ? {} : { mount }) })
    return ok ? data : status
  }

/** What a new user of a role has, and how long its lease lasts, to ten seconds. */
const made =
  (bench: Bench, place: Place, role: string, at: { mount?: string } = {}): View =>
  async () => {
    const answer = await bench.call('broker.readCreds', { path: { name: role }, ...at })
    if (!answer.ok) return answer.status
    const credential = place.keep(answer)
    const { username: _name, ...shown } = { username: credential.username, lasts: Math.round(credential.duration / 10) }
    return {
      ...shown,
      tags: await place.admin.tagsOf(credential.username),
      rights: await place.admin.rightsOf(credential.username),
      loggedIn: await place.login(credential),
    }
  }

apart('broker/neighbours', 'BROKER-APART-01', 'an operation changes what it names and nothing beside it', needs(), async ({ bench }) => {
  const place = await placeFor(bench)
  await bench.given('broker.writeLease', { body: { ttl: 600, max_ttl: 1200 } })
  const [first, second] = [await place.role({ tags: 'monitoring' }), await place.role({ tags: 'management' })]
  const [one, two] = [await place.credential(first), await place.credential(second)]
  const another = bench.mixedName('role')
  return {
    views: {
      'read of the first role': read(bench, first),
      'read of the second role': read(bench, second),
      'user of the first role': user(place, one),
      'user of the second role': user(place, two),
      'new users of the first role': made(bench, place, first),
      'new users of the second role': made(bench, place, second),
    },
    steps: [
      {
        what: 'after an update of the first role',
        run: () => bench.given('broker.writeRole', { path: { name: first }, body: { vhosts: place.allRights } }),
        changes: ['read of the first role', 'new users of the first role'],
      },
      { what: 'after another role was made', run: () => bench.given('broker.writeRole', { path: { name: another }, body: {} }) },
      { what: 'after the connection was written again', run: () => bench.given('broker.writeConnection', { body: place.connection }) },
      {
        what: 'after the lease settings were changed',
        run: () => bench.given('broker.writeLease', { body: { ttl: 900, max_ttl: 1800 } }),
        changes: ['new users of the first role', 'new users of the second role'],
      },
      { what: 'after the other role was deleted', run: () => bench.given('broker.deleteRole', { path: { name: another } }) },
      {
        what: 'after the second role was deleted',
        run: async () => {
          await bench.given('broker.deleteRole', { path: { name: second } })
          await bench.given('broker.writeRole', { path: { name: second }, body: { vhosts: place.allRights, tags: 'management' } })
        },
        // What becomes of the users of a role that is deleted is not said.
        changes: ['user of the second role'],
      },
    ],
  }
})

apart(
  'broker/neighbours-leases',
  'BROKER-APART-01',
  'the end of one lease leaves the users of the others as they are',
  needs({ features: ['leases'] }),
  async ({ bench }) => {
    const place = await placeFor(bench)
    const role = await place.role({ tags: 'monitoring' })
    const credentials: Credential[] = []
    for (let count = 0; count < 4; count += 1) credentials.push(await place.credential(role))
    const [first, second] = [credentials[0]!, credentials[2]!]
    const gone = async (credential: Credential) => {
      await bench.leases.revoke(credential.lease)
      await bench.eventually(async () => !(await place.login(credential)), { because: 'the credential of the lease logs in no more' })
    }
    return {
      views: Object.fromEntries(credentials.map((credential, index) => [`user ${index}`, user(place, credential)])),
      steps: [
        { what: 'after the first lease was revoked', run: () => gone(first), changes: ['user 0'] },
        { what: 'after the third lease was revoked', run: () => gone(second), changes: ['user 2'] },
      ],
    }
  },
)

apart(
  'broker/neighbours-mounts',
  'BROKER-APART-01',
  'what happens in one mount does not show in another',
  needs({ features: ['mounts'] }),
  async ({ bench }) => {
    const [here, there] = [await bench.mount('broker'), await bench.mount('broker')]
    const [place, beside] = [await placeFor(bench, { mount: here }), await placeFor(bench, { mount: there })]
    await bench.given('broker.writeLease', { body: { ttl: 600, max_ttl: 1200 }, mount: here })
    const role = await place.role({ tags: 'monitoring' })
    return {
      views: { role: read(bench, role, here), 'new users of the role': made(bench, place, role, { mount: here }) },
      steps: [
        {
          what: 'after the other got other lease settings',
          run: () => bench.given('broker.writeLease', { body: { ttl: 300, max_ttl: 3600 }, mount: there }),
        },
        {
          what: 'after the other got a role of that name',
          run: () =>
            bench.given('broker.writeRole', { path: { name: role }, body: { vhosts: beside.allRights, tags: 'management' }, mount: there }),
        },
        {
          what: 'after that made a user',
          run: async () => beside.keep(await bench.given('broker.readCreds', { path: { name: role }, mount: there })),
        },
        {
          what: 'after the other was connected by another administrator, who is gone',
          async run() {
            const administrator = await beside.administrator()
            await bench.given('broker.writeConnection', { body: { ...beside.connection, ...administrator }, mount: there })
            await beside.admin.deleteUser(administrator.username)
          },
        },
        { what: 'after that was deleted there', run: () => bench.given('broker.deleteRole', { path: { name: role }, mount: there }) },
        {
          what: 'after the other was connected again',
          run: () => bench.given('broker.writeConnection', { body: beside.connection, mount: there }),
        },
      ],
    }
  },
)
