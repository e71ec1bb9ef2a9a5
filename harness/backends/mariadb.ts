/** MariaDB: a container or Debian's binaries. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RowDataPacket } from 'mysql2/promise'
import { mariadbPlace, removeMariadbLeftovers } from '../oracles/mysql-judge.ts'
import { handleOf } from './addresses.ts'
import { findProgram } from './binaries.ts'
import { containerProvider } from './containers.ts'
import { randomPassword } from './passwords.ts'
import { createInstance, freePort, whenReady } from './private-instance.ts'
import type { Address, Provider, ServiceKind, StartContext, Started } from './provider.ts'

const ADMIN = 'assay'
const DEADLINE = 30_000

const ping = async (address: Address): Promise<string> => {
  const { createConnection } = (await import('mysql2/promise')).default
  const connection = await createConnection({
    host: address.host,
    port: address.port,
    user: address.username,
    password: address.password,
    connectTimeout: 5000,
  })
  try {
    const [rows] = await connection.query<RowDataPacket[]>('SELECT VERSION() AS version')
    return String(rows[0]?.version ?? 'unknown')
  } finally {
    connection.destroy()
  }
}

const programs = (): { install: string; server: string } | undefined => {
  const install = findProgram('mariadb-install-db')
  const server = findProgram('mariadbd')
  return install === undefined || server === undefined ? undefined : { install, server }
}

/** Run at the first start: an administrator of ours, and no account without a password. One statement a line. */
const firstStatements = (password: string): string =>
  [
    "DELETE FROM mysql.global_priv WHERE User IN ('', 'root');",
    'FLUSH PRIVILEGES;',
    `CREATE USER '${ADMIN}'@'%' IDENTIFIED BY '${password}';`,
    `GRANT ALL PRIVILEGES ON *.* TO '${ADMIN}'@'%' WITH GRANT OPTION;`,
    '',
  ].join('\n')

const start = async (context: StartContext): Promise<Started> => {
  const found = programs()
  if (found === undefined) throw new Error('no mariadbd on this machine')
  const instance = createInstance('mariadb', context.journal)
  try {
    const password = randomPassword()
    const data = instance.subfolder('data')
    const first = join(instance.folder, 'first.sql')
    writeFileSync(first, firstStatements(password), { mode: 0o600 })
    instance.own(first)
    const install = [
      '--no-defaults',
      `--datadir=${data}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      '--force',
      '--skip-name-resolve',
    ]
    await instance.run(found.install, install, { signal: context.signal })
    const port = await freePort()
    const server = instance.serve(found.server, [
      '--no-defaults',
      `--datadir=${data}`,
      `--socket=${join(instance.folder, 'server.sock')}`,
      `--pid-file=${join(instance.folder, 'server.pid')}`,
      `--init-file=${first}`,
      `--port=${port}`,
      `--bind-address=${context.targetHost === undefined ? '127.0.0.1' : '0.0.0.0'}`,
      '--skip-name-resolve',
      '--max-connections=1000',
      '--innodb-buffer-pool-size=32M',
      '--innodb-flush-log-at-trx-commit=0',
      '--skip-log-bin',
      '--log-warnings=0',
    ])
    const address: Address = { host: '127.0.0.1', port, username: ADMIN, password, extra: {} }
    if (context.targetHost !== undefined) address.targetHost = context.targetHost
    const version = await whenReady(() => ping(address), { server, signal: context.signal, within: DEADLINE, what: 'MariaDB' })
    return { handle: handleOf('mariadb', 'local', address, version), stop: instance.remove }
  } catch (error) {
    await instance.remove()
    throw error
  }
}

const local: Provider = {
  deadline: DEADLINE,
  find: async () => {
    const found = programs()
    return found === undefined ? { available: false, detail: 'no mariadbd on this machine' } : { available: true, detail: found.server }
  },
  start,
}

const image = { published: 'mariadb:11' }

export const mariadb: ServiceKind = {
  name: 'mariadb',
  port: 3306,
  ping,
  image,
  providers: {
    docker: containerProvider({
      name: 'mariadb',
      image,
      port: 3306,
      environment: (password) => ({ MARIADB_ROOT_PASSWORD: password, MARIADB_ROOT_HOST: '%' }),
      command: ['--max-connections=1000', '--skip-name-resolve'],
      memory: ['/var/lib/mysql'],
      address: (host, ports, password) => ({ host, port: ports.get(3306)!, username: 'root', password, extra: {} }),
      ping,
    }),
    local,
  },
  removeLeftovers: removeMariadbLeftovers,
  sqlPlace: mariadbPlace,
  packages: ['mariadb-server'],
  remedy: 'apt-get install mariadb-server, or start Docker, or name one in backends.mariadb',
}
