/** What the services of provider c have in common: bearers, refusals, administrators. */
import { assertionIn, isTimely, signedBy } from './account-assertions.ts'
import { type CloudAnswer, CloudRefusal, type CloudRequest } from './cloud-exchange.ts'
import type { Project, World } from './gateway-state.ts'
import { asSeen } from './late-reads.ts'

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

export const failureC = (status: number, message = 'the gateway was told to fail'): CloudAnswer => ({
  status,
  body: { error: { code: status, message, status: STATUS_NAMES[status] ?? 'INTERNAL' } },
})

export const refusalC = (status: number, message: string): CloudRefusal => new CloudRefusal(failureC(status, message))

const SCOPES = [
  'https://www.googleapis.com/auth/cloud-platform',
  'https://www.googleapis.com/auth/iam',
  'https://www.googleapis.com/auth/cloudkms',
]

interface Bearer {
  project: Project
  email: string
  scoped: boolean
}

const isScoped = (scopes: string): boolean => scopes.split(' ').some((scope) => SCOPES.includes(scope))

/** A token that its account has signed itself, for this service or with a scope: newer clients ask for no other. */
const selfSigned = (token: string, { host }: CloudRequest, world: World): Bearer | undefined => {
  const assertion = assertionIn(token)
  if (assertion === undefined || !isTimely(assertion)) return undefined
  const email = String(assertion.claims.iss)
  const project = world.find(({ accounts }) => accounts.has(email))
  const account = project === undefined ? undefined : asSeen(project).accounts.get(email)
  if (project === undefined || account === undefined || !signedBy(account, assertion)) return undefined
  return { project, email, scoped: assertion.claims.aud === `https://${host}/` || isScoped(String(assertion.claims.scope ?? '')) }
}

/** The project of the account whose token a request carries. Throws 401 without a good token. */
export const projectOfBearer = (request: CloudRequest, world: World): Bearer => {
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const known = world.tokens.get(token)
  if (known !== undefined && known.expiresAt > Date.now() && known.project.accounts.has(known.email))
    return { project: known.project, email: known.email, scoped: isScoped(known.scopes) }
  const own = selfSigned(token, request, world)
  if (own === undefined) throw refusalC(401, 'Request had invalid authentication credentials.')
  return own
}

/** Throws 403 where the bearer may not administer the project that the path names. */
export const mayAdminister = ({ project, email, scoped }: ReturnType<typeof projectOfBearer>, named: string): void => {
  if (!scoped || (named !== '-' && named !== project.id) || project.accounts.get(email)?.administrator !== true)
    throw refusalC(403, 'The caller does not have permission')
}
