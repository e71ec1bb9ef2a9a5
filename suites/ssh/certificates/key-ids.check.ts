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
import { rsaPair } from '../rsa-keys.ts'

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

/** A display name of what such a name may hold. A provisioner may tidy it: the target's word for it is what counts. */
const ODD = 'Harbour.Pilot_7 (a+b)@East'

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

/** What makes the request one for a host. */
const HOST: JsonObject = { cert_type: 'host', valid_principals: 'web.example.com' }

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
    for (const id of bench.few(ids))
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
    for (const fields of bench.few(CLOSED, 2)) {
      const closed = await roleWith(bench, caFields({ allowed_domains: '*', allow_host_certificates: true, ...fields }))
      for (const more of [{}, HOST]) {
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
  const callers = [await knownCaller(bench), await knownCaller(bench, ODD)]
  const variants: JsonObject[] = [{}, { allow_user_key_ids: true }]
  for (const fields of bench.few(variants, 1)) {
    const role = await roleWith(bench, caFields(fields))
    // One role for all of them, in turns: what it signed for one says nothing of the next.
    for (const caller of [...callers, ...callers]) {
      expect(await keyIdOf(context, role, request(), { as: caller })).toBe(caller.displayName)
      expect(await keyIdOf(context, role, request({ key_id: '' }), { as: caller }), 'with an empty key id').toBe(caller.displayName)
      expect(await keyIdOf(context, role, request(), { as: caller, carrier: 'bearer' }), 'by a bearer').toBe(caller.displayName)
    }
  }
})

/** How a server may spell a checksum. */
const spellings = (digest: Buffer): string[] => {
  const unpadded = digest.toString('base64').replace(/=+$/, '')
  return [digest.toString('hex'), digest.toString('hex').toUpperCase(), digest.toString('base64'), unpadded, `SHA256:${unpadded}`]
}

/** A role that composes key ids, for users and hosts. Its name has letters of both cases and signs, which the key id keeps. */
const composing = async (bench: Bench, key_id_format: string): Promise<string> => {
  const name = bench.mixedName('role')
  const body = caFields({ key_id_format, allow_host_certificates: true, allowed_domains: '*' })
  await bench.given('ssh.writeRole', { path: { name }, body })
  return name
}

check(
  'ssh/key-id-format',
  ['SSH-KEYFMT-02', 'SSH-KEYFMT-03', 'SSH-KEYFMT-04'],
  'the role composes the key id',
  ownMount,
  async (context) => {
    const { bench, expect } = context
    await withCa(bench)
    const user = userPair()
    const named = [await roleWith(bench, caFields({ key_id_format: '{{role_name}}' })), await composing(bench, '{{role_name}}')]
    await bench.decide('SSH-KEYFMT-02', async () => {
      for (const role of named) expect(await keyIdOf(context, role, request())).toBe(role)
    })
    const hashes = await composing(bench, '{{public_key_hash}}')
    const hashed = await keyIdOf(context, hashes, request())
    await bench.decide('SSH-KEYFMT-03', async () => {
      expect(spellings(user.digest)).toContain(hashed)
      // Of the key that was sent, and of nothing else on its line.
      const { digest, publicKey } = rsaPair('user3072')
      expect(spellings(digest)).toContain(await keyIdOf(context, hashes, request({ public_key: publicKey })))
      const [kind, blob] = user.publicKey.trim().split(' ')
      expect(await keyIdOf(context, hashes, request({ public_key: `${kind} ${blob} Pilot@East` })), 'with a comment').toBe(hashed)
    })
    const composed = await composing(bench, 'team/{{role_name}}:{{public_key_hash}}-{{role_name}}!')
    const written = await composing(bench, 'Team_7.A+b (100%) $& {{role_name}} @East, #1')
    await bench.decide('SSH-KEYFMT-04', async () => {
      for (const more of [{}, HOST]) expect(await keyIdOf(context, composed, request(more))).toBe(`team/${composed}:${hashed}-${composed}!`)
      expect(await keyIdOf(context, written, request())).toBe(`Team_7.A+b (100%) $& ${written} @East, #1`)
    })
  },
)

check('ssh/key-id-format-caller', 'SSH-KEYFMT-01', 'the key id can hold the display name of the token', ownMount, async (context) => {
  const { bench, expect } = context
  await withCa(bench)
  const callers = [await knownCaller(bench), await knownCaller(bench, ODD)]
  const by = await composing(bench, 'by-{{token_display_name}}')
  const both = await composing(bench, '{{token_display_name}}/{{role_name}}/{{token_display_name}}')
  for (const caller of callers) {
    const { displayName } = caller
    expect(await keyIdOf(context, by, request(), { as: caller })).toBe(`by-${displayName}`)
    expect(await keyIdOf(context, by, request(HOST), { as: caller }), 'of a host').toBe(`by-${displayName}`)
    expect(await keyIdOf(context, both, request(), { as: caller })).toBe(`${displayName}/${both}/${displayName}`)
  }
})
