/** Faults of how the pair that signs is shown, replaced and deleted. */

import { secret } from '../../core/envelope.ts'
import { ApiError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../faults/declare.ts'
import { replyStatus } from '../../faults/wrappers.ts'
import { sshEngine } from './engine.ts'
import { publicKeyLine } from './key-formats.ts'
import type { CaPair, SshState } from './state.ts'
import { newPair } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(sshEngine)

/** The first pair that a mount ever had, whatever became of it. */
const firstPair = (): ((state: SshState) => CaPair | undefined) => {
  const seen = new WeakMap<object, CaPair>()
  return (state) => {
    const pair = seen.get(state.roles) ?? state.ca
    if (pair) seen.set(state.roles, pair)
    return pair
  }
}
/** Shows or uses the first pair for ever. */
const stale = (): ((original: (state: SshState) => string | undefined) => (state: SshState) => string | undefined) => () => {
  const first = firstPair()
  return (state) => {
    const pair = first(state)
    return pair && publicKeyLine(pair.publicKey)
  }
}
rule('ca-route-stale', 'SSH-CA-10', 'public_key shows the first pair for ever', { publicKeyShown: stale() })
rule('ca-signs-with-first', 'SSH-CA-11', 'the first pair signs for ever', {
  signingPair: (original) => {
    const first = firstPair()
    return (state) => original(state) && first(state)
  },
})
route('ca-read-201', 'SSH-CA-12', 'the CA is answered with 201', 'ssh.readCa', replyStatus(201))
route('ca-route-typed', 'SSH-CA-13', 'the public key has another content type', 'ssh.readPublicKey', (original) => async (call) => {
  const reply = await original(call)
  return reply.raw ? { ...reply, raw: { ...reply.raw, contentType: 'application/octet-stream' } } : reply
})
route('ca-route-guarded', 'SSH-CA-14', 'the public key needs a token', 'ssh.readPublicKey', (original) => (call) => {
  if (call.headers['x-service-token'] === undefined) throw new ApiError(403, 'permission denied')
  return original(call)
})
rule('ca-routes-differ', 'SSH-CA-15', 'the route shows another key', {
  publicKeyShown: (original) => (state) => original(state) && publicKeyLine(newPair().publicKey),
})
rule('ca-config-renews', 'SSH-CA-16', 'config/ca shows another key after the deletion', {
  caShown: (original) => (state) => original(state) ?? publicKeyLine(newPair().publicKey),
})
rule('ca-route-renews', 'SSH-CA-18', 'public_key shows another key after the deletion', {
  publicKeyShown: (original) => (state) => original(state) ?? publicKeyLine(newPair().publicKey),
})
change('ca-generated-private', 'SSH-CA-22', 'a generated private key is shown beside the public one', {
  routes: {
    'ssh.writeCa': (original) => async (call) => {
      const reply = await original(call)
      const pem = String(call.state.ca?.privateKey.export({ type: 'pkcs8', format: 'pem' }))
      return reply.status === 200 ? secret({ ...((reply.body as JsonObject).data as JsonObject), private_key: pem }) : reply
    },
  },
})
rule('ca-signs-on', 'SSH-CA-17', 'the deleted pair signs on', {
  signingPair: (original) => {
    const last = new WeakMap<object, CaPair>()
    return (state) => {
      const pair = original(state) ?? last.get(state.roles)
      if (pair) last.set(state.roles, pair)
      return pair
    }
  },
})
route('ca-private-shown', 'SSH-CA-22', 'the answer to a write repeats its body', 'ssh.writeCa', (original) => async (call) => {
  const reply = await original(call)
  return reply.status === 204 ? secret(call.body) : reply
})
rule('ca-route-commented', 'SSH-CA-31', 'the public key is broken into lines', {
  publicKeyShown: (original) => (state) => original(state)?.replace(/(.{64})/g, '$1\n'),
})
const replacedBy = new WeakMap<CaPair, CaPair>()
rule('deletion-restores', 'SSH-CA-16', 'deleting a pair that replaced another brings the other back', {
  replaceCa: (original) => (existing, pair) => {
    const next = original(existing, pair)
    if (existing) replacedBy.set(next, existing)
    return next
  },
  deleteCa: () => (existing) => existing && replacedBy.get(existing),
})
change('public-key-negotiated', 'SSH-CA-13', 'public_key is an envelope for callers that accept JSON', {
  routes: {
    'ssh.readPublicKey': (original) => async (call) => {
      const given = await original(call)
      const isJson = /application\/json/.test(call.headers.accept ?? '')
      return isJson && given.raw ? secret({ public_key: Buffer.from(given.raw.bytes).toString() }) : given
    },
  },
})

export const faults = declared
