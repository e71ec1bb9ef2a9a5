/** The token endpoint of provider c and its token info. */
import { randomBytes } from 'node:crypto'
import { type Assertion, assertionIn, isTimely, signedBy } from './account-assertions.ts'
import { type CloudAnswer, CloudRefusal, type CloudRequest, type Service, type Step } from './cloud-exchange.ts'
import type { Account, Project, World } from './gateway-state.ts'
import { asSeen } from './late-reads.ts'
import { TOKEN_URI } from './service-accounts.ts'

const LIFETIME_S = 3599
const AUDIENCES = [TOKEN_URI, 'https://www.googleapis.com/oauth2/v4/token', 'https://accounts.google.com/o/oauth2/token']

const answerOf = (error: string, description: string, status = 400): CloudAnswer => ({
  status,
  body: { error, error_description: description },
})
const refused = (error: string, description: string): CloudRefusal => new CloudRefusal(answerOf(error, description))

const grant = (world: World, project: Project, account: Account, assertion: Assertion): CloudAnswer => {
  const { claims } = assertion
  if (!signedBy(account, assertion)) throw refused('invalid_grant', 'Invalid JWT Signature.')
  if (!AUDIENCES.includes(String(claims.aud)) || !isTimely(assertion))
    throw refused('invalid_grant', 'Invalid JWT: Token must be a short-lived token')
  const scopes = String(claims.scope ?? '').trim()
  if (scopes === '') throw refused('invalid_scope', 'Invalid OAuth scope or ID token audience provided.')
  const token = `ya29.c.${randomBytes(48).toString('base64url')}`
  world.tokens.set(token, { email: account.email, project, scopes, expiresAt: Date.now() + LIFETIME_S * 1000 })
  return { status: 200, body: { access_token: token, expires_in: LIFETIME_S, token_type: 'Bearer' } }
}

const tokenStep = (request: CloudRequest, world: World): Step => {
  const form = new URLSearchParams(request.body.toString('utf8'))
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
    throw refused('unsupported_grant_type', 'Invalid grant_type')
  const assertion = assertionIn(form.get('assertion') ?? '')
  if (assertion === undefined) throw refused('invalid_grant', 'Invalid JWT.')
  const email = String(assertion.claims.iss)
  const project =
    world.find(({ accounts }) => accounts.has(email)) ?? world.find(({ id }) => email.endsWith(`@${id}.iam.gserviceaccount.com`))
  if (project === undefined) throw refused('invalid_grant', 'Invalid grant: account not found')
  return {
    operation: 'token.grant',
    project,
    detail: { email, scopes: String(assertion.claims.scope ?? '') },
    run: () => {
      const account = asSeen(project).accounts.get(email)
      if (account === undefined) throw refused('invalid_grant', 'Invalid grant: account not found')
      return grant(world, project, account, assertion)
    },
  }
}

const infoStep = (request: CloudRequest, world: World): Step => {
  const form = request.method === 'POST' ? new URLSearchParams(request.body.toString('utf8')) : request.query
  const known = world.tokens.get(form.get('access_token') ?? '')
  const account = known?.project.accounts.get(known.email)
  if (known === undefined || account === undefined || known.expiresAt <= Date.now()) throw refused('invalid_token', 'Invalid Value')
  return {
    operation: 'token.info',
    project: known.project,
    detail: { email: known.email },
    run: () => ({
      status: 200,
      body: {
        azp: account.uniqueId,
        aud: account.uniqueId,
        scope: known.scopes,
        exp: String(Math.floor(known.expiresAt / 1000)),
        expires_in: String(Math.floor((known.expiresAt - Date.now()) / 1000)),
        email: known.email,
        email_verified: 'true',
        access_type: 'online',
      },
    }),
  }
}

export const tokenService: Service = {
  owns: (host) => ['oauth2.googleapis.com', 'www.googleapis.com', 'accounts.google.com'].includes(host),
  plan(request, world) {
    if (request.path.endsWith('/tokeninfo')) return infoStep(request, world)
    if (request.method === 'POST' && request.path.endsWith('/token')) return tokenStep(request, world)
    throw new CloudRefusal(answerOf('not_found', request.path, 404))
  },
  failure: (status) => answerOf('internal_failure', 'the gateway was told to fail', status),
}
