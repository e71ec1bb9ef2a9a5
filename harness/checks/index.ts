/** All that suites may import. */

export { sqlPlace } from '../backends/sql-place.ts'
export { LostAnswer } from '../base/errors.ts'
export { asObject, isObject, type Json, type JsonObject } from '../base/json.ts'
export { nastyTexts } from '../contract/generate/corpora.ts'
export { type AmqpAction, amqpLogin, amqpMay } from '../oracles/amqp.ts'
export { type CloudJudge, cloudJudge, type IssuedFile, issuedFile } from '../oracles/cloud-credentials.ts'
export { type CloudPlace, cloudPlace } from '../oracles/cloud-gateway.ts'
export { forbidSigning } from '../oracles/key-use.ts'
export { spiedOn } from '../oracles/module-spy.ts'
export { turnsOf } from '../oracles/module-turns.ts'
export { keepsToken, reserveTokens, type Token, tokenOf } from '../oracles/pkcs11.ts'
export { brokerAdmin } from '../oracles/rabbitmq-management.ts'
export type { Login, SqlPlace, StoredRow } from '../oracles/sql.ts'
export { connectionStrings, sqlAddress } from '../oracles/sql-address.ts'
export { type SshCertificate, type SshKeyPair, sshOracle } from '../oracles/ssh.ts'
export { handshakeProblem } from '../oracles/tls-handshake.ts'
export type { CertificateFacts } from '../oracles/x509-facts.ts'
export { judgeCertificate, judgeCrl, pathProblem } from '../oracles/x509-judge.ts'
export {
  asTraditional,
  certificateRequest,
  forgedRequest,
  type KeyKind,
  ownCertificate,
  privateKeyForm,
  publicKeyOf,
  type RequestInput,
  requestPublicKey,
  strayKey,
} from '../oracles/x509-requests.ts'
export type { Answer, Caller, CallInput, Capability, Identity } from '../target/exchange.ts'
export { anotherCaller, namedIfAny } from './another-caller.ts'
export { apart, type Step, type View } from './apart.ts'
export { type Arbitraries, arbitraries, fc } from './arbitraries.ts'
export { isBackendFailure } from './backend-failure.ts'
export { gateTo } from './backend-gate.ts'
export { check, sample } from './check.ts'
export { everyPair } from './circuit.ts'
export { targetNow, validHere } from './clock-difference.ts'
export { comparable } from './comparable.ts'
export { elsewhere } from './elsewhere.ts'
export type { Expect } from './expect.ts'
export { goneAfterwards, neverShown, notSeenBy } from './invariants.ts'
export { endsOnceRenewed, leasesNothing, outlivesCallers, renewsWithin } from './lease-checks.ts'
export { commandsOf, type Model, model } from './model.ts'
export { nearIds } from './near-ids.ts'
export { changedAt, nearTokens } from './near-tokens.ts'
export { oneFormWorks } from './one-form.ts'
export { oddPages } from './page-checks.ts'
export { type GeneratedOptions, property } from './property.ts'
export { type Race, race } from './race.ts'
export { ReadBack } from './read-back.ts'
export { recreated } from './recreated.ts'
export { collection } from './register-collection.ts'
export { rewritten, type Setting } from './rewritten.ts'
export { secondsOf } from './shown-durations.ts'
export { sparingOne } from './sparing-one.ts'
export { chiSquare, chiSquareBound } from './statistics.ts'
export { type OperationFacts, type SweepContext, sweep } from './sweep.ts'
export { textsIn } from './texts-in.ts'
export type { Bench, CheckContext, CheckOptions, Needs, Random, Sample } from './vocabulary.ts'
export { comesToHold } from './waiting.ts'
