/** Every judge of effects says what it uses as a credential, before it uses it. */
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { sqlPlace } from '../backends/sql-place.ts'
import type { BackendHandle } from '../base/backend-handle.ts'
import { keepingSecrets } from '../base/credential-guard.ts'
import { amqpLogin, amqpMay } from './amqp.ts'
import { brokerAdmin } from './rabbitmq-management.ts'
import { sshOracle } from './ssh.ts'
import { handshakeProblem } from './tls-handshake.ts'
import { ownCertificate, privateKeyForm, publicKeyOf, strayKey } from './x509-requests.ts'

const PASSWORD = 'Zk3mPq9LwX71vBtR'
const ADMIN = 'Hs8dKf2LqW04nMxY'
const PEM = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'sec1', format: 'pem' }).toString()
const DER = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'der' })

/** A backend that is not there: the credentials used are still noted. */
const absent = (name: string): BackendHandle => ({
  name,
  provider: 'external',
  host: '127.0.0.1',
  port: 1,
  targetHost: '127.0.0.1',
  targetPort: 1,
  username: 'admin',
  password: ADMIN,
  version: '1',
  extra: { managementPort: '1', adminKey: PEM, hostKey: 'ssh-ed25519 AAAA' },
})
const user = { username: 'u', password: PASSWORD, vhost: 'v' }
const counted = { count: () => undefined }

/** What was said while some work was done, whatever came of it. */
const saidBy = async (work: () => unknown): Promise<string[]> => {
  const said: string[] = []
  const keeper = { add: (value: string) => void said.push(value), redact: (text: string) => text }
  await keepingSecrets(keeper, async () => void (await work())).catch(() => undefined)
  return said
}

test.each<[string, () => unknown, string[]]>([
  ['an AMQP login', () => amqpLogin(absent('rabbitmq'), user), [PASSWORD]],
  ['a right over AMQP', () => amqpMay(absent('rabbitmq'), user, { declare: 'q' }), [PASSWORD]],
  ['an administrator of the broker', () => brokerAdmin(absent('rabbitmq')).createAdministrator('a', PASSWORD), [PASSWORD, ADMIN]],
  ['a database of PostgreSQL', () => sqlPlace(absent('postgres'), 'place', PASSWORD), [PASSWORD, ADMIN]],
  ['a database of MariaDB', () => sqlPlace(absent('mariadb'), 'place', PASSWORD), [PASSWORD, ADMIN]],
  ['an SSH login', () => sshOracle.login(absent('sshd'), { privateKey: PEM }), [PEM]],
  ['a program on the SSH host', () => sshOracle.onHost(absent('sshd'), ':'), [PEM]],
  [
    'a host certificate',
    () =>
      sshOracle.hostCertificateAccepted(absent('sshd'), { privateKey: DER.toString('base64'), certificate: 'c', ca: 'k', hostName: 'h' }),
    [DER.toString('base64'), PEM],
  ],
  ['the pair of an SSH key', () => sshOracle.keyPairOf(PEM), [PEM]],
  ['a TLS handshake', () => handshakeProblem(counted, { certificates: [], privateKey: PEM, root: '', serverName: 'h' }), [PEM]],
  ['the public half of a key', () => publicKeyOf(PEM), [PEM]],
  ['the form of a key', () => privateKeyForm(DER), [DER.toString('base64')]],
])('%s', async (_, work, expected) => {
  expect(await saidBy(work)).toEqual(expect.arrayContaining(expected))
})

test('keys that are made here', async () => {
  const made: string[] = []
  const said = await saidBy(async () => {
    made.push(strayKey(), (await ownCertificate({ commonName: 'own' })).privateKey)
    made.push(sshOracle.keyPair('ed25519', () => new Uint8Array(32).fill(7)).privateKey, sshOracle.rsaKeyPair(1024).privateKey)
  })
  expect(made).toHaveLength(4)
  expect(said).toEqual(expect.arrayContaining(made))
})
