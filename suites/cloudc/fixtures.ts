/** A project of a check's own at the provider, and a mount of the target that administers it. */
import {
  type Answer,
  anotherCaller,
  type Bench,
  type CheckOptions,
  type CloudJudge,
  type CloudPlace,
  cloudJudge,
  cloudPlace,
  comesToHold,
  type IssuedFile,
  issuedFile,
  type JsonObject,
} from '../../harness/checks/index.ts'

export const SCOPE = 'https://www.googleapis.com/auth/cloud-platform'
export const OTHER_SCOPE = 'https://www.googleapis.com/auth/pubsub'
export const THIRD_SCOPE = 'https://www.googleapis.com/auth/logging.read'
export const FOURTH_SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only'

/** How a token is asked for. */
const TOKEN_VERBS = [
  { operation: 'cloudc.readToken', method: 'GET' },
  { operation: 'cloudc.createToken', method: 'POST' },
  { operation: 'cloudc.createToken', method: 'PUT' },
]

/** What tokens with these scopes show of a roleset that gives tokens of its own account. */
export const ownTokens = (scopes: readonly string[]): unknown[] => TOKEN_VERBS.map(() => ({ isOwn: true, scopes: [...scopes].sort() }))

/** The same, of a roleset with the scopes of a good body. */
export const OWN_TOKENS = ownTokens([SCOPE])

/** A role that has upper case in its name. */
export const MIXED_ROLE = 'roles/logging.privateLogViewer'

export const KEYS = { secret_type: 'service_account_key' } as const

export type Bindings = Record<string, string[]>

/** Bindings in block syntax. */
export const blocks = (bindings: Bindings): string =>
  Object.entries(bindings)
    .map(([resource, roles]) => `resource ${JSON.stringify(resource)} {\n  roles = ${JSON.stringify(roles)}\n}`)
    .join('\n')

/** Bindings in JSON. */
export const json = (bindings: Bindings): string =>
  JSON.stringify({ resource: Object.fromEntries(Object.entries(bindings).map(([resource, roles]) => [resource, { roles }])) })

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

export interface Key {
  /** The credentials file. */
  file: string
  facts: IssuedFile
  lease: string
  /** Seconds. */
  duration: number
  answer: Answer
}

export interface Place {
  cloud: CloudPlace
  judge: CloudJudge
  /** Names of the resources there are; the last is of mixed case. */
  resources: { project: string; alpha: string; beta: string; gamma: string }
  /** The same project as another mount of the target sees it. */
  in(mount: string): Place
  /** A good body of a roleset. */
  body(more?: JsonObject): JsonObject
  /** A name that is cleaned up. */
  name(given?: string): string
  /** Makes a roleset and returns its name; blocks where that fails. */
  roleset(more?: JsonObject, name?: string): Promise<string>
  /** Makes a roleset for keys. */
  keyRoleset(more?: JsonObject, name?: string): Promise<string>
  read(name: string): Promise<Answer>
  /** E-mail address of a roleset's account, as the target says. */
  email(name: string): Promise<string>
  /** What an account may do at the provider: roles by relative resource name, without resources on which it has none. */
  rights(email: string): Promise<Bindings>
  /** Addresses of the accounts at the provider that the target made. */
  accounts(): Promise<string[]>
  /** The same, once they are those of the existing rolesets, or the grace time is over: providers may show changes late. */
  settled(): Promise<string[]>
  /** Ids of an account's keys at the provider; undefined for an absent account. */
  keyIds(email: string): Promise<string[] | undefined>
  /** A key of a roleset; blocks where there is none. */
  key(name: string, body?: JsonObject): Promise<Key>
  /** Two keys of a roleset; the second is asked for by somebody else, where the target has such tokens. */
  keys(name: string): Promise<Key[]>
  /** What an answer with a key holds. */
  keyIn(answer: Answer): Key
  token(name: string): Promise<Answer>
  /** Of a token by each verb: whether it is one of the roleset's account, and its scopes; the status where there is none. */
  tokens(name: string): Promise<unknown[]>
  /** Asserts that a key comes to log in. */
  logsIn(key: Pick<Key, 'file'>, what: string): Promise<void>
}

/** Configuration belongs to the whole mount. */
export const needs = (more: Partial<NonNullable<CheckOptions['needs']>> = {}): CheckOptions => ({
  needs: { backends: ['clouds'], mounts: { cloudc: { type: 'cloudc', exclusive: true } }, ...more },
})

/** What the data of a key decode to. */
export const decodedFile = (answer: Answer): string => Buffer.from(String(answer.data.private_key_data), 'base64').toString('utf8')

/** What a credentials file is about; undefined where it is none. */
export const factsOf = (file: string): IssuedFile | undefined => {
  try {
    return issuedFile(file)
  } catch {
    return undefined
  }
}

