/** Resources of provider c whose policies can be read and set: projects and topics. */
import type { Json, JsonObject } from '../../base/json.ts'
import { bodyOf, type CloudAnswer, type CloudRequest, type Service } from './cloud-exchange.ts'
import { newEtag, type Policy, type Project } from './gateway-state.ts'
import { failureC, mayAdminister, projectOfBearer, refusalC } from './provider-c.ts'

const PATH = /^\/v1\/(projects\/([^/:]+)(?:\/topics\/[^/:]+)?):(getIamPolicy|setIamPolicy)$/
const MAX_ROLES = 1500

/** Roles that can be given; every other is refused. */
const roles = [
  'viewer',
  'editor',
  'browser',
  'pubsub.viewer',
  'pubsub.editor',
  'pubsub.publisher',
  'pubsub.subscriber',
  'logging.viewer',
  'logging.privateLogViewer',
]
const known = new Set(roles.map((role) => `roles/${role}`))

const shown = ({ etag, bindings }: Policy): JsonObject => ({
  version: 1,
  etag,
  ...(bindings.length === 0 ? {} : { bindings: bindings as unknown as Json }),
})

const memberProblem = (project: Project, member: string): string | undefined => {
  const email = /^serviceAccount:(.+)$/.exec(member)?.[1]
  if (email === undefined) return `Invalid member ${member}`
  return project.accounts.has(email) ? undefined : `Service account ${email} does not exist.`
}

const bindingsIn = (project: Project, current: Policy, value: Json | undefined): Policy['bindings'] => {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > MAX_ROLES) throw refusalC(400, 'Invalid policy.')
  const before = new Set(current.bindings.flatMap(({ members }) => members))
  return value.map((binding) => {
    const { role, members } = (binding ?? {}) as { role?: Json; members?: Json }
    if (typeof role !== 'string' || !known.has(role)) throw refusalC(400, `Role ${String(role)} is not supported for this resource.`)
    if (!Array.isArray(members)) throw refusalC(400, 'Invalid policy.')
    const texts = members.map(String)
    // As at the provider, members that have been deleted since may stay.
    const problem = texts.filter((member) => !before.has(member)).map((member) => memberProblem(project, member))
    const first = problem.find((one) => one !== undefined)
    if (first !== undefined) throw refusalC(400, first)
    return { role, members: texts }
  })
}

const set = (project: Project, name: string, body: JsonObject): CloudAnswer => {
  const current = project.policies.get(name)!
  const { policy } = body as { policy?: JsonObject }
  const etag = policy?.etag
  if (typeof etag === 'string' && etag !== '' && etag !== current.etag)
    throw refusalC(409, 'There were concurrent policy changes. Please retry the whole read-modify-write with exponential backoff.')
  const bindings = bindingsIn(project, current, policy?.bindings).filter(({ members }) => members.length > 0)
  const written = { etag: newEtag(), bindings }
  project.policies.set(name, written)
  return { status: 200, body: shown(written) }
}

const planned = (request: CloudRequest, bearer: ReturnType<typeof projectOfBearer>) => {
  const [, name, named, verb] = PATH.exec(decodeURIComponent(request.path)) ?? []
  if (name === undefined || named === undefined) throw refusalC(404, 'Requested entity was not found.')
  const { project } = bearer
  return {
    operation: verb === 'getIamPolicy' ? 'resources.getPolicy' : 'resources.setPolicy',
    project,
    detail: { resource: name },
    run: () => {
      mayAdminister(bearer, named)
      const policy = project.policies.get(name)
      if (policy === undefined) throw refusalC(404, `Resource not found (resource=${name}).`)
      return verb === 'getIamPolicy' ? { status: 200, body: shown(policy) } : set(project, name, bodyOf(request))
    },
  }
}

export const resources: Service = {
  owns: (host) => host === 'cloudresourcemanager.googleapis.com' || host === 'pubsub.googleapis.com',
  plan: (request, world) => planned(request, projectOfBearer(request, world)),
  failure: failureC,
}
