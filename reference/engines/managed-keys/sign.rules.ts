/** Decisions about the test of a key: what is asked of a module, and what is made there. */
import { invalid } from '../../core/errors.ts'
import { flagOf, textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { SignRequest } from './sign-request.ts'
import type { ManagedKey } from './state.ts'

const HASHES = ['sha1', 'sha2-224', 'sha2-256', 'sha2-384', 'sha2-512', 'sha3-224', 'sha3-256', 'sha3-384', 'sha3-512']

export const signRules = {
  pssOf: (body: JsonObject): boolean => flagOf(body, 'use_pss', false),
  hashOf(body: JsonObject): string {
    const hash = textOf(body, 'hash_algorithm') || 'sha2-256'
    if (!HASHES.includes(hash)) throw invalid(`hash_algorithm must be one of ${HASHES.join(', ')}`)
    return hash
  },
  /** A key that is named by its id has to be there. */
  generates: (key: ManagedKey): boolean => key.parameters.allow_generate_key === true && key.parameters.key_label !== '',
  forcesReadWrite: (key: ManagedKey): boolean => key.parameters.force_rw_session === true,
  /** How many requests may be in the module at once. */
  parallelOf: (key: ManagedKey): number => Number(key.parameters.max_parallel),
  request: (request: SignRequest): SignRequest => request,
  /** Whether the module is asked at all. */
  asks: (_key: ManagedKey): boolean => true,
  /** Status and words of a test that the module did not pass. */
  failureStatus: (): number => 400,
  failureText: (problem: string, _key: ManagedKey): string => `the test of the key failed: ${problem}`,
  /** Whether a problem of the module fails the test. */
  fails: (_problem: string): boolean => true,
}
