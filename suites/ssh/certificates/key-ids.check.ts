import {
  type Bench,
  type CallInput,
  type CheckContext,
  check,
  type Identity,
  type JsonObject,
  sshOracle,
} from '../../../harness/checks/index.ts'
import { caFields, ownMount, roleWith, userPair, withCa } from '../fixtures.ts'

/** A caller whose display name is known; blocks where the target does not tell. */
const knownCaller = async (bench: Bench, wanted = 'harbour'): Promise<Identity & { displayName: string }> => {
  const identity = await bench.identity([{ operation: 'ssh.signKey', capabilities: ['create', 'update'] }], { displayName: wanted })
  const { displayName } = identity
  if (displayName === undefined)
    bench.blocked('the display name of the token is not known', 'give identities with displayName, or a provisioner that makes tokens')
  return { ...identity, displayName }
}

/** Who asks, and in which of the API's headers the token comes. */
type KeyIdCaller = Pick<CallInput, 'as' | 'carrier'>

const keyIdOf = async ({ bench, expect }: CheckContext, role: string, body: JsonObject, caller: KeyIdCaller = {}): Promise<string> => {
  const answer = await bench.call('ssh.signKey', { path: { name: role }, body, ...caller })
  expect(answer).toHaveStatus(200)
  return (await sshOracle.readCertificate(String(answer.data.signed_key))).keyId
}

const request = (more: JsonObject = {}): JsonObject => ({
  public_key: userPair().publicKey,
  valid_principals: 'ubuntu',
  ...more,
})

/** Roles that do not let the caller name the key id: by default, expressly, and beside a format of their own. */
const CLOSED: JsonObject[] = [
  {},
  { allow_user_key_ids: false },
  { key_id_format: 'by-{{role_name}}' },
  { key_id_format: 'fixed', allow_user_key_ids: false },
]

check(
  'ssh/key-id-of-caller',
  ['SSH-KEYID-01', 'SSH-KEYID-02'],
  'the caller names the key id only where the role allows it',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const open = await roleWith(bench, caFields({ allow_user_key_ids: true }))
    const key_id = bench.mixedName('id')
    // A text of any length, and of what a text may hold.
    const ids = [key_id, 'x', ...[30, 31, 64, 200].map((length) => key_id.padEnd(length, 'x')), `${key_id}: a "b" {{c}}, d=e`]
    for (const id of ids)
      await bench.decide('SSH-KEYID-02', async () =>
        expect(await keyIdOf(context, open, request({ key_id: id })), `${id.length} letters`).toBe(id),
      )
    // Which letters beyond ASCII a key id may have is not said: what is taken is kept.
    for (const id of [`${key_id} Jörg`, `Ωμέγα ${key_id}`, `${key_id} 鍵 🔑`])
      await bench.decide('SSH-KEYID-02', async () => {
        const answer = await bench.call('ssh.signKey', { path: { name: open }, body: request({ key_id: id }) })
        if (!answer.ok) return expect(answer, id).toBeRefused()
        expect((await sshOracle.readCertificate(String(answer.data.signed_key))).keyId).toBe(id)
      })
    // Whatever else the role says, without the permission the id is never the caller's.
    for (const fields of CLOSED) {
      const closed = await roleWith(bench, caFields({ allowed_domains: '*', allow_host_certificates: true, ...fields }))
      for (const more of [{}, { cert_type: 'host', valid_principals: 'web.example.com' }] as JsonObject[]) {
        const own = await keyIdOf(context, closed, request(more))
        await bench.decide('SSH-KEYID-01', async () => {
          const answer = await bench.call('ssh.signKey', { path: { name: closed }, body: request({ key_id, ...more }) })
          if (!answer.ok) return expect(answer).toBeRefused()
          const { keyId } = await sshOracle.readCertificate(String(answer.data.signed_key))
          expect(keyId, 'the id where the caller names another').toBe(own)
          expect(keyId).not.toContain(key_id)
        })
      }
    }
  },
)

check('ssh/key-id-default', 'SSH-KEYID-03', 'the key id is the display name of the token', ownMount, async (context) => {
  const { bench, expect } = context
  await withCa(bench)
  const callers = [await knownCaller(bench), await knownCaller(bench, 'lighthouse')]
  const variants: JsonObject[] = [{}, { allow_user_key_ids: true }]
  for (const fields of variants) {
    const role = await roleWith(bench, caFields(fields))
    // One role for all of them, in turns: what it signed for one says nothing of the next.
    for (const caller of [...callers, ...callers]) {
      expect(await keyIdOf(context, role, request(), { as: caller })).toBe(caller.displayName)
      expect(await keyIdOf(context, role, request({ key_id: '' }), { as: caller }), 'with an empty key id').toBe(caller.displayName)
      expect(await keyIdOf(context, role, request(), { as: caller, carrier: 'bearer' }), 'by a bearer').toBe(caller.displayName)
    }
  }
})

check(
  'ssh/key-id-format',
  ['SSH-KEYFMT-02', 'SSH-KEYFMT-03', 'SSH-KEYFMT-04'],
  'the role composes the key id',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const user = userPair()
    const body = { public_key: user.publicKey, valid_principals: 'ubuntu' }
    const withFormat = (key_id_format: string) => roleWith(bench, caFields({ key_id_format }))
    const named = await withFormat('{{role_name}}')
    await bench.decide('SSH-KEYFMT-02', async () => expect(await keyIdOf(context, named, body)).toBe(named))
    const hashed = await keyIdOf(context, await withFormat('{{public_key_hash}}'), body)
    const spellings = [
      user.digest.toString('hex'),
      user.digest.toString('hex').toUpperCase(),
      user.digest.toString('base64'),
      user.digest.toString('base64').replace(/=+$/, ''),
      `SHA256:${user.digest.toString('base64').replace(/=+$/, '')}`,
    ]
    await bench.decide('SSH-KEYFMT-03', () => expect(spellings).toContain(hashed))
    const composed = await withFormat('team/{{role_name}}:{{public_key_hash}}-{{role_name}}!')
    await bench.decide('SSH-KEYFMT-04', async () =>
      expect(await keyIdOf(context, composed, body)).toBe(`team/${composed}:${hashed}-${composed}!`),
    )
  },
)

check('ssh/key-id-format-caller', 'SSH-KEYFMT-01', 'the key id can hold the display name of the token', ownMount, async (context) => {
  const { bench, expect } = context
  await withCa(bench)
  const caller = await knownCaller(bench)
  const role = await roleWith(bench, caFields({ key_id_format: 'by-{{token_display_name}}' }))
  expect(await keyIdOf(context, role, request(), { as: caller })).toBe(`by-${caller.displayName}`)
})
