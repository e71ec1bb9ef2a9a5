/** What went wrong in the sample results: one story for each clause that does not hold. */
import type { CheckResult, ExchangeRecord } from '../../specs/meta/results.ts'

const SERVER = 'https://secrets.staging.example:8200'

/** One clause's failure: what its check expected and saw, and the exchanges that show it. */
interface Story {
  message: string
  expected: string
  seen: string
  calls: [operation: string, caller: string, method: string, path: string, sent: string, status: number, answer: string][]
  counterexample?: string
}

const STORIES: Record<string, Story> = {
  'CORE-METHOD-02': {
    message: 'LIST and GET with list=true differ',
    expected: '200 with data.keys ["a","b/"], as GET with list=true answered',
    seen: '405 with errors ["unsupported method"]',
    calls: [
      [
        'kv1.listSecrets',
        'root',
        'GET',
        '/v1/assay-as7k2m9q-kv1/team?list=true',
        '',
        200,
        '{"data":{"keys":["a","b/"]},"lease_duration":0}',
      ],
      ['kv1.listSecrets', 'root', 'LIST', '/v1/assay-as7k2m9q-kv1/team', '', 405, '{"errors":["unsupported method"]}'],
    ],
  },
  'CORE-ERROR-01': {
    message: 'errors is a string',
    expected: 'errors: an array of strings',
    seen: 'errors: "permission denied"',
    calls: [['core.lookupToken', 'wrong', 'GET', '/v1/auth/token/lookup-self', '', 403, '{"errors":"permission denied"}']],
  },
  'SSH-VERIFY-02': {
    message: 'the second use of the password was accepted',
    expected: 'a refusal (4xx) with the error body, and nothing changed',
    seen: '200 with data {"ip":"10.1.2.3","role_name":"otp","username":"ubuntu"}',
    calls: [
      [
        'ssh.createCredential',
        'root',
        'POST',
        '/v1/assay-as7k2m9q-ssh/creds/otp',
        '{"ip":"10.1.2.3"}',
        200,
        '{"data":{"ip":"10.1.2.3","key":"‹otp-1›","key_type":"otp","port":22,"username":"ubuntu"}}',
      ],
      [
        'ssh.verifyOtp',
        'none',
        'POST',
        '/v1/assay-as7k2m9q-ssh/verify',
        '{"otp":"‹otp-1›"}',
        200,
        '{"data":{"ip":"10.1.2.3","role_name":"otp","username":"ubuntu"}}',
      ],
      [
        'ssh.verifyOtp',
        'none',
        'POST',
        '/v1/assay-as7k2m9q-ssh/verify',
        '{"otp":"‹otp-1›"}',
        200,
        '{"data":{"ip":"10.1.2.3","role_name":"otp","username":"ubuntu"}}',
      ],
    ],
  },
  'KV-WRITE-01': {
    message: 'the stored object holds members of the earlier write',
    expected: '{"y":2}',
    seen: '{"x":1,"y":2}',
    calls: [['kv1.readSecret', 'root', 'GET', '/v1/assay-as7k2m9q-kv1/a', '', 200, '{"data":{"x":1,"y":2},"lease_duration":2764800}']],
    counterexample: '1. write a = {"x": 1}\n2. write a = {"y": 2}\n3. read a   answered {"x": 1, "y": 2}, the model says {"y": 2}',
  },
  'CORE-TOKEN-04': {
    message: 'another status',
    expected: '403',
    seen: '400',
    calls: [['core.lookupToken', 'none', 'GET', '/v1/auth/token/lookup-self', '', 400, '{"errors":["missing client token"]}']],
  },
  'KV-RACE-01': {
    message: 'no order of the writes explains the reads',
    expected: 'one of {"n":1} and {"n":2}',
    seen: '404 while both writes had been answered',
    calls: [['kv1.readSecret', 'root', 'GET', '/v1/assay-as7k2m9q-kv1/r', '', 404, '{"errors":[]}']],
    counterexample: 'before:   write r = {"n": 0}\nbranch 1: write r = {"n": 1}   204\nbranch 2: write r = {"n": 2}   204, read r   404',
  },
}

/** The part of a check's result that tells of its failure; empty for a clause that holds. */
export const sampleFailure = (clause: string): Pick<CheckResult, 'decisions' | 'evidence'> & Partial<CheckResult> => {
  const story = STORIES[clause]
  if (story === undefined) return { decisions: [], evidence: [] }
  const { message, expected, seen, calls, counterexample } = story
  return {
    decisions: [{ clause, outcome: 'violated', message, expected, seen, exchange: calls.length }],
    evidence: calls.map(exchange),
    ...(counterexample === undefined ? {} : { counterexample, stability: 'deterministic', kind: 'model' }),
  }
}

const exchange = ([operation, caller, method, path, sent, status, answer]: Story['calls'][number], index: number): ExchangeRecord => {
  const token: Record<string, string> = caller === 'none' ? {} : { 'x-vault-token': '$ASSAY_TOKEN' }
  const carrier = caller === 'none' ? '' : ' -H "x-vault-token: $ASSAY_TOKEN"'
  return {
    number: index + 1,
    operation,
    caller,
    request: {
      method,
      url: `${SERVER}${path}`,
      headers: { ...token, ...(sent === '' ? {} : { 'content-type': 'application/json' }) },
      ...(sent === '' ? {} : { body: sent }),
    },
    response: { status, headers: { 'content-type': 'application/json', 'content-length': String(answer.length) }, body: answer },
    durationMs: 2.4 + index,
    curl: `curl -sS -X ${method}${carrier}${sent === '' ? '' : ` -H 'content-type: application/json' -d '${sent}'`} '${SERVER}${path}'`,
  }
}
