/** The route that signs public keys. */
import type { Call, Route } from '../../core/engine.ts'
import { secret } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { textMapOf, textOf } from '../../core/fields.ts'
import { type PublicKey, parsePublicKey } from './key-formats.ts'
import { signCertificate } from './openssh-certificate.ts'
import { roleNamed } from './roles.ts'
import type { SshRules } from './rules.ts'
import type { CertificateType } from './sign.rules.ts'
import type { Role, SshState } from './state.ts'

type SshCall = Call<SshState, SshRules>

const principalsOf = (call: SshCall, role: Role, type: CertificateType): string[] => {
  const { rules } = call
  const requested = rules.requestedPrincipals(textOf(call.body, 'valid_principals'))
  const principals = requested.length > 0 ? requested : rules.defaultPrincipals(role, type)
  const allowed = rules.allowedUsers(role, call.token)
  if (principals.length === 0 && !rules.mayNameNobody(type, allowed)) throw invalid('missing valid_principals')
  const isAllowed = (name: string) => (type === 'user' ? rules.principalAllowed(name, allowed) : rules.hostAllowed(role, name))
  if (!principals.every(isAllowed)) throw invalid('valid_principals holds a name that the role does not allow')
  return principals
}

const ttlOf = (call: SshCall, role: Role): number => {
  const { rules, mount } = call
  const maximum = rules.maxTtl(role, mount.maxLeaseTtl)
  const requested = rules.duration(call.body.ttl, 'ttl')
  if (requested === 0) return rules.defaultTtl(role, mount.defaultLeaseTtl, maximum)
  const ttl = requested > maximum ? rules.excessiveTtl(requested, maximum) : requested
  if (ttl === undefined) throw invalid('ttl is above the maximum of the role')
  return ttl
}

const keyIdOf = (call: SshCall, role: Role, key: PublicKey): string => {
  const { rules } = call
  const requested = textOf(call.body, 'key_id')
  if (rules.usesRequestedKeyId(role, requested)) return requested
  if (requested !== '' && rules.refusesForbiddenKeyId()) throw invalid('key_id is not allowed by the role')
  const displayName = call.token?.displayName ?? ''
  return rules.defaultKeyId(role, { displayName, roleName: call.params.name ?? '', publicKeyHash: rules.publicKeyHash(key) })
}

const criticalOptionsOf = (call: SshCall, role: Role): Record<string, string> => {
  const requested = textMapOf(call.body, 'critical_options')
  const forbidden = call.rules.forbiddenCriticalOptions(role, requested)
  if (forbidden.length > 0) throw invalid(`critical options not allowed by the role: ${forbidden.join(', ')}`)
  return call.rules.criticalOptions(role, requested)
}

const extensionsOf = (call: SshCall, role: Role): Record<string, string> => {
  const requested = textMapOf(call.body, 'extensions')
  if (call.rules.ignoresExtensions(role)) return call.rules.extensions(role, {})
  const forbidden = call.rules.forbiddenExtensions(role, requested)
  if (forbidden.length > 0) throw invalid(`extensions not allowed by the role: ${forbidden.join(', ')}`)
  return call.rules.extensions(role, requested)
}

export const signRoutes: Route<SshState, SshRules>[] = [
  {
    id: 'ssh.signKey',
    method: 'POST',
    path: 'sign/:name',
    handle(call) {
      const { body, rules, state, services } = call
      const role = roleNamed(call, 400)
      if (!rules.signsFor(role)) throw invalid('the role does not sign')
      const line = textOf(body, 'public_key')
      if (line === '') throw invalid('missing public_key')
      const publicKey = parsePublicKey(line, 'public_key')
      const type = rules.certificateType(textOf(body, 'cert_type'))
      if (!type) throw invalid('cert_type must be user or host')
      if (!rules.typeAllowed(role, type)) throw invalid(`the role signs no ${type} certificates`)
      if (!rules.keyLengthAllowed(role.allowed_user_key_lengths, publicKey)) throw invalid('the kind or length of the key is not allowed')
      const ca = rules.signingPair(state)
      if (!ca) throw invalid('no CA is configured')
      if (!rules.algorithmFits(role, ca.publicKey)) throw invalid('algorithm_signer must be blank for this CA')
      const now = call.now()
      const serial = rules.serial(services.random)
      const signed = signCertificate(
        {
          publicKey: rules.certificateKey(publicKey),
          serial,
          type,
          keyId: keyIdOf(call, role, publicKey),
          principals: principalsOf(call, role, type),
          validAfter: rules.validAfter(now),
          validBefore: rules.validBefore(now, ttlOf(call, role)),
          criticalOptions: criticalOptionsOf(call, role),
          extensions: extensionsOf(call, role),
          nonce: services.random.bytes(32),
        },
        ca.privateKey,
        rules.signatureAlgorithm(role),
      )
      return secret({ serial_number: rules.serialShown(serial), signed_key: `${signed}\n` })
    },
  },
]
