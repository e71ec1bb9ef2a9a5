/** What the engine does at the provider: accounts, their keys, their rights. */
import { ProviderRefusal } from '../../clouds/provider-requests.ts'
import { credentialsIn, ProviderLink } from '../../clouds/service-account.ts'
import type { Call } from '../../core/engine.ts'
import { invalid } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import type { CloudcRules } from './rules.ts'
import type { Bindings, CloudcState } from './state.ts'

export type CloudcCall = Call<CloudcState, CloudcRules>

const IAM = 'https://iam.googleapis.com/v1'
/** Others change policies too: so often a change is tried again. */
const ATTEMPTS = 12

interface Policy {
  bindings?: { role: string; members: string[] }[]
  etag?: string
}

/** The connection that fits what the operator says now. */
export const linkOf = ({ state, services, rules }: CloudcCall): ProviderLink => {
  const cloud = rules.wayToProvider(services.operator.cloud)
  const name = `${cloud?.proxy ?? ''} ${cloud?.caPem ?? ''}`
  const link = state.links.get(name) ?? new ProviderLink(cloud)
  state.links.set(name, link)
  return link
}

const ask = async (call: CloudcCall, method: 'GET' | 'POST' | 'DELETE', url: string, body?: JsonObject): Promise<JsonObject> => {
  const { credentials } = call.state.config
  if (credentials === '') throw invalid('no credentials are configured')
  await call.rules.providerReached()
  return linkOf(call).call(credentialsIn(credentials), method, url, call.now(), body)
}

/** What is gone already is gone. */
const unlessGone = async (request: Promise<unknown>): Promise<void> => {
  try {
    await request
  } catch (error) {
    if (!(error instanceof ProviderRefusal && error.providerStatus === 404)) throw error
  }
}

const accountUrl = (email: string): string => `${IAM}/projects/-/serviceAccounts/${encodeURIComponent(email)}`

const changePolicy = async (
  call: CloudcCall,
  resource: string,
  change: (bindings: NonNullable<Policy['bindings']>) => Policy['bindings'],
): Promise<void> => {
  const { getUrl, setUrl, method } = call.rules.policyUrls(resource)
  for (let attempt = 1; ; attempt += 1) {
    const policy = (await ask(call, method, getUrl)) as unknown as Policy
    const bindings = change(policy.bindings ?? [])!.filter(({ members }) => members.length > 0)
    try {
      await ask(call, 'POST', setUrl, { policy: { ...policy, bindings } as unknown as JsonObject })
      return
    } catch (error) {
      if (!(error instanceof ProviderRefusal && error.providerStatus === 409) || attempt === ATTEMPTS) throw error
    }
  }
}

const withMember = (bindings: NonNullable<Policy['bindings']>, roles: string[], member: string): NonNullable<Policy['bindings']> => {
  const missing = roles.filter((role) => !bindings.some((binding) => binding.role === role))
  return [...bindings, ...missing.map((role) => ({ role, members: [] as string[] }))].map(({ role, members }) => ({
    role,
    members: roles.includes(role) && !members.includes(member) ? [...members, member] : members,
  }))
}

/** Each of these throws ProviderRefusal where the provider does not do it. */
export const provider = {
  async createAccount(call: CloudcCall, project: string, accountId: string): Promise<string> {
    const made = await ask(call, 'POST', `${IAM}/projects/${encodeURIComponent(project)}/serviceAccounts`, { accountId })
    return String(made.email)
  },
  deleteAccount: (call: CloudcCall, email: string): Promise<void> => unlessGone(ask(call, 'DELETE', accountUrl(email))),
  /** Name and credentials file of a new key. */
  async createKey(call: CloudcCall, email: string, algorithm: string, type: string): Promise<{ name: string; data: string }> {
    const made = await ask(call, 'POST', `${accountUrl(email)}/keys`, { keyAlgorithm: algorithm, privateKeyType: type })
    return { name: String(made.name), data: String(made.privateKeyData) }
  },
  deleteKey: (call: CloudcCall, name: string): Promise<void> => unlessGone(ask(call, 'DELETE', `${IAM}/${name.replace(/^\/+/, '')}`)),
  grant: (call: CloudcCall, resource: string, roles: string[], email: string): Promise<void> =>
    changePolicy(call, resource, (bindings) => withMember(bindings, roles, `serviceAccount:${email}`)),
  /** Takes every role on a resource from an account. */
  revoke: (call: CloudcCall, resource: string, email: string): Promise<void> =>
    unlessGone(
      changePolicy(call, resource, (bindings) =>
        bindings.map(({ role, members }) => ({ role, members: call.rules.membersWithout(members, `serviceAccount:${email}`) })),
      ),
    ),
}

/** Gives an account all its rights. */
export const grantAll = async (call: CloudcCall, bindings: Bindings, email: string): Promise<void> => {
  for (const [resource, roles] of Object.entries(call.rules.boundResources(bindings))) await provider.grant(call, resource, roles, email)
}

/** Takes all rights from an account that `bindings` gave it. */
export const revokeAll = async (call: CloudcCall, bindings: Bindings, email: string): Promise<void> => {
  for (const resource of Object.keys(bindings)) if (call.rules.takesBack()) await provider.revoke(call, resource, email)
}
