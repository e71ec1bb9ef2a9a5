import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BackendHandle } from '../../base/backend-handle.ts'
import { cloudJudge, issuedFile } from '../../oracles/cloud-credentials.ts'
import { askGateway, cloudPlace } from '../../oracles/cloud-gateway.ts'
import { type Gateway, startGateway } from './gateway.ts'
import { makeKey, signDigest, signMessage, verifyMessage } from './signing.ts'

let gateway: Gateway
let handle: BackendHandle
const folder = mkdtempSync(join(tmpdir(), 'assay-gateway-'))

beforeAll(async () => {
  gateway = await startGateway()
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, gateway.caPem)
  handle = { host: '127.0.0.1', port: gateway.port, password: gateway.token, extra: { caFile } } as unknown as BackendHandle
})
afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true })
})

test('an administrator logs in, and the token says whose it is and what for', async () => {
  const place = await cloudPlace(handle)
  const judge = cloudJudge(handle)
  const token = await judge.login(place.credentials, 'https://www.googleapis.com/auth/cloud-platform')
  const info = await judge.tokenInfo(String(token))
  expect(info).toMatchObject({ email: issuedFile(place.credentials).email, scopes: ['https://www.googleapis.com/auth/cloud-platform'] })
  expect(await judge.tokenInfo('no-token')).toBeUndefined()
  await judge.close()
})

test('a forged key does not log in, and a removed project forgets its tokens', async () => {
  const [place, other] = [await cloudPlace(handle), await cloudPlace(handle)]
  const judge = cloudJudge(handle)
  const forged = { ...JSON.parse(place.credentials), private_key: JSON.parse(other.credentials).private_key }
  expect(await judge.login(JSON.stringify(forged))).toBeUndefined()
  const token = String(await judge.login(place.credentials))
  await place.remove()
  expect(await judge.tokenInfo(token)).toBeUndefined()
  expect(await judge.login(place.credentials)).toBeUndefined()
  await judge.close()
})

test('orders delay, fail and cut off, as often as they say; records hold no secret', async () => {
  const place = await cloudPlace(handle)
  const judge = cloudJudge(handle)
  await place.order({ operation: 'token.', status: 503, times: 1 })
  await expect(judge.login(place.credentials)).rejects.toThrow('503')
  const token = String(await judge.login(place.credentials))
  await place.order({ operation: 'token.', cut: true, times: 1 })
  await expect(judge.login(place.credentials)).rejects.toThrow()
  const seen = await place.seen()
  expect(seen.map(({ operation, status }) => [operation, status])).toEqual([
    ['token.grant', 503],
    ['token.grant', 200],
    ['token.grant', 0],
  ])
  expect(JSON.stringify(seen)).not.toContain(token)
  await judge.close()
})

test('the query API wants its token', async () => {
  await expect(askGateway({ ...handle, password: 'wrong' }, 'GET', '')).rejects.toThrow('401')
  await expect(askGateway(handle, 'GET', 'projects/unknown')).rejects.toThrow('404')
})

test('signatures of digests verify as those of the message, for every kind of key', async () => {
  const message = Buffer.from('a message')
  for (const [spec, padding, hash] of [
    ['RSA_2048', 'pkcs1', 'sha256'],
    ['RSA_2048', 'pss', 'sha512'],
    ['P-256', 'ecdsa', 'sha256'],
    ['P-384', 'ecdsa', 'sha384'],
    ['P-521', 'ecdsa', 'sha512'],
  ] as const) {
    const key = await makeKey(spec)
    const digest = createHash(hash).update(message).digest()
    expect(verifyMessage(key.publicKey, padding, hash, message, signDigest(key, padding, hash, digest)), `${spec} ${padding}`).toBe(true)
    expect(verifyMessage(key.publicKey, padding, hash, message, signMessage(key, padding, hash, message)), `${spec} ${padding}`).toBe(true)
    expect(() => signDigest(key, padding, hash, digest.subarray(1))).toThrow('bytes')
  }
})

test('keys that an oracle puts in are there for the services, and go again', async () => {
  const place = await cloudPlace(handle)
  const ring = `projects/${place.id}/locations/europe-west1/keyRings/ring`
  const name = `${ring}/cryptoKeys/key`
  await expect(place.addKey({ service: 'c', name, algorithm: 'EC_SIGN_P256_SHA256' })).rejects.toThrow('no ring')
  await place.addRing(ring)
  await place.addKey({ service: 'c', name, algorithm: 'EC_SIGN_P256_SHA256', versions: 2 })
  const { id = '' } = await place.addKey({ service: 'a', region: 'eu-central-1', alias: 'alias/key', spec: 'P-384' })
  await place.addKey({ service: 'b', name: 'key', spec: 'RSA_2048' })
  const there = await place.look()
  expect(there.ringKeys).toEqual({ [name]: { algorithm: 'EC_SIGN_P256_SHA256', versions: 2 } })
  expect(there.regionalKeys).toMatchObject([{ id, region: 'eu-central-1', usage: 'SIGN_VERIFY', spec: 'P-384' }])
  expect(there.aliases).toEqual({ 'eu-central-1 alias/key': id })
  expect(there.vaultKeys).toEqual({ key: { versions: 1, spec: 'RSA_2048' } })
  for (const one of [name, id, 'key']) await place.dropKey(one)
  expect(await place.look()).toMatchObject({ ringKeys: {}, regionalKeys: [], aliases: {}, vaultKeys: {} })
})