/** The name of a resource below its service, from its name or a self-link. */
export const relative = (name: string): string => name.replace(/^\/\/[a-z.]+\/|^https:\/\/[a-z.]+\/v1\//, '')

/** What the bindings stand for at the provider. */
export const rightsFor = (bindings: Bindings): Bindings => {
  const rights: Bindings = {}
  for (const [resource, roles] of Object.entries(bindings))
    rights[relative(resource)] = [...new Set([...(rights[relative(resource)] ?? []), ...roles])].sort()
  return rights
}

const lookers = (cloud: CloudPlace): Pick<Place, 'rights' | 'accounts' | 'keyIds'> => ({
  async rights(email) {
    const { policies } = await cloud.look()
    const held = Object.entries(policies).map(([resource, bindings]): [string, string[]] => [
      resource,
      bindings
        .filter(({ members }) => members.includes(`serviceAccount:${email}`))
        .map(({ role }) => role)
        .sort(),
    ])
    return Object.fromEntries(held.filter(([, roles]) => roles.length > 0))
  },
  accounts: async () => (await cloud.look()).accounts.filter(({ administrator }) => !administrator).map(({ email }) => email),
  keyIds: async (email) => (await cloud.look()).accounts.find((account) => account.email === email)?.keys.map(({ id }) => id),
})

const emailIn = ({ ok, data }: Answer): string[] =>
  ok && typeof data.service_account_email === 'string' ? [data.service_account_email] : []

/** The project as one mount sees it; without one, that which calls go to by default. */
const placeIn = (bench: Bench, cloud: CloudPlace, judge: CloudJudge, mount?: string): Place => {
  const at = mount === undefined ? {} : { mount }
  const names: string[] = []
  bench.defer(async () => {
    for (const name of names) await bench.call('cloudc.deleteRoleset', { ...at, path: { name } })
  })
  const resources = {
    project: `//cloudresourcemanager.googleapis.com/projects/${cloud.id}`,
    alpha: `//pubsub.googleapis.com/projects/${cloud.id}/topics/alpha`,
    beta: `//pubsub.googleapis.com/projects/${cloud.id}/topics/beta`,
    gamma: `//pubsub.googleapis.com/projects/${cloud.id}/topics/Gamma_3.C`,
  }
  const place: Place = {
    cloud,
    judge,
    resources,
    ...lookers(cloud),
    in: (other) => placeIn(bench, cloud, judge, other),
    body: (more = {}) => ({
      secret_type: 'access_token',
      project: cloud.id,
      bindings: blocks({ [resources.project]: ['roles/viewer'] }),
      ...(more.secret_type === 'service_account_key' ? {} : { token_scopes: [SCOPE] }),
      ...more,
    }),
    name(given = bench.mixedName('roleset')) {
      names.push(given)
      return given
    },
    async roleset(more, name = place.name()) {
      await bench.given('cloudc.writeRoleset', { ...at, path: { name }, body: place.body(more) })
      for (const email of emailIn(await place.read(name))) await comesToHold(bench, async () => (await place.accounts()).includes(email))
      return name
    },
    keyRoleset: (more, name) => place.roleset({ ...KEYS, ...more }, name),
    read: (name) => bench.call('cloudc.readRoleset', { ...at, path: { name } }),
    email: async (name) => String((await bench.given('cloudc.readRoleset', { ...at, path: { name } })).data.service_account_email),
    key: async (roleset, body) =>
      place.keyIn(await bench.given('cloudc.createKey', { ...at, path: { roleset }, ...(body === undefined ? {} : { body }) })),
    async keys(roleset) {
      const as = await anotherCaller(bench, ['cloudc.createKey'])
      const others = { ...at, path: { roleset }, ...(as === undefined ? {} : { as }) }
      return [await place.key(roleset), place.keyIn(await bench.given('cloudc.createKey', others))]
    },
    keyIn(answer) {
      const { lease_id, lease_duration } = answer.body as { lease_id?: unknown; lease_duration?: unknown }
      const file = decodedFile(answer)
      bench.secret(file)
      const facts = factsOf(file) ?? bench.blocked('a key came without a credentials file', 'see CLOUDC-KEY-03 first')
      bench.secret(String((JSON.parse(file) as JsonObject).private_key))
      return { file, facts, lease: String(lease_id), duration: Number(lease_duration), answer }
    },
    token: (roleset) => bench.given('cloudc.readToken', { ...at, path: { roleset } }),
    async tokens(roleset) {
      const [email] = emailIn(await place.read(roleset))
      const seen: unknown[] = []
      for (const { operation, method } of TOKEN_VERBS) {
        const answer = await bench.call(operation, { ...at, path: { roleset }, method })
        const info = answer.ok ? await judge.tokenInfo(String(answer.data.token)) : undefined
        seen.push(answer.ok ? { isOwn: info !== undefined && info.email === email, scopes: info?.scopes } : answer.status)
      }
      return seen
    },
    async logsIn({ file }, what) {
      await bench.eventually(async () => (await judge.login(file)) !== undefined, { because: `${what} logs in` })
    },
    async settled() {
      const emails = (await Promise.all(names.map((name) => place.read(name)))).flatMap(emailIn).sort()
      let seen: string[] = []
      await comesToHold(bench, async () => {
        seen = (await place.accounts()).sort()
        return JSON.stringify(seen) === JSON.stringify(emails)
      })
      return seen
    },
  }
  return place
}

/** Makes the project; the mount is as it was, so that its first configuration is what is looked at. */
export const unconfiguredPlace = async (bench: Bench): Promise<Place> => {
  const handle = bench.backend('clouds')
  const cloud = await cloudPlace(handle)
  const judge = cloudJudge(handle)
  bench.defer(async () => {
    bench.count('requests at the cloud gateway', (await cloud.seen()).length)
    await cloud.remove()
    await judge.close()
  })
  const place = placeIn(bench, cloud, judge)
  // Deferred last, so done first: what is deleted then must not meet a failure that was ordered.
  bench.defer(() => cloud.order())
  bench.secret(String((JSON.parse(cloud.credentials) as JsonObject).private_key))
  return place
}

/** Makes the project, and configures the mount with its administrator. */
export const placeFor = async (bench: Bench, config: JsonObject = {}): Promise<Place> => {
  const place = await unconfiguredPlace(bench)
  await bench.given('cloudc.writeConfig', { body: { credentials: place.cloud.credentials, ...config } })
  return place
}
