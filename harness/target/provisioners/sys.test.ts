import { expect, test } from 'vitest'
import type { LeaseAnswer, Provisioner, ProvisionerContext, UndoEntry } from '../provisioner.ts'
import { sysProvisioner } from './sys.ts'

const CONTEXT: ProvisionerContext = {
  run: 'abc123',
  send: async () => ({ status: 200, body: {} }),
  secret: () => undefined,
  learn: () => undefined,
  journal: () => undefined,
  unmade: () => undefined,
  mountType: (type) => ({ type }),
  identities: {},
  mounts: {},
  fixtures: {},
  timeout: 1000,
}

/** A provisioner of a server that answers like this, and what its journal still holds. */
const answered = (
  status: number | ((method: string, path: string) => number),
  body: LeaseAnswer['body'] = {},
): { provisioner: Provisioner; journal: Set<string>; sent: { path: string; method: string; body?: unknown }[] } => {
  const journal = new Set<string>()
  const nameOf = ({ kind, name }: UndoEntry) => `${kind} ${name}`
  const sent: { path: string; method: string; body?: unknown }[] = []
  const provisioner = sysProvisioner({
    ...CONTEXT,
    send: async (method, path, asked): Promise<LeaseAnswer> => {
      sent.push({ method, path, body: asked?.body })
      return { status: typeof status === 'number' ? status : status(method, path), body }
    },
    journal: (entry) => void journal.add(nameOf(entry)),
    unmade: (entry) => void journal.delete(nameOf(entry)),
  })
  return { provisioner, journal, sent }
}

const makers: Record<string, (provisioner: Provisioner) => Promise<unknown>> = {
  mount: (provisioner) => provisioner.mount({ type: 'kv', name: 'assay-m', exclusive: false, namespace: '' }),
  identity: (provisioner) => provisioner.identity({ name: 'assay-i', namespace: '', grants: [], further: [] }),
  namespace: (provisioner) => provisioner.namespace('', 'assay-n'),
}

test.each(Object.keys(makers))('a %s that the server refuses to make is not looked for later', async (kind) => {
  for (const status of [400, 403, 404]) {
    const { provisioner, journal } = answered(status)
    await expect(makers[kind]!(provisioner)).rejects.toThrow(`status ${status}`)
    expect([...journal]).toEqual([])
  }
})

test.each(Object.keys(makers))('a %s that may have been made despite the error stays in the journal', async (kind) => {
  for (const status of [408, 500, 502]) {
    const { provisioner, journal } = answered(status)
    await expect(makers[kind]!(provisioner)).rejects.toThrow(`status ${status}`)
    expect([...journal]).toEqual([`${kind} assay-${kind[0]}`])
  }
})

test('a policy whose token is refused stays in the journal', async () => {
  const { provisioner, journal } = answered((_, path) => (path.startsWith('auth/') ? 403 : 204))
  await expect(makers.identity!(provisioner)).rejects.toThrow('creating a token failed')
  expect([...journal]).toEqual(['identity assay-i'])
})

test('what is to be granted apart are further policies of the token, and go with the first', async () => {
  const { provisioner, sent } = answered(200, { auth: { client_token: 'token', accessor: 'accessor' } })
  const grant = (path: string) => ({ path, capabilities: ['read' as const] })
  const { undo } = await provisioner.identity({
    name: 'assay-i',
    namespace: '',
    grants: [grant('a')],
    further: [[grant('b')], [grant('c')]],
  })
  const policies = sent.filter(({ path }) => path.startsWith('sys/policies/acl/'))
  expect(policies.map(({ path, body }) => [path.slice(17), JSON.stringify(body).includes('\\"b\\"')])).toEqual([
    ['assay-i', false],
    ['assay-i-2', true],
    ['assay-i-3', false],
  ])
  expect(sent.find(({ path }) => path === 'auth/token/create')?.body).toMatchObject({ policies: ['assay-i', 'assay-i-2', 'assay-i-3'] })
  await provisioner.undo(undo!)
  expect(sent.filter(({ method }) => method === 'DELETE').map(({ path }) => path.slice(17))).toEqual(['assay-i-3', 'assay-i-2', 'assay-i'])
})

test('a token answer without a token or accessor blocks, and says what is missing', async () => {
  const bodies: [LeaseAnswer['body'], string][] = [
    [{}, 'auth.client_token'],
    [{ auth: null }, 'auth.client_token'],
    [{ auth: ['token'] }, 'auth.client_token'],
    [{ auth: { client_token: 7, accessor: 'a' } }, 'auth.client_token'],
    [{ auth: { client_token: 'two\nlines', accessor: 'a' } }, 'auth.client_token'],
    [{ auth: { client_token: 'token', accessor: null } }, 'auth.accessor'],
  ]
  for (const [body, missing] of bodies) {
    const made = makers.identity!(answered(200, body).provisioner)
    await expect(made).rejects.toMatchObject({ name: 'Blocked', message: expect.stringContaining(`no usable \`${missing}\``) })
  }
})

test('leftovers are looked for in whatever a listing answers', async () => {
  for (const body of [
    {},
    { data: null },
    { data: ['assay-x'] },
    { data: { keys: [1, null] } },
    { keys: 'assay-x' },
  ] as LeaseAnswer['body'][])
    expect(await answered(200, body).provisioner.leftovers('assay-'), JSON.stringify(body)).toEqual([])
  const kinds = (await answered(200, { data: { keys: ['assay-p'], 'assay-m/': {} } }).provisioner.leftovers('assay-')).map(
    ({ kind }) => kind,
  )
  expect(kinds.sort()).toEqual(['identity', 'mount', 'namespace'])
})

test.each([
  ['a server that passes over the options of a mount makes another one than was asked for', 404, {}, true],
  ['a server that shows them has made it, whatever it says at the path that shows a mount to be ready', 404, { version: '2' }, false],
  ['and so has one that is ready', 200, {}, false],
])('%s', async (_, ready, options, isLacking) => {
  const sent: string[] = []
  const journal = new Set<string>()
  const provisioner = sysProvisioner({
    ...CONTEXT,
    journal: ({ name }) => void journal.add(name),
    unmade: ({ name }) => void journal.delete(name),
    mountType: (type) => ({ type, options: { version: '2' }, ready: 'config' }),
    send: async (method, path) => {
      sent.push(`${method} ${path}`)
      return { status: path === 'assay-m/config' ? ready : 200, body: { data: { 'assay-m/': { type: 'kv', options } } } }
    },
  })
  const made = provisioner.mount({ type: 'kv2', name: 'assay-m', exclusive: false, namespace: '' })
  if (isLacking)
    await expect(made).rejects.toMatchObject({ name: 'Unsupported', message: expect.stringContaining('passes over the options') })
  else expect((await made).path).toBe('assay-m')
  expect(sent.includes('DELETE sys/mounts/assay-m')).toBe(isLacking)
  expect(journal.has('assay-m')).toBe(!isLacking)
})

test.each([
  ['a mount that was removed before is gone, whatever a second removal is answered', { 'other/': {} }, true],
  ['one that is still listed is left', { 'other/': {}, 'assay-m/': {} }, false],
  ['and so is one of which no listing tells', {}, false],
])('%s', async (_, data, isGone) => {
  const provisioner = sysProvisioner({
    ...CONTEXT,
    send: async (method) => ({ status: method === 'DELETE' ? 500 : 200, body: { data: data as LeaseAnswer['body'] } }),
  })
  const undone = provisioner.undo({ kind: 'mount', name: 'assay-m', namespace: '' })
  if (isGone) await undone
  else await expect(undone).rejects.toThrow('removing mount assay-m failed with status 500')
})
