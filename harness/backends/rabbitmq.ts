/** RabbitMQ with its management plugin: a container or Debian's package. */
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { request } from 'undici'
import { removeBrokerLeftovers } from '../oracles/rabbitmq-management.ts'
import { handleOf } from './addresses.ts'
import { findProgram, versionedFolders } from './binaries.ts'
import { containerProvider } from './containers.ts'
import { randomPassword } from './passwords.ts'
import { createInstance, freePort, type Instance, whenReady } from './private-instance.ts'
import type { Address, Provider, ServiceKind, StartContext, Started } from './provider.ts'

const ADMIN = 'assay'
const DEADLINE = 90_000
const EPMD_DEADLINE = 15_000
const MANAGEMENT_PORT = 15_672

const managementPort = (address: Address): string => address.extra.managementPort ?? String(MANAGEMENT_PORT)

const REACH_DEADLINE = 5000

/** Resolves once something listens there. */
const reach = (port: number, host = '127.0.0.1'): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: REACH_DEADLINE }, () => {
      socket.destroy()
      resolve()
    })
    socket.once('timeout', () => socket.destroy(new Error(`nothing answers at ${host}:${port}`)))
    socket.once('error', reject)
  })

const ping = async (address: Address): Promise<string> => {
  const answer = await request(`http://${address.host}:${managementPort(address)}/api/overview`, {
    headers: { authorization: `Basic ${Buffer.from(`${address.username}:${address.password}`).toString('base64')}` },
    headersTimeout: 5000,
    bodyTimeout: 5000,
  })
  const body = (await answer.body.json()) as { rabbitmq_version?: string }
  if (answer.statusCode !== 200) throw new Error(`the management interface answered ${answer.statusCode}`)
  // The broker itself listens last, and ends where it cannot.
  await reach(address.port, address.host)
  address.extra.managementPort = managementPort(address)
  address.extra.targetManagementPort ??= address.extra.managementPort
  return body.rabbitmq_version ?? 'unknown'
}

/** The versioned script: the one in PATH insists on the package's own user. */
const serverScript = (): string | undefined => {
  const folders = versionedFolders('/usr/lib/rabbitmq/lib', /^rabbitmq_server-/).map((folder) => join(folder, 'sbin'))
  return folders.map((folder) => findProgram('rabbitmq-server', [folder])).find((path) => path !== undefined)
}

const configuration = (listen: string, ports: Ports, password: string): string =>
  [
    `listeners.tcp.1 = ${listen}:${ports.amqp}`,
    `management.tcp.ip = ${listen}`,
    `management.tcp.port = ${ports.management}`,
    `default_user = ${ADMIN}`,
    `default_pass = ${password}`,
    'loopback_users = none',
    'log.console = false',
    'log.file = false',
    'disk_free_limit.absolute = 1MB',
    // Statistics only slow the management interface down here; permissions and users are not statistics.
    'management_agent.disable_metrics_collector = true',
    '',
  ].join('\n')

interface Ports {
  amqp: number
  management: number
  epmd: number
  distribution: number
}

const environmentOf = (instance: Instance, ports: Ports): Record<string, string> => ({
  ERL_EPMD_PORT: String(ports.epmd),
  ERL_EPMD_ADDRESS: '127.0.0.1',
  // An address instead of a name: nothing has to resolve.
  RABBITMQ_NODENAME: `assay-${ports.amqp}@127.0.0.1`,
  RABBITMQ_USE_LONGNAME: 'true',
  RABBITMQ_CONFIG_FILE: join(instance.folder, 'rabbitmq.conf'),
  RABBITMQ_CONF_ENV_FILE: join(instance.folder, 'no-env.conf'),
  RABBITMQ_ENABLED_PLUGINS_FILE: join(instance.folder, 'enabled_plugins'),
  RABBITMQ_MNESIA_BASE: instance.subfolder('mnesia'),
  RABBITMQ_LOG_BASE: instance.subfolder('log'),
  RABBITMQ_PID_FILE: join(instance.folder, 'server.pid'),
  RABBITMQ_DIST_PORT: String(ports.distribution),
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+sbwt none -start_epmd false -kernel inet_dist_use_interface {127,0,0,1}',
})

const start = async (context: StartContext): Promise<Started> => {
  const script = serverScript()
  const epmd = findProgram('epmd')
  if (script === undefined || epmd === undefined) throw new Error('no rabbitmq-server with epmd on this machine')
  const instance = createInstance('rabbitmq', context.journal)
  try {
    const password = randomPassword()
    const ports: Ports = { amqp: await freePort(), management: await freePort(), epmd: await freePort(), distribution: await freePort() }
    const listen = context.targetHost === undefined ? '127.0.0.1' : '0.0.0.0'
    const write = (name: string, content: string): void => {
      writeFileSync(join(instance.folder, name), content, { mode: 0o600 })
      instance.own(join(instance.folder, name))
    }
    write('rabbitmq.conf', configuration(listen, ports, password))
    write('enabled_plugins', '[rabbitmq_management].\n')
    // Left to itself the node would start a daemon that outlives it, also where it finds ours not up yet.
    const mapper = instance.serve(epmd, ['-port', String(ports.epmd), '-address', '127.0.0.1'])
    await whenReady(() => reach(ports.epmd), { server: mapper, signal: context.signal, within: EPMD_DEADLINE, what: 'epmd' })
    const server = instance.serve(script, [], { env: environmentOf(instance, ports) })
    const address: Address = {
      host: '127.0.0.1',
      port: ports.amqp,
      username: ADMIN,
      password,
      extra: { managementPort: String(ports.management) },
    }
    if (context.targetHost !== undefined) address.targetHost = context.targetHost
    const version = await whenReady(() => ping(address), { server, signal: context.signal, within: DEADLINE, what: 'RabbitMQ' })
    return { handle: handleOf('rabbitmq', 'local', address, version), stop: instance.remove }
  } catch (error) {
    await instance.remove()
    throw error
  }
}

const local: Provider = {
  deadline: DEADLINE,
  find: async () => {
    const script = serverScript()
    return script === undefined ? { available: false, detail: 'no rabbitmq-server on this machine' } : { available: true, detail: script }
  },
  start,
}

const image = { published: 'rabbitmq:3-management-alpine' }

export const rabbitmq: ServiceKind = {
  name: 'rabbitmq',
  port: 5672,
  ping,
  image,
  providers: {
    docker: containerProvider({
      name: 'rabbitmq',
      image,
      port: 5672,
      morePorts: [MANAGEMENT_PORT],
      environment: (password) => ({ RABBITMQ_DEFAULT_USER: ADMIN, RABBITMQ_DEFAULT_PASS: password }),
      address: (host, ports, password) => ({
        host,
        port: ports.get(5672)!,
        username: ADMIN,
        password,
        extra: { managementPort: String(ports.get(MANAGEMENT_PORT)) },
      }),
      ping,
    }),
    local,
  },
  removeLeftovers: removeBrokerLeftovers,
  packages: ['rabbitmq-server'],
  remedy: 'apt-get install rabbitmq-server, or start Docker, or name one in backends.rabbitmq',
}
