/** The providers' own clients, each in a process that knows nothing but a proxy and an authority. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BackendHandle } from '../../base/backend-handle.ts'
import type { JsonObject } from '../../base/json.ts'
import { packageRoot } from '../../contract/package-root.ts'
import { askGateway } from '../../oracles/cloud-gateway.ts'
import { type Gateway, startGateway } from './gateway.ts'

const WITHIN = 60_000
const run = promisify(execFile)
let gateway: Gateway
const folder = mkdtempSync(join(tmpdir(), 'assay-clients-'))
const caFile = join(folder, 'ca.pem')

beforeAll(async () => {
  gateway = await startGateway()
  writeFileSync(caFile, gateway.caPem)
})
afterAll(async () => {
  await gateway.close()
  rmSync(folder, { recursive: true })
})

interface Made {
  id: string
  credentials: JsonObject
  accessKey: JsonObject
  vault: JsonObject
}

const project = async (): Promise<Made> =>
  (await askGateway(
    { host: '127.0.0.1', port: gateway.port, password: gateway.token } as BackendHandle,
    'POST',
    'projects',
  )) as unknown as Made

/** Runs a module text; what it prints last is JSON. `given` is the project. */
const client = async (text: string, given: Made): Promise<unknown> => {
  const proxy = `http://127.0.0.1:${gateway.port}`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', `const given = ${JSON.stringify(given)}\n${text}`], {
    cwd: packageRoot,
    env: { PATH: process.env.PATH, HTTPS_PROXY: proxy, https_proxy: proxy, NODE_EXTRA_CA_CERTS: caFile },
    timeout: WITHIN,
  })
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? 'null')
}

test('provider a: a key is made and named, signs, and another secret is refused', { timeout: WITHIN }, async () => {
  const text = `
    import { createPublicKey, verify } from 'node:crypto'
    import { CreateAliasCommand, CreateKeyCommand, GetPublicKeyCommand, KMSClient, SignCommand } from '@aws-sdk/client-kms'
    import { HttpsProxyAgent } from 'https-proxy-agent'
    const { id, secret } = given.accessKey
    const open = (secretAccessKey, region = 'eu-west-1') => new KMSClient({ region, maxAttempts: 1, credentials: { accessKeyId: id, secretAccessKey },
      requestHandler: { httpsAgent: new HttpsProxyAgent(process.env.HTTPS_PROXY) } })
    const kms = open(secret)
    const Message = Buffer.from('a message')
    const results = []
    for (const [KeySpec, SigningAlgorithm] of [['ECC_NIST_P384', 'ECDSA_SHA_384'], ['RSA_2048', 'RSASSA_PKCS1_V1_5_SHA_256']]) {
      const { KeyMetadata } = await kms.send(new CreateKeyCommand({ KeySpec, KeyUsage: 'SIGN_VERIFY' }))
      const KeyId = 'alias/' + KeySpec
      await kms.send(new CreateAliasCommand({ AliasName: KeyId, TargetKeyId: KeyMetadata.KeyId }))
      const { Signature } = await kms.send(new SignCommand({ KeyId, Message, MessageType: 'RAW', SigningAlgorithm }))
      const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: KeyMetadata.Arn }))
      const key = createPublicKey({ key: Buffer.from(PublicKey), format: 'der', type: 'spki' })
      results.push(verify('sha' + SigningAlgorithm.slice(-3), Message, key, Buffer.from(Signature)))
    }
    const refused = async (client) => client.send(new GetPublicKeyCommand({ KeyId: 'alias/RSA_2048' })).then(() => 'no', (error) => error.name)
    console.log(JSON.stringify([...results, await refused(open('wrong')), await refused(open(secret, 'us-east-1'))]))`
  expect(await client(text, await project())).toEqual([true, true, 'InvalidSignatureException', 'NotFoundException'])
})

test('provider b: a key is made behind the login, signs, and another secret is refused', { timeout: WITHIN }, async () => {
  const text = `
    import { constants, createPublicKey, verify } from 'node:crypto'
    import { ClientSecretCredential } from '@azure/identity'
    import { CryptographyClient, KeyClient } from '@azure/keyvault-keys'
    const { tenant, client, secret, name } = given.vault
    const url = 'https://' + name + '.vault.azure.net'
    const options = { retryOptions: { maxRetries: 0 } }
    const login = (password) => new ClientSecretCredential(tenant, client, password, { ...options, disableInstanceDiscovery: true })
    const key = await new KeyClient(url, login(secret), options).createKey('signer', 'RSA-HSM', { keySize: 2048 })
    const crypto = new CryptographyClient(key, login(secret), options)
    const { result } = await crypto.signData('PS256', Buffer.from('a message'))
    const publicKey = createPublicKey({ key: { kty: 'RSA', n: Buffer.from(key.key.n).toString('base64url'), e: Buffer.from(key.key.e).toString('base64url') }, format: 'jwk' })
    const verified = verify('sha256', Buffer.from('a message'), { key: publicKey, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, result)
    const refused = await new KeyClient(url, login('wrong'), options).getKey('signer').then(() => 'no', (error) => error.name)
    console.log(JSON.stringify([key.keyType, verified, refused.startsWith('Authentication')]))`
  expect(await client(text, await project())).toEqual(['RSA-HSM', true, true])
})

test('provider c: an account and its key log in until they are deleted', { timeout: WITHIN }, async () => {
  const text = `
    import { iam } from '@googleapis/iam'
    import { JWT } from 'google-auth-library'
    const scopes = ['https://www.googleapis.com/auth/cloud-platform']
    const auth = new JWT({ email: given.credentials.client_email, key: given.credentials.private_key, scopes })
    const accounts = iam({ version: 'v1', auth }).projects.serviceAccounts
    const { data: account } = await accounts.create({ name: 'projects/' + given.id, requestBody: { accountId: 'a-client' } })
    const { data: key } = await accounts.keys.create({ name: account.name, requestBody: {} })
    const file = JSON.parse(Buffer.from(key.privateKeyData, 'base64'))
    const login = () => new JWT({ email: file.client_email, key: file.private_key, scopes }).authorize().then(({ token_type }) => token_type, (error) => error.response.data.error)
    const before = await login()
    await accounts.keys.delete({ name: key.name })
    console.log(JSON.stringify([account.email, before, await login()]))`
  const made = await project()
  expect(await client(text, made)).toEqual([`a-client@${made.id}.iam.gserviceaccount.com`, 'Bearer', 'invalid_grant'])
})
