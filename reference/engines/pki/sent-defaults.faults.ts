/** Faults that show where a default is sent, and where what is signed is held against what is issued. */
import { faultsOf } from '../../mutations/declare.ts'
import { requestBody } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './wrappers.ts'

const { rule, route } = faultsOf(pkiEngine, 'pki')

/** A parameter that is sent with one value is taken for another. */
const taken = (field: string, sent: string | number | boolean, as: string | number | boolean) =>
  requestBody<PkiCall>((body) => (body[field] === sent ? { ...body, [field]: as } : body))

route(
  'sent-exclusion-counts',
  ['PKI-ISSUE-19'],
  'exclude_cn_from_sans leaves the common name out of the alternative names where it is sent, whatever its value',
  ['pki.issue', 'pki.sign'],
  taken('exclude_cn_from_sans', false, true),
)

route(
  'sent-limit-of-root',
  ['PKI-ROOT-25'],
  'a root asked for with a path length of -1 has one of 0',
  'pki.generateRoot',
  taken('max_path_length', -1, 0),
)

route(
  'sent-limit-of-intermediate',
  ['PKI-INTER-24'],
  'an intermediate asked for with a path length of -1 has one of 0',
  'pki.signIntermediate',
  taken('max_path_length', -1, 0),
)

rule('signed-without-policies', ['PKI-SIGN-14'], 'what a role signs is without the constraints that what it issues has', {
  basicConstraints: (original) => (role, request) => (request === undefined ? original(role, request) : []),
})
