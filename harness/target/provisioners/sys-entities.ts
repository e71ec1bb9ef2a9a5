/** Entities of servers of this family, whose properties identity templates stand for: a token belongs to one by an alias that its role names. */
import { asObject, type JsonObject } from '../../base/json.ts'
import type { LeaseAnswer, ProvisionerContext } from '../provisioner.ts'

export interface EntityRequest {
  /** Of the alias and of the role of tokens; no other caller has it. */
  name: string
  /** Name of the entity. */
  entity: string
  namespace: string
  /** Body of the request for the token. */
  token: JsonObject
}

const isOk = ({ status }: LeaseAnswer): boolean => status >= 200 && status < 300

/**
 * Makes an entity and a token that belongs to it.
 *
 * @returns the answer to the request for the token; undefined where the server has no such thing, or refuses a part of it.
 */
export const tokenOfEntity = async (
  { send }: Pick<ProvisionerContext, 'send'>,
  { name, entity, namespace, token }: EntityRequest,
): Promise<LeaseAnswer | undefined> => {
  const post = (path: string, body: JsonObject) => send('POST', path, { body, namespace })
  const methods = (await send('GET', 'sys/auth', { namespace })).body
  const { accessor } = asObject(asObject(methods.data ?? methods)['token/'])
  if (typeof accessor !== 'string') return undefined
  const { id } = asObject((await post('identity/entity', { name: entity })).body.data)
  if (typeof id !== 'string') return undefined
  const parts: [path: string, body: JsonObject][] = [
    ['identity/entity-alias', { name, canonical_id: id, mount_accessor: accessor }],
    [`auth/token/roles/${name}`, { allowed_entity_aliases: [name], allowed_policies_glob: ['*'] }],
  ]
  for (const [path, body] of parts) if (!isOk(await post(path, body))) return undefined
  const made = await post(`auth/token/create/${name}`, { ...token, entity_alias: name })
  return isOk(made) ? made : undefined
}

/** Removes them, as far as they were made. */
export const removeEntity = async (
  { send }: Pick<ProvisionerContext, 'send'>,
  { name, entity, namespace }: Omit<EntityRequest, 'token'>,
): Promise<void> => {
  await send('DELETE', `auth/token/roles/${name}`, { namespace })
  await send('DELETE', `identity/entity/name/${entity}`, { namespace })
}
