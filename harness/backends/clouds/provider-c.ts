/** What the services of provider c have in common: bearers, refusals, administrators. */
import { type CloudAnswer, CloudRefusal, type CloudRequest } from './cloud-exchange.ts'
import type { Project, World } from './gateway-state.ts'

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

/** The project of the account whose token a request carries. Throws 401 without a good token. */
export const projectOfBearer = (request: CloudRequest, world: World): { project: Project; email: string; scoped: boolean } => {
  const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const known = world.tokens.get(token)
  if (known === undefined || known.expiresAt <= Date.now() || !known.project.accounts.has(known.email))
    throw refusalC(401, 'Request had invalid authentication credentials.')
  return { project: known.project, email: known.email, scoped: known.scopes.split(' ').some((scope) => SCOPES.includes(scope)) }
}

/** Throws 403 where the bearer may not administer the project that the path names. */
export const mayAdminister = ({ project, email, scoped }: ReturnType<typeof projectOfBearer>, named: string): void => {
  if (!scoped || (named !== '-' && named !== project.id) || project.accounts.get(email)?.administrator !== true)
    throw refusalC(403, 'The caller does not have permission')
}
