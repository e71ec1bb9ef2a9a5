import { expect, test } from 'vitest'
import { sysProvisioner } from './sys.ts'
import type { LeaseAnswer, Provisioner, UndoEntry } from './types.ts'

/** A provisioner of a server that answers like this, and what its journal still holds. */
const answered = (status: number | ((method: string, path: string) => number)): { provisioner: Provisioner; journal: Set<string> } => {
  const journal = new Set<string>()
  const nameOf = ({ kind, name }: UndoEntry) => `${kind} ${name}`
  const provisioner = sysProvisioner({
    run: 'abc123',
    send: async (method, path): Promise<LeaseAnswer> => ({ status: typeof status === 'number' ? status : status(method, path), body: {} }),
    secret: () => undefined,
    journal: (entry) => void journal.add(nameOf(entry)),
    unmade: (entry) => void journal.delete(nameOf(entry)),
    mountType: (type) => ({ type }),
    identities: {},
    mounts: {},
    fixtures: {},
    timeout: 1000,
  })
  return { provisioner, journal }
}

const makers: Record<string, (provisioner: Provisioner) => Promise<unknown>> = {
  mount: (provisioner) => provisioner.mount({ type: 'kv', name: 'assay-m', exclusive: false, namespace: '' }),
  identity: (provisioner) => provisioner.identity({ name: 'assay-i', namespace: '', grants: [] }),
  namespace: (provisioner) => provisioner.namespace('', 'assay-n'),
}

test.each(Object.keys(makers))('a %s that the server refuses to make is not looked for later', async (kind) => {
  for (const status of [400, 403, 404]) {
    const { provisioner, journal } = answered(status)
    await expect(makers[kind]!(provisioner)).rejects.toThrow(`status ${status}`)
    expect([...journal]).toEqual([])
  }
})

test.each(Object.keys(makers))('a %s that may have been made all the same stays in the journal', async (kind) => {
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
