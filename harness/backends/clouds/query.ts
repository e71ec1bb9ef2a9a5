/** The query API: oracles make projects, look at what is there, give orders. Never a provider's own interface. */
import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '../../base/json.ts'
import type { CloudAnswer } from './cloud-exchange.ts'
import type { Project, World } from './gateway-state.ts'
import { asSeen, seeAll } from './late-reads.ts'
import { dropKey, type MadeKey, putKey } from './made-keys.ts'
import type { Order } from './orders.ts'
import { addAccount, addKey, credentialsFile } from './service-accounts.ts'

const ok = (body: Json): CloudAnswer => ({ status: 200, body })

/** A project with an administrator, and what a client needs to work in it at each provider. */
const create = async (world: World): Promise<JsonObject> => {
  const project = world.create()
  const account = addAccount(project, 'administrator', 'Administrator', true)
  const { id, privateKey } = await addKey(account, 'KEY_ALG_RSA_2048')
  const { keys: _keys, ...vault } = project.vault
  return { id: project.id, credentials: credentialsFile(project, account, id, privateKey), accessKey: project.accessKey, vault }
}

const fingerprint = (key: Project['regionalKeys'] extends Map<string, infer K> ? K : never): string =>
  createHash('sha256')
    .update(key.key.publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')

const shown = (project: Project): JsonObject => ({
  id: project.id,
  accounts: [...project.accounts.values()].map(({ email, uniqueId, administrator, keys }) => ({
    email,
    uniqueId,
    administrator,
    keys: [...keys.values()].map(({ id, algorithm }) => ({ id, algorithm })),
  })),
  policies: Object.fromEntries([...project.policies].map(([name, { bindings }]) => [name, bindings])),
  rings: [...project.rings],
  ringKeys: Object.fromEntries(
    [...project.ringKeys].map(([name, { algorithm, versions }]) => [name, { algorithm, versions: versions.length }]),
  ),
  regionalKeys: [...project.regionalKeys.values()].map((key) => ({
    id: key.id,
    region: key.region,
    usage: key.usage,
    spec: key.key.spec,
    fingerprint: fingerprint(key),
  })),
  aliases: Object.fromEntries(project.aliases),
  vaultKeys: Object.fromEntries(
    [...project.vault.keys].map(([name, versions]) => [name, { versions: versions.length, spec: versions.at(-1)?.key.spec ?? '' }]),
  ),
})

const ordersIn = (body: Buffer): Order[] => {
  const value: unknown = JSON.parse(body.toString('utf8'))
  if (!Array.isArray(value) || value.some((one) => typeof (one as Order | null)?.operation !== 'string'))
    throw new Error('expected a list of orders, each with an operation')
  return value as Order[]
}

/**
 * Answers one question of an oracle: `POST /projects`, `GET|DELETE /projects/ID`, `GET /projects/ID/records`, `PUT /projects/ID/orders`,
 * `PUT /projects/ID/rings` with the name of a ring, `PUT /projects/ID/keys` with a key, `DELETE /projects/ID/keys` with the name of one.
 *
 * @throws Error for a body that cannot be read.
 */
export const answerQuery = async (world: World, method: string, url: string, body: Buffer): Promise<CloudAnswer> => {
  const [, area, id = '', part = ''] = url.split('/')
  if (url === '/' && method === 'GET') return ok({ gateway: 'assay', projects: world.projects.size })
  if (area !== 'projects') return { status: 404, body: { error: 'no such question' } }
  if (id === '' && method === 'POST') return ok(await create(world))
  const project = world.projects.get(id)
  if (project === undefined) return { status: 404, body: { error: `no project ${id}` } }
  const key = `${method} ${part}`
  if (key === 'GET ') return ok(shown(asSeen(project)))
  if (key === 'DELETE ') return ok({ removed: world.remove(id) })
  if (key === 'GET records') return ok(project.records as unknown as Json)
  if (key === 'PUT orders') {
    project.orders = ordersIn(body)
    return ok({ orders: project.orders.length })
  }
  if (key === 'PUT rings') {
    project.rings.add(String(JSON.parse(body.toString('utf8'))))
    seeAll(project)
    return ok({ rings: project.rings.size })
  }
  if (key === 'PUT keys') {
    const made = await putKey(project, JSON.parse(body.toString('utf8')) as MadeKey)
    seeAll(project)
    return ok(made)
  }
  if (key === 'DELETE keys') {
    dropKey(project, String(JSON.parse(body.toString('utf8'))))
    seeAll(project)
    return ok({ removed: true })
  }
  return { status: 404, body: { error: 'no such question' } }
}
