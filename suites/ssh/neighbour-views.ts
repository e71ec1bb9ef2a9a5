/** How things of this engine are seen, in a mount of the check's own or another: for the checks of neighbours. */
import { type Bench, sshOracle, type View } from '../../harness/checks/index.ts'
import { entries, request } from './fixtures.ts'

export const [INSIDE, OUTSIDE] = ['10.1.2.3', '172.16.1.1']

const at = (mount: string | undefined) => (mount === undefined ? {} : { mount })

/** What a signature for a user holds, or the status of its refusal. */
export const signs =
  (bench: Bench, role: string, user: string, mount?: string): View =>
  async () => {
    const answer = await bench.call('ssh.signKey', { path: { name: role }, body: request(user), ...at(mount) })
    if (!answer.ok) return 'refused'
    const { keyId, principals, extensions, criticalOptions, signer } = await sshOracle.readCertificate(String(answer.data.signed_key))
    return { keyId, principals, extensions, criticalOptions, signer }
  }

/** Asks for a password of a role. */
export const issue = (bench: Bench, name: string, ip = INSIDE, mount?: string) =>
  bench.call('ssh.createCredential', { path: { name }, body: { ip }, ...at(mount) })

/** Whether a role gives a password for an address. */
export const gives =
  (bench: Bench, role: string, ip: string, mount?: string): View =>
  async () =>
    (await issue(bench, role, ip, mount)).ok

/** Passwords of a role that were issued beforehand: each look uses one up. */
export const passwords = async (bench: Bench, role: string, looks: number, mount?: string): Promise<View> => {
  const stock: string[] = []
  for (let count = 0; count < looks; count += 1) {
    const { data } = await bench.given('ssh.createCredential', { path: { name: role }, body: { ip: INSIDE }, ...at(mount) })
    stock.push(String(data.key))
  }
  return async () => {
    const { ok, data } = await bench.call('ssh.verifyOtp', { body: { otp: stock.shift() ?? '' }, as: 'none', ...at(mount) })
    return ok ? { ip: data.ip, username: data.username } : 'refused'
  }
}

/** The names of the zero-address list. */
export const zeroList =
  (bench: Bench, mount?: string): View =>
  async () => {
    const { ok, data } = await bench.call('ssh.readZeroAddress', at(mount))
    return ok ? entries(data.roles) : 'none'
  }
