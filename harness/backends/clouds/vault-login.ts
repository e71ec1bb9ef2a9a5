/** The login of provider b: tokens for an application of a tenant. */
import { randomBytes } from 'node:crypto'
import { type CloudAnswer, CloudRefusal, type CloudRequest, type Service } from './cloud-exchange.ts'
import type { Project, World } from './gateway-state.ts'

const HOST = 'login.microsoftonline.com'
const LIFETIME_S = 3599

const answerOf = (status: number, error: string, description: string): CloudAnswer => ({
  status,
  body: { error, error_description: description, error_codes: [], correlation_id: '', trace_id: '' },
})

const discovery = (tenant: string): CloudAnswer => ({
  status: 200,
  body: {
    issuer: `https://${HOST}/${tenant}/v2.0`,
    authorization_endpoint: `https://${HOST}/${tenant}/oauth2/v2.0/authorize`,
    token_endpoint: `https://${HOST}/${tenant}/oauth2/v2.0/token`,
    jwks_uri: `https://${HOST}/${tenant}/discovery/v2.0/keys`,
    tenant_discovery_endpoint: `https://${HOST}/${tenant}/v2.0/.well-known/openid-configuration`,
    'api-version': '1.1',
    metadata: [{ preferred_network: HOST, preferred_cache: HOST, aliases: [HOST] }],
  },
})

const login = (project: Project, world: World, form: URLSearchParams): CloudAnswer => {
  const { vault } = project
  if (form.get('client_id') !== vault.client) return answerOf(400, 'unauthorized_client', 'The application was not found in the tenant.')
  if (form.get('client_secret') !== vault.secret) return answerOf(401, 'invalid_client', 'Invalid client secret provided.')
  const token = randomBytes(48).toString('base64url')
  const scopes = form.get('scope') ?? `${form.get('resource') ?? ''}/.default`
  world.tokens.set(token, { email: vault.client, project, scopes, expiresAt: Date.now() + LIFETIME_S * 1000 })
  return { status: 200, body: { token_type: 'Bearer', expires_in: LIFETIME_S, ext_expires_in: LIFETIME_S, access_token: token } }
}

/** Discovery may be asked about all tenants at once: the tenant then stands in the query. */
const tenantOf = (request: CloudRequest): string => {
  const asked = request.query.get('authorization_endpoint') ?? `https://${request.host}${request.path}`
  return new URL(asked).pathname.split('/')[1] ?? ''
}

export const vaultLogin: Service = {
  owns: (host) => host === HOST,
  plan(request, world) {
    const tenant = tenantOf(request)
    const project = world.find(({ vault }) => vault.tenant === tenant)
    if (project === undefined) throw new CloudRefusal(answerOf(400, 'invalid_request', `Tenant '${tenant}' not found.`))
    if (request.method === 'GET') return { operation: 'vault.discover', project, run: () => discovery(tenant) }
    return { operation: 'vault.login', project, run: () => login(project, world, new URLSearchParams(request.body.toString('utf8'))) }
  },
  failure: (status) => answerOf(status, 'temporarily_unavailable', 'the gateway was told to fail'),
}
