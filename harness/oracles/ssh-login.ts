/** Real logins: OpenSSH's client against the sshd that the provider chain gave, which is told over its administrator's key whom to trust. */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BackendHandle } from '../base/backend-handle.ts'
import { useCredentials } from '../base/credential-guard.ts'
import { type Ended, runProgram } from './programs.ts'

export interface SshLogin {
  /** Private key as text. */
  privateKey: string
  /** Certificate of that key, as a line. */
  certificate?: string
  /** Default the backend's own user. */
  user?: string
  /** Default prints a word. */
  command?: string
}

export interface LoginOutcome {
  accepted: boolean
  /** What the remote command printed. */
  output: string
  /** What the client says about a refusal. */
  message: string
}

/** Printed by the default command, so that a session and a banner cannot be mixed up. */
const WORD = 'assay-session'

const OPTIONS = [
  'BatchMode=yes',
  'IdentitiesOnly=yes',
  'IdentityAgent=none',
  'LogLevel=ERROR',
  'ConnectTimeout=10',
  'PreferredAuthentications=publickey',
  'CASignatureAlgorithms=+ssh-rsa',
]

const optionArguments = (options: string[]): string[] => ['-F', 'none', ...[...OPTIONS, ...options].flatMap((option) => ['-o', option])]

const inFolder = async <T>(work: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-ssh-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const ending = (text: string): string => `${text.trim()}\n`

/** Writes key and certificate where the client looks for them; returns the client's arguments. */
const identity = async (folder: string, login: Pick<SshLogin, 'privateKey' | 'certificate'>): Promise<string[]> => {
  useCredentials(login.privateKey)
  const key = join(folder, 'key')
  await writeFile(key, ending(login.privateKey), { mode: 0o600 })
  if (login.certificate === undefined) return ['-i', key]
  await writeFile(`${key}-cert.pub`, ending(login.certificate))
  return ['-i', key, '-o', `CertificateFile=${key}-cert.pub`]
}

const connect = (backend: BackendHandle, login: SshLogin, command: string, input?: string): Promise<Ended> =>
  inFolder(async (folder) => {
    const known = join(folder, 'known_hosts')
    await writeFile(known, `[${backend.host}]:${backend.port} ${backend.extra.hostKey}\n`)
    const args = [
      ...optionArguments([`UserKnownHostsFile=${known}`, 'GlobalKnownHostsFile=none', 'StrictHostKeyChecking=yes']),
      ...(await identity(folder, login)),
      ...['-p', String(backend.port), '-l', login.user ?? backend.username, backend.host, command],
    ]
    return runProgram('ssh', args, input === undefined ? {} : { input })
  })

/** Tries to open a session. A connection that fails for another reason than a refusal throws. */
export const sshLogin = async (backend: BackendHandle, login: SshLogin): Promise<LoginOutcome> => {
  const ended = await connect(backend, login, login.command ?? `echo ${WORD}`)
  const refused =
    ended.code === 255 && /Permission denied|Too many authentication failures|invalid format|error in libcrypto/.test(ended.stderr)
  if (ended.code === 255 && !refused) throw new Error(`no connection to sshd: ${ended.stderr.trim().slice(0, 400)}`)
  return { accepted: !refused && ended.code !== -1, output: ended.stdout, message: ended.stderr.trim() }
}

/** Runs a shell program on the host with the administrator's key. @throws where it fails */
export const onSshHost = async (backend: BackendHandle, program: string): Promise<string> => {
  const ended = await connect(backend, { privateKey: backend.extra.adminKey ?? '' }, 'sh', program)
  if (ended.code !== 0) throw new Error(`the host of sshd answered ${ended.code}: ${ended.stderr.trim().slice(0, 400)}`)
  return ended.stdout
}

/**
 * Makes the host trust a CA, given as a public key's line, for certificates that name one of `principals`.
 * Principals are added for good: callers use names of their own. Returns what takes the trust in the CA back.
 */
export const trustCa = async (backend: BackendHandle, ca: string, principals: string[]): Promise<() => Promise<void>> => {
  const { trustedCas, principals: file } = backend.extra
  const names = principals.map((name) => `echo '${name.replaceAll("'", '')}' >> '${file}'`)
  // Of several callers that trust the same CA each takes its own line away.
  const line = `${ca.trim().split(/\s+/).slice(0, 2).join(' ')} ${randomUUID()}`
  // A line that is added while the file is rewritten would be lost, and a half-written file trusts too little.
  const locked = [`exec 9>> '${trustedCas}.lock'`, 'flock 9']
  await onSshHost(backend, [...locked, `echo '${line}' >> '${trustedCas}'`, ...names].join('\n'))
  return async () => {
    const others = `grep -vxF '${line}' '${trustedCas}' > '${trustedCas}.new' || true`
    await onSshHost(backend, [...locked, others, `mv '${trustedCas}.new' '${trustedCas}'`].join('\n'))
  }
}

export interface HostCertificateLogin {
  /** The server's private key and its certificate. */
  privateKey: string
  certificate: string
  /** The only thing that the client trusts. */
  ca: string
  /** The name under which the client looks for the server. */
  hostName: string
}

/**
 * Starts a second sshd on the backend's host, for one connection that passes through a session of the administrator, with a host
 * certificate; tells whether a client that trusts only the CA accepts it under a name.
 */
export const hostCertificateAccepted = (backend: BackendHandle, login: HostCertificateLogin): Promise<boolean> =>
  inFolder(async (folder) => {
    useCredentials(login.privateKey, backend.extra.adminKey)
    const remote = (await onSshHost(backend, 'mktemp -d')).trim()
    const put = (name: string, text: string): string =>
      `umask 077; echo '${Buffer.from(ending(text)).toString('base64')}' | base64 -d > '${remote}/${name}'`
    const configuration = [
      `HostKey ${remote}/host`,
      `HostCertificate ${remote}/host-cert.pub`,
      `AuthorizedKeysFile ${backend.extra.adminKeys}`,
      'StrictModes no',
      'UsePAM no',
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PidFile none',
    ].join('\n')
    const files = [put('host', login.privateKey), put('host-cert.pub', login.certificate), put('config', configuration)]
    await onSshHost(backend, files.join('\n'))
    try {
      const admin = join(folder, 'admin')
      const known = join(folder, 'known_hosts')
      const authority = join(folder, 'authority')
      await writeFile(admin, ending(backend.extra.adminKey ?? ''), { mode: 0o600 })
      await writeFile(known, `[${backend.host}]:${backend.port} ${backend.extra.hostKey}\n`)
      await writeFile(authority, `@cert-authority * ${login.ca.trim()}\n`)
      const quiet = optionArguments([`UserKnownHostsFile=${known}`, 'GlobalKnownHostsFile=none', 'StrictHostKeyChecking=yes'])
      const way = ['ssh', ...quiet, '-i', admin, '-p', backend.port, '-l', backend.username, backend.host]
      const proxy = `${way.join(' ')} exec ${backend.extra.sshd} -i -f ${remote}/config`
      const strict = [`UserKnownHostsFile=${authority}`, 'GlobalKnownHostsFile=none', 'StrictHostKeyChecking=yes', `ProxyCommand=${proxy}`]
      const args = [...optionArguments(strict), '-i', admin, '-l', backend.username, login.hostName, `echo ${WORD}`]
      const ended = await runProgram('ssh', args)
      if (ended.code === 0 && ended.stdout.includes(WORD)) return true
      if (/Host key verification failed|No .* host key is known|REMOTE HOST IDENTIFICATION|Certificate invalid/i.test(ended.stderr))
        return false
      throw new Error(`no connection through sshd: ${ended.stderr.trim().slice(0, 400)}`)
    } finally {
      await onSshHost(backend, `rm -rf '${remote}'`)
    }
  })
