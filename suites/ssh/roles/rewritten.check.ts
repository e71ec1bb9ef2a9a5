/** Every field of a role counts in an update as it does at creation: switched on and off, filled and emptied, raised and lowered. */
import {
  type Bench,
  type CheckContext,
  type JsonObject,
  rewritten,
  type Setting,
  sshOracle,
  targetNow,
} from '../../../harness/checks/index.ts'
import { caFields, hostRequest, otpFields, ownMount, request, withCa } from '../fixtures.ts'
import { rsaPair } from '../rsa-keys.ts'

/** A field, two values of it, and the requests that they decide. */
type Row = [field: string, one: JsonObject[string], other: JsonObject[string], ...requests: JsonObject[]]

/** What a request for a certificate comes to: a refusal, or what the certificate says but for what no two share; lifetimes in tens of minutes, from now: it may begin before. */
const signature = async (bench: Bench, name: string, body: JsonObject): Promise<unknown> => {
  const asked = targetNow(bench)
  const answer = await bench.call('ssh.signKey', { path: { name }, body })
  if (!answer.ok) return 'refused'
  const { serial: _, validAfter: __, validBefore, ...says } = await sshOracle.readCertificate(String(answer.data.signed_key))
  return { ...says, keyId: says.keyId.replaceAll(name, '<name>'), lifetime: Math.round((validBefore - asked) / 600) }
}

const CA = caFields({
  allow_user_certificates: true,
  allow_host_certificates: true,
  allowed_users: 'ubuntu',
  allowed_domains: 'example.com',
  allow_bare_domains: true,
  allow_subdomains: true,
  max_ttl: '5h',
  allowed_extensions: 'permit-pty',
  allowed_critical_options: 'force-command',
})

/** The requests hold RSA keys, which are made when the check runs. */
const signedRows = (): Row[] => [
  ['allowed_users', 'ubuntu', 'deploy', request('ubuntu'), request('deploy')],
  ['allowed_users', 'ubuntu,deploy', '', request('ubuntu'), request('deploy')],
  ['allow_user_certificates', true, false, request('ubuntu')],
  ['allow_host_certificates', true, false, hostRequest('web.example.com')],
  ['allowed_domains', 'example.com', 'example.net', hostRequest('web.example.com'), hostRequest('web.example.net')],
  ['allow_bare_domains', true, false, hostRequest('example.com')],
  ['allow_subdomains', true, false, hostRequest('web.example.com')],
  ['ttl', '10m', '2h', request('ubuntu'), hostRequest('web.example.com')],
  ['max_ttl', '5h', '1h', { ...request('ubuntu'), ttl: '3h' }, { ...request('ubuntu'), ttl: '1h' }],
  ['allowed_extensions', 'permit-pty', 'permit-user-rc', ...['permit-pty', 'permit-user-rc'].map((one) => withExtension(one))],
  ['default_extensions', { 'permit-pty': '' }, {}, request('ubuntu')],
  ['allowed_critical_options', 'force-command', 'source-address', withCommand()],
  ['default_critical_options', { 'force-command': '/bin/true' }, {}, request('ubuntu')],
  ['allow_user_key_ids', true, false, { ...request('ubuntu'), key_id: 'of-the-caller' }],
  ['key_id_format', 'by-{{role_name}}', 'of-{{role_name}}', request('ubuntu')],
  ['algorithm_signer', 'rsa-sha2-512', 'rsa-sha2-256', request('ubuntu')],
  ['allowed_user_key_lengths', { rsa: 2048 }, { rsa: 3072 }, ...(['user2048', 'user3072'] as const).map((one) => ofKey(one))],
]

function withExtension(name: string): JsonObject {
  return { ...request('ubuntu'), extensions: { [name]: '' } }
}

function withCommand(): JsonObject {
  return { ...request('ubuntu'), critical_options: { 'force-command': '/bin/false' } }
}

function ofKey(name: 'user2048' | 'user3072'): JsonObject {
  return { public_key: rsaPair(name).publicKey, valid_principals: 'ubuntu' }
}

const settings = (
  base: JsonObject,
  rows: readonly Row[],
  look: (name: string, request: JsonObject) => Promise<unknown>,
): readonly Setting[] =>
  rows.map(([field, one, other, ...requests]) => ({
    what: field,
    bodies: [
      { ...base, [field]: one },
      { ...base, [field]: other },
    ],
    async look(name) {
      const seen: unknown[] = []
      for (const body of requests) seen.push(await look(name, body))
      return seen
    },
  }))

rewritten('ssh/ca-role-rewritten', 'SSH-ROLE-02', 'every field of a ca role counts in an update', {
  ...ownMount,
  operations: { write: 'ssh.writeRole', read: 'ssh.readRole' },
  async settings({ bench }: CheckContext) {
    await withCa(bench)
    return settings(CA, signedRows(), (name, body) => signature(bench, name, body))
  },
})

/** What a request for a password comes to: a refusal, or all of the answer's data but the password. */
const password = async (bench: Bench, name: string, body: JsonObject): Promise<unknown> => {
  const answer = await bench.call('ssh.createCredential', { path: { name }, body })
  if (!answer.ok) return 'refused'
  const { key: _, ...says } = answer.data
  return says
}

const [NEAR, FAR] = [{ ip: '10.1.2.3' }, { ip: '10.2.2.3' }]

const ISSUED: Row[] = [
  ['default_user', 'ubuntu', 'deploy', NEAR],
  ['port', 2222, 22, NEAR],
  ['cidr_list', '10.1.0.0/16', '10.2.0.0/16', NEAR, FAR],
  ['cidr_list', '10.1.0.0/16,10.2.0.0/16', '10.2.0.0/16', NEAR, FAR],
  ['exclude_cidr_list', '10.1.0.0/16', '', NEAR, FAR],
  ['exclude_cidr_list', '10.1.0.0/16', '10.2.0.0/16', NEAR, FAR],
  ['allowed_users', 'deploy', '', { ...NEAR, username: 'guest' }, { ...NEAR, username: 'deploy' }],
  ['allowed_users', 'deploy,guest', 'guest', { ...NEAR, username: 'guest' }, { ...NEAR, username: 'deploy' }],
]

rewritten('ssh/otp-role-rewritten', 'SSH-ROLE-02', 'every field of an otp role counts in an update', {
  operations: { write: 'ssh.writeRole', read: 'ssh.readRole' },
  settings: async ({ bench }: CheckContext) =>
    settings(otpFields({ port: 22, exclude_cidr_list: '', allowed_users: '' }), ISSUED, (name, body) => password(bench, name, body)),
})
