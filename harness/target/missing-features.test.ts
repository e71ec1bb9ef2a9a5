import { expect, test } from 'vitest'
import { Blocked, LostAnswer, Unsupported } from '../base/errors.ts'
import { missingFeatures } from './missing-features.ts'
import type { LeaseAnswer, UndoEntry } from './provisioner.ts'
import { sysProvisioner } from './provisioners/sys.ts'
import type { Target } from './target.ts'

type Respond = (method: string, path: string) => number | Error

const TOKEN: LeaseAnswer['body'] = { auth: { client_token: 'token', accessor: 'accessor' } }

/** The usual answer of a server that has everything: a lease that was never given is refused. */
const usual: Respond = (method, path) => {
  if (path === 'sys/leases/lookup') return 400
  return method === 'GET' ? 404 : 204
}

const examined = async (respond: Respond) => {
  const journal = new Map<string, UndoEntry>()
  const keyOf = ({ kind, name }: UndoEntry) => `${kind} ${name}`
  const sent: string[] = []
  const provisioner = sysProvisioner({
    run: 'abc123',
    send: async (method, path) => {
      sent.push(`${method} ${path}`)
      const status = respond(method, path)
      if (status instanceof Error) throw status
      return { status, body: status < 300 ? TOKEN : {} }
    },
    secret: () => undefined,
    learn: () => undefined,
    journal: (entry) => void journal.set(keyOf(entry), entry),
    unmade: (entry) => void journal.delete(keyOf(entry)),
    mountType: (type) => ({ type }),
    identities: {},
    mounts: {},
    fixtures: {},
    timeout: 1000,
  })
  const missing = await missingFeatures({ provisioner } as Target, 'kv', new AbortController().signal)
  return { missing, sent }
}

const only =
  (part: string, status: number | Error): Respond =>
  (method, path) =>
    path.startsWith(part) ? status : usual(method, path)

test('a server with everything lacks nothing, and what was tried is removed', async () => {
  const { missing, sent } = await examined(usual)
  expect([...missing]).toEqual([])
  const removals = sent.filter((request) => request.startsWith('DELETE ')).map((request) => request.split('/').slice(0, 2).join('/'))
  expect(removals.sort()).toEqual(['DELETE sys/mounts', 'DELETE sys/namespaces', 'DELETE sys/policies'])
})

test.each([
  ['namespaces', 'sys/namespaces/'],
  ['identities', 'auth/token/create'],
  ['identities', 'sys/policies/'],
  ['leases', 'sys/leases/'],
])('%s: an endpoint that is not there is a feature that the server lacks', async (feature, part) => {
  for (const status of [404, 405, 501]) {
    const { missing } = await examined(only(part, status))
    expect([...missing.keys()]).toEqual([feature])
    expect([...missing.values()][0]).toBeInstanceOf(Unsupported)
  }
})

test('a mount that cannot be tuned', async () => {
  const { missing } = await examined((method, path) => (path.endsWith('/tune') ? 404 : usual(method, path)))
  expect([...missing.keys()]).toEqual(['tuning'])
})

test.each([403, 500, 503, new LostAnswer('no answer', 'look')])(
  'an endpoint that answers %s is not seen, and not lacking either',
  async (status) => {
    const { missing } = await examined(only('sys/namespaces/', status))
    expect([...missing.keys()]).toEqual(['namespaces'])
    expect([...missing.values()][0]).toBeInstanceOf(Blocked)
    expect([...missing.values()][0]).not.toBeInstanceOf(Unsupported)
  },
)

test('a single failure of the server is tried again', async () => {
  let failures = 0
  const { missing } = await examined((method, path) => {
    if (!path.startsWith('sys/namespaces/') || failures > 0) return usual(method, path)
    failures += 1
    return 500
  })
  expect([...missing]).toEqual([])
})

test('a lease that is not known with 404 says nothing of the endpoints', async () => {
  const { missing } = await examined((method, path) => (path === 'sys/leases/lookup' ? 404 : usual(method, path)))
  expect([...missing]).toEqual([])
})
