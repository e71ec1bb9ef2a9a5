/** Clients that others wrote, for a service of this family, at work against the reference server in their dialect. */
import { Client } from '@litehex/node-vault'
import nodeVault from 'node-vault'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReference, type Reference } from '../reference/index.ts'

const READER = 'path "team/data/shown/*" { capabilities = ["read"] }'

describe('node-vault over TLS', () => {
  let reference: Reference
  let vault: ReturnType<typeof nodeVault>

  const client = (token: string) =>
    nodeVault({ apiVersion: 'v1', endpoint: reference.url, token, requestOptions: { ca: reference.caPem ?? '' } })

  beforeAll(async () => {
    reference = await createReference({ dialect: 'vault' }).listen()
    vault = client(reference.rootToken)
    await vault.mount({ mount_point: 'old', type: 'kv', options: { version: '1' } })
    await vault.mount({ mount_point: 'team', type: 'kv', options: { version: '2' } })
  })
  afterAll(() => reference.close())

  it('sees the state of the service', async () => {
    expect(await vault.health()).toMatchObject({ initialized: true, sealed: false })
    expect(await vault.status()).toMatchObject({ sealed: false, t: 1, n: 1 })
    expect(await vault.initialized()).toEqual({ initialized: true })
  })

  it('mounts engines and names them', async () => {
    const { data } = await vault.mounts()
    expect(data['old/']).toMatchObject({ type: 'kv', options: { version: '1' } })
    expect(data['team/']).toMatchObject({ type: 'kv', options: { version: '2' } })
    await vault.mount({ mount_point: 'passing', type: 'kv' })
    await vault.unmount({ mount_point: 'passing' })
    expect((await vault.mounts()).data).not.toHaveProperty('passing/')
  })

  it('writes, reads, lists and deletes in version 1', async () => {
    await vault.write('old/app/one', { user: 'a', port: 5432 })
    await vault.write('old/app/deep/two', { user: 'b' })
    expect((await vault.read('old/app/one')).data).toEqual({ user: 'a', port: 5432 })
    expect((await vault.list('old/app')).data.keys).toEqual(['deep/', 'one'])
    await vault.delete('old/app/one')
    await expect(vault.read('old/app/one')).rejects.toMatchObject({ response: { statusCode: 404 } })
    await expect(vault.list('old/nothing')).rejects.toMatchObject({ response: { statusCode: 404 } })
  })

  it('writes, reads, deletes and lists versions in version 2', async () => {
    await vault.write('team/data/x', { data: { n: 1 } })
    expect((await vault.write('team/data/x', { data: { n: 2 } })).data.version).toBe(2)
    expect((await vault.read('team/data/x')).data).toMatchObject({ data: { n: 2 }, metadata: { version: 2, destroyed: false } })
    await vault.destroySecretVersions({ mount_point: 'team', path: 'x', versions: [2] })
    await expect(vault.read('team/data/x')).rejects.toMatchObject({ response: { statusCode: 404 } })
    expect((await vault.read('team/metadata/x')).data.versions['2'].destroyed).toBe(true)
    expect((await vault.list('team/metadata')).data.keys).toContain('x')
  })

  it('keeps to the policies of a token', async () => {
    await vault.addPolicy({ name: 'reader', policy: READER })
    expect((await vault.getPolicy({ name: 'reader' })).data.rules).toBe(READER)
    expect((await vault.policies()).data.policies).toContain('reader')
    // The client takes on every token that it creates.
    const { auth } = await client(reference.rootToken).tokenCreate({ policies: ['reader'], ttl: '1h', display_name: 'third party' })
    const reader = client(auth.client_token)
    await vault.write('team/data/shown/a', { data: { n: 1 } })
    expect((await reader.read('team/data/shown/a')).data.data).toEqual({ n: 1 })
    await expect(reader.read('team/data/x')).rejects.toMatchObject({ response: { statusCode: 403 } })
    await expect(reader.write('team/data/shown/a', { data: {} })).rejects.toMatchObject({ response: { statusCode: 403 } })
    expect((await reader.tokenLookupSelf()).data).toMatchObject({ display_name: 'token-third party', policies: ['default', 'reader'] })
    expect((await reader.tokenRenewSelf({ increment: '2h' })).auth.lease_duration).toBe(7200)
    await vault.tokenRevoke({ token: auth.client_token })
    await expect(reader.tokenLookupSelf()).rejects.toMatchObject({ response: { statusCode: 403 } })
  })
})

describe('@litehex/node-vault', () => {
  let reference: Reference
  let vault: Client

  beforeAll(async () => {
    reference = await createReference({ dialect: 'vault', tls: false, initialized: false }).listen()
    vault = new Client({ endpoint: reference.url })
  })
  afterAll(() => reference.close())

  /** The data of an outcome that must have no error. */
  const data = async <T>(outcome: Promise<{ data?: T; error?: unknown }>): Promise<T> => {
    const { data: found, error } = await outcome
    expect(error).toBeUndefined()
    return found as T
  }

  it('initialises and unseals', async () => {
    expect((await vault.read({ path: 'secret/data/x' })).error?.message).toBe('not initialized')
    const { keys, root_token: token } = await data(vault.init({ secret_shares: 1, secret_threshold: 1 }))
    vault.token = token
    expect((await vault.read({ path: 'secret/data/x' })).error?.message).toBe('sealed')
    expect(await data(vault.unseal({ key: keys[0]! }))).toMatchObject({ sealed: false })
  })

  it('mounts engines', async () => {
    await vault.mount({ mountPath: 'v1', type: 'kv' })
    await vault.mount({ mountPath: 'v2', type: 'kv-v2' })
    expect(await data(vault.engineInfo({ mountPath: 'v2' }))).toMatchObject({ type: 'kv', options: { version: '2' } })
    expect(Object.keys((await data(vault.mounts())) as { data: object }).length).toBeGreaterThan(0)
  })

  it('works with version 1', async () => {
    expect(await data(vault.kv.write({ mountPath: 'v1', path: 'a/b', data: { x: '1' } }))).toBe(true)
    expect((await data(vault.kv.read({ mountPath: 'v1', path: 'a/b' }))) as object).toMatchObject({ data: { x: '1' } })
    expect((await data(vault.kv.list({ mountPath: 'v1', path: 'a' }))) as object).toMatchObject({ data: { keys: ['b'] } })
  })

  it('works with version 2', async () => {
    const key = { mountPath: 'v2', path: 'hello' }
    for (const n of ['1', '2']) await data(vault.kv2.write({ ...key, data: { n } }))
    expect((await data(vault.kv2.read(key))) as object).toMatchObject({ data: { data: { n: '2' }, metadata: { version: 2 } } })
    expect(await data(vault.kv2.deleteLatest(key))).toBe(true)
    expect((await vault.kv2.read(key)).error).toBeDefined()
    expect(await data(vault.kv2.undelete({ ...key, versions: [2] }))).toBe(true)
    expect((await data(vault.kv2.read(key))) as object).toMatchObject({ data: { data: { n: '2' } } })
    expect((await data(vault.kv2.readMetadata(key))) as object).toMatchObject({ data: { current_version: 2 } })
    expect((await data(vault.kv2.list({ mountPath: 'v2', path: '' }))) as object).toMatchObject({ data: { keys: ['hello'] } })
  })

  it('is refused with a token that was never issued', async () => {
    const stranger = new Client({ endpoint: reference.url, token: 'nobody' })
    expect((await stranger.kv2.read({ mountPath: 'v2', path: 'hello' })).error?.message).toBe('permission denied')
  })
})
