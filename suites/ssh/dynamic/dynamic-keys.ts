/** Roles whose keys are installed on the host, the credentials that they issue, and what these open. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Bench, type JsonObject, type SshKeyPair, sshOracle } from '../../../harness/checks/index.ts'
import { roleWith } from '../fixtures.ts'
import { login } from '../host.ts'
import { hasInstalled, ownScript, unlessCalledOtherwise } from './own-script.ts'

/** Needs of a check that has the target's own script run: a host that is made for it, where it may be root. */
export const onOwnHost = { needs: { backends: ['sshd', 'sshd/users'] } }

/** The accounts of such a host. */
export const usersOf = (bench: Bench): string[] => bench.backend('sshd').extra.users!.split(',')

/** Registers a private key under a fresh name; without one, that of the host's administrator. */
export const registeredKey = async (bench: Bench, privateKey = bench.backend('sshd').extra.adminKey ?? ''): Promise<string> => {
  const name = bench.mixedName('key')
  await bench.given('ssh.writeKey', { path: { name }, body: { key: privateKey } })
  return name
}

/** A line of the administrator's key: from behind the middle, where neither RSA keys nor others have anything public. */
export const administratorsLine = (bench: Bench): string => {
  const lines = (bench.backend('sshd').extra.adminKey ?? '').trim().split('\n').slice(1, -1)
  return lines[Math.floor(lines.length * 0.6)] ?? bench.blocked('the key of the administrator is not known', 'give extra.adminKey')
}

/** Parameters of a role that installs keys for the host's administrator by a script of ours, with a key that the host knows. */
export const dynamicFields = async (bench: Bench, fields: JsonObject = {}): Promise<JsonObject> => {
  const { username, targetHost, targetPort } = bench.backend('sshd')
  return {
    key_type: 'dynamic',
    key: typeof fields.key === 'string' ? fields.key : await registeredKey(bench),
    admin_user: username,
    default_user: username,
    cidr_list: `${targetHost}/32`,
    port: targetPort,
    key_bits: 2048,
    install_script: ownScript(bench),
    ...fields,
  }
}

/** The same without a script, for which the target has one built in, for an account of a host that is made for it. */
export const builtInFields = async (bench: Bench, user: string, fields: JsonObject = {}): Promise<JsonObject> => {
  const { install_script: _, ...others } = await dynamicFields(bench, fields)
  return { ...others, default_user: user }
}

export const dynamicRole = async (bench: Bench, fields: JsonObject = {}): Promise<string> =>
  roleWith(bench, await dynamicFields(bench, fields))

// Install scripts need not allow for one another: two that rewrite the same file at once may lose a line. By host and for the whole
// process: checks of several runs share it.
const installing = new Map<string, Promise<unknown>>()
// The login of a user waits too: a script of the target may rewrite the file in place.
const alone = <T>(bench: Bench, work: () => Promise<T>): Promise<T> => {
  const { host, port } = bench.backend('sshd')
  const turn = (installing.get(`${host}:${port}`) ?? Promise.resolve()).then(work)
  installing.set(
    `${host}:${port}`,
    turn.catch(() => undefined),
  )
  return turn
}

const leaseOf = (answer: Answer): string => String((answer.body as JsonObject | undefined)?.lease_id ?? '')

/** Ends a credential, which takes its key off the host. */
export const endCredential = (bench: Bench, answer: Answer): Promise<void> => alone(bench, () => bench.leases.revoke(leaseOf(answer)))

/** Milliseconds after which a credential is left to its mount: others may hold the host for long. */
const LEFT_TO_MOUNT = 30_000

/** Asks for a credential for the host; what is issued ends with the check, or with its mount. */
export const askForKey = async (bench: Bench, name: string, body: JsonObject = {}): Promise<Answer> => {
  const ip = bench.backend('sshd').targetHost
  const answer = await alone(bench, () => bench.call('ssh.createCredential', { path: { name }, body: { ip, ...body } }))
  if (typeof answer.data.key === 'string') bench.secret(answer.data.key)
  if (!answer.ok) await unlessCalledOtherwise(bench)
  if (answer.ok && leaseOf(answer) !== '')
    bench.defer(() => Promise.race([endCredential(bench, answer).catch(() => undefined), sleep(LEFT_TO_MOUNT, undefined, { ref: false })]))
  return answer
}

/** The key of a credential, with its public half. */
export const issuedPair = (answer: Answer): SshKeyPair => sshOracle.keyPairOf(String(answer.data.key))

interface Session {
  user?: string
  command?: string
}

/** A file of the host that has an issued key and that its sshd does not read for a user. */
const unreadFileWith = async (bench: Bench, { publicKey }: SshKeyPair, user: string): Promise<string | undefined> => {
  const host = bench.backend('sshd')
  const places = '"$HOME/.ssh" /home/*/.ssh /root/.ssh /etc/ssh /usr/local/etc/ssh'
  const found = await sshOracle.onHost(host, `grep -rlsF '${publicKey.split(' ')[1]}' ${places}; true`)
  const read = ['', host.extra.adminKeys, `/home/${user}/.ssh/authorized_keys`]
  return found.split('\n').find((path) => !read.includes(path))
}

/**
 * Tries a session with an issued key, by default the administrator's. Where it is refused because a script of the target has installed the key in a
 * file that this sshd does not read, the check is blocked: other hosts may read it.
 */
export const loginWith = async (bench: Bench, answer: Answer, { user, command }: Session = {}) => {
  const { username } = bench.backend('sshd')
  const pair = issuedPair(answer)
  const account = user ?? username
  const more = command === undefined ? {} : { command }
  const attempt = () => login(bench, { privateKey: pair.privateKey, user: account, ...more })
  const outcome = await (account === username ? attempt() : alone(bench, attempt))
  if (outcome.accepted) {
    if (account === username) hasInstalled(bench)
    return outcome
  }
  await unlessCalledOtherwise(bench)
  const file = await unreadFileWith(bench, pair, account)
  if (file === undefined) return outcome
  return bench.blocked(`the target has installed the key in ${file}, which this sshd does not read`, 'name in backends.sshd one that does')
}
