/** Routes of the pair that signs. */
import type { Call, Route } from '../../core/engine.ts'
import { empty, secret, text } from '../../core/envelope.ts'
import { ApiError, invalid } from '../../core/errors.ts'
import { flagOf, textOf } from '../../core/fields.ts'
import { publicKeyLine } from './key-formats.ts'
import type { SshRules } from './rules.ts'
import type { CaPair, SshState } from './state.ts'

const suppliedPair = (call: Call<SshState, SshRules>, privateText: string, publicText: string): CaPair => {
  const { rules } = call
  const missing = rules.missingOfPair(privateText, publicText)
  if (missing.length > 0) throw invalid(`missing ${missing.join(', ')}`)
  const privateKey = rules.parsePrivate(privateText)
  const pair = { privateKey, publicKey: rules.parsePublic(publicText, privateKey) }
  if (!rules.pairMatches(pair)) throw invalid('private_key and public_key are not a pair')
  return pair
}

export const caRoutes: Route<SshState, SshRules>[] = [
  {
    id: 'ssh.writeCa',
    method: 'POST',
    path: 'config/ca',
    handle(call) {
      const { body, rules, state } = call
      const privateText = textOf(body, 'private_key')
      const publicText = textOf(body, 'public_key')
      const hasKeys = privateText !== '' || publicText !== ''
      const isSet = body.generate_signing_key !== undefined && body.generate_signing_key !== null
      const flag = isSet ? flagOf(body, 'generate_signing_key', true) : undefined
      const generates = flag ?? rules.generateUnset(hasKeys)
      if (generates && hasKeys && isSet && !rules.generateIgnoresKeys()) throw invalid('keys are given and one is to be generated')
      state.ca = rules.replaceCa(state.ca, generates ? rules.generatePair() : suppliedPair(call, privateText, publicText))
      return rules.showsGenerated(flag) ? secret({ public_key: publicKeyLine(state.ca.publicKey) }) : empty()
    },
  },
  {
    id: 'ssh.readCa',
    method: 'GET',
    path: 'config/ca',
    handle(call) {
      const line = call.rules.caShown(call.state)
      if (line === undefined) throw new ApiError(call.rules.noCaStatus(), 'no CA is configured')
      return secret({ public_key: line })
    },
  },
  {
    id: 'ssh.deleteCa',
    method: 'DELETE',
    path: 'config/ca',
    handle(call) {
      call.state.ca = call.rules.deleteCa(call.state.ca)
      return empty()
    },
  },
  {
    id: 'ssh.readPublicKey',
    method: 'GET',
    path: 'public_key',
    unauthenticated: true,
    handle(call) {
      const line = call.rules.publicKeyShown(call.state)
      if (line === undefined) throw new ApiError(call.rules.noCaStatus(), 'no CA is configured')
      return text('text/plain', `${line}\n`)
    },
  },
]
