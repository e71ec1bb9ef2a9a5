/** A virtual host of a check's own, and a broker mount of the target that is connected to it. */
import {
  amqpLogin,
  type Bench,
  brokerAdmin,
  type CheckOptions,
  comesToHold,
  type Json,
  type JsonObject,
} from '../../harness/checks/index.ts'

export interface Credential {
  username: string
  password: string
  lease: string
  /** Seconds. */
  duration: number
}

export interface Place {
  admin: ReturnType<typeof brokerAdmin>
  vhost: string
  /** Body that (re)writes the connection. */
  connection: JsonObject
  /** Rights to everything in the virtual host, as a role's `vhosts`. */
  allRights: string
  role(body?: JsonObject): Promise<string>
  /** Credentials of a role; blocks where there are none. */
  credential(role: string): Promise<Credential>
  keep(answer: { data: JsonObject; body: unknown }): Credential
  /** Another administrator of the broker for the target to use, whose password ends like this; returns the members of a connection. */
  administrator(end?: string): Promise<{ username: string; password: string }>
  /** Whether the broker lets the user in. */
  login(credential: Pick<Credential, 'username' | 'password'>): Promise<boolean>
}

/** `vhosts` and `vhost_topics` are read as JSON text or as the object itself; text that is not JSON stays as it is. */
export const parsed = (value: Json | undefined): unknown => {
  if (typeof value !== 'string') return value ?? {}
  try {
    return value === '' ? {} : JSON.parse(value)
  } catch {
    return value
  }
}

/** The connection and the lease settings belong to the whole mount. */
export const needs = (more: Partial<NonNullable<CheckOptions['needs']>> = {}): CheckOptions => ({
  needs: { backends: ['rabbitmq'], mounts: { broker: { type: 'broker', exclusive: true } }, ...more },
})

const SETTLE_MS = 12_000

export interface PlaceOptions {
  /** Port at which the target finds the management interface instead of its own. */
  port?: number
  /** Credentials are made that nobody hands back: the clean-up waits until their short leases have ended. */
  settle?: boolean
  /** Path of a mount beside the check's own. */
  mount?: string
  /** Leaves the connection to the check. */
  unconnected?: boolean
}

/** Makes the virtual host and an administrator, and connects the mount. */
export const placeFor = async (bench: Bench, options: PlaceOptions = {}): Promise<Place> => {
  const handle = bench.backend('rabbitmq')
  const at = options.mount === undefined ? {} : { mount: options.mount }
  const admin = brokerAdmin(handle)
  // Capital letters and dots are letters of a name like others.
  const vhost = bench.mixedName('vhost')
  const users: string[] = []
  const leases: string[] = []
  bench.defer(async () => {
    for (const lease of leases) await bench.leases.revoke(lease).catch(() => undefined)
    if (options.settle === true) await comesToHold(bench, async () => (await admin.usersOf(vhost)).length === 0, { within: SETTLE_MS })
    for (const user of users) await admin.deleteUser(user)
    await admin.deleteVhost(vhost)
  })
  await admin.createVhost(vhost)
  const administrator = async (end = ''): Promise<{ username: string; password: string }> => {
    const login = { username: bench.fresh('admin'), password: `${bench.canary('admin')}${end}` }
    users.unshift(login.username)
    await admin.createAdministrator(login.username, login.password)
    return login
  }
  const port = options.port ?? handle.extra.targetManagementPort ?? handle.extra.managementPort
  const connection = { connection_uri: `http://${handle.targetHost}:${port}`, ...(await administrator()) }
  const isConnected = options.unconnected === true || (await bench.call('broker.writeConnection', { body: connection, ...at })).ok
  // A target that verifies by the list of all users is refused it now and then, by a broker that removes users meanwhile.
  if (!isConnected) await bench.given('broker.writeConnection', { body: connection, ...at })
  const keep: Place['keep'] = ({ data, body }) => {
    const { lease_id, lease_duration } = body as { lease_id?: unknown; lease_duration?: unknown }
    if (typeof lease_id === 'string' && lease_id !== '') leases.push(lease_id)
    users.push(String(data.username))
    bench.secret(String(data.password))
    return { username: String(data.username), password: String(data.password), lease: String(lease_id), duration: Number(lease_duration) }
  }
  const allRights = JSON.stringify({ [vhost]: { configure: '.*', write: '.*', read: '.*' } })
  return {
    admin,
    vhost,
    connection,
    allRights,
    keep,
    administrator,
    async role(body = {}) {
      const name = bench.mixedName('role')
      await bench.given('broker.writeRole', { path: { name }, body: { vhosts: allRights, ...body }, ...at })
      return name
    },
    credential: async (role) => keep(await bench.given('broker.readCreds', { path: { name: role }, ...at })),
    login: ({ username, password }) => amqpLogin(handle, { username, password, vhost }),
  }
}
