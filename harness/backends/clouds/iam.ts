/** Service accounts and their keys at provider c. */
import type { JsonObject } from '../../base/json.ts'
import { bodyOf, type CloudAnswer, type CloudRequest, type Service, type Step, textIn } from './cloud-exchange.ts'
import type { Account, AccountKey, Project } from './gateway-state.ts'
import { asSeen } from './late-reads.ts'
import { failureC, mayAdminister, projectOfBearer, refusalC } from './provider-c.ts'
import { addAccount, addKey, credentialsFile, emailOf, keyAlgorithms, MAX_KEYS } from './service-accounts.ts'

const ACCOUNT_ID = /^[a-z](?:[-a-z0-9]{4,28}[a-z0-9])$/
const PATH = /^\/v1\/projects\/([^/]+)\/serviceAccounts(?:\/([^/:]+))?(\/keys)?(?:\/([^/:]+))?$/
const FAR = '9999-12-31T23:59:59Z'

const shownAccount = (project: Project, account: Account): JsonObject => ({
  name: `projects/${project.id}/serviceAccounts/${account.email}`,
  projectId: project.id,
  uniqueId: account.uniqueId,
  email: account.email,
  displayName: account.displayName,
  oauth2ClientId: account.uniqueId,
})

const shownKey = (project: Project, account: Account, key: AccountKey): JsonObject => ({
  name: `projects/${project.id}/serviceAccounts/${account.email}/keys/${key.id}`,
  keyAlgorithm: key.algorithm,
  keyOrigin: 'GOOGLE_PROVIDED',
  keyType: 'USER_MANAGED',
  validAfterTime: new Date().toISOString(),
  validBeforeTime: FAR,
})

const createAccount = (project: Project, body: JsonObject): CloudAnswer => {
  const id = textIn(body, 'accountId')
  if (!ACCOUNT_ID.test(id)) throw refusalC(400, `The account ID "${id}" does not have a length between 6 and 30, or holds what it may not.`)
  if (project.accounts.has(emailOf(project, id))) throw refusalC(409, `Service account ${id} already exists within project.`)
  const { displayName } = (body.serviceAccount ?? {}) as { displayName?: string }
  return { status: 200, body: shownAccount(project, addAccount(project, id, displayName ?? '', false)) }
}

const createKey = async (project: Project, account: Account, body: JsonObject): Promise<CloudAnswer> => {
  const algorithm = textIn(body, 'keyAlgorithm') || 'KEY_ALG_RSA_2048'
  const type = textIn(body, 'privateKeyType') || 'TYPE_GOOGLE_CREDENTIALS_FILE'
  if (keyAlgorithms[algorithm] === undefined) throw refusalC(400, `Invalid value at 'key_algorithm': "${algorithm}"`)
  if (type !== 'TYPE_GOOGLE_CREDENTIALS_FILE') throw refusalC(400, `Invalid value at 'private_key_type': "${type}"`)
  if (account.keys.size >= MAX_KEYS) throw refusalC(429, 'Maximum number of keys on account reached.')
  const { id, privateKey } = await addKey(account, algorithm)
  const file = JSON.stringify(credentialsFile(project, account, id, privateKey), null, 2)
  const shown = shownKey(project, account, { id, algorithm, publicKey: privateKey })
  return { status: 200, body: { ...shown, privateKeyType: type, privateKeyData: Buffer.from(file).toString('base64') } }
}

const accountIn = (project: Project, name: string): Account => {
  const account = project.accounts.get(name) ?? [...project.accounts.values()].find(({ uniqueId }) => uniqueId === name)
  if (account === undefined) throw refusalC(404, `Unknown service account ${name}`)
  return account
}

const keyIn = (account: Account, id: string): AccountKey => {
  const key = account.keys.get(id)
  if (key === undefined) throw refusalC(404, `Service account key ${id} does not exist.`)
  return key
}

type Verb = (project: Project, account: string, key: string, body: JsonObject) => CloudAnswer | Promise<CloudAnswer>

/** By method and depth of the path. */
const verbs: Readonly<Record<string, [operation: string, run: Verb]>> = {
  'POST accounts': ['iam.createAccount', (project, _account, _key, body) => createAccount(project, body)],
  'GET accounts': [
    'iam.listAccounts',
    (project) => ({ status: 200, body: { accounts: [...project.accounts.values()].map((one) => shownAccount(project, one)) } }),
  ],
  'GET account': ['iam.getAccount', (project, name) => ({ status: 200, body: shownAccount(project, accountIn(project, name)) })],
  'DELETE account': [
    'iam.deleteAccount',
    (project, name) => {
      project.accounts.delete(accountIn(project, name).email)
      return { status: 200, body: {} }
    },
  ],
  'POST keys': ['iam.createKey', (project, name, _key, body) => createKey(project, accountIn(project, name), body)],
  'GET keys': [
    'iam.listKeys',
    (project, name) => {
      const account = accountIn(project, name)
      return { status: 200, body: { keys: [...account.keys.values()].map((key) => shownKey(project, account, key)) } }
    },
  ],
  'GET key': [
    'iam.getKey',
    (project, name, id) => {
      const account = accountIn(project, name)
      return { status: 200, body: shownKey(project, account, keyIn(account, id)) }
    },
  ],
  'DELETE key': [
    'iam.deleteKey',
    (project, name, id) => {
      const account = accountIn(project, name)
      account.keys.delete(keyIn(account, id).id)
      return { status: 200, body: {} }
    },
  ],
}

const planned = (request: CloudRequest, bearer: ReturnType<typeof projectOfBearer>): Step => {
  const [, named, account, keys, key] = PATH.exec(decodeURIComponent(request.path)) ?? []
  const depth = key !== undefined ? 'key' : keys !== undefined ? 'keys' : account !== undefined ? 'account' : 'accounts'
  const verb = named === undefined ? undefined : verbs[`${request.method} ${depth}`]
  if (named === undefined || verb === undefined) throw refusalC(404, 'Requested entity was not found.')
  const [operation, run] = verb
  const { project } = bearer
  return {
    operation,
    project,
    run: () => {
      mayAdminister(bearer, named)
      return run(request.method === 'GET' ? asSeen(project) : project, account ?? '', key ?? '', bodyOf(request))
    },
  }
}

export const iam: Service = {
  owns: (host) => host === 'iam.googleapis.com',
  plan: (request, world) => planned(request, projectOfBearer(request, world)),
  failure: failureC,
}
