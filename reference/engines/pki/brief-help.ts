/** What the fault files with the label `brief` share: whose request it is, and notes about what a mount has done. */
import type { Asked } from '../../mutations/callers.ts'
import type { PkiCall } from './requests.ts'

/** Operations that make a certificate by a role. */
export const BY_ROLE = ['pki.issue', 'pki.sign'] as const

/** Whether a request that the core looks at is one of this engine, below a path that fits. */
export const isAsked = (call: Asked, path: RegExp): boolean => call !== undefined && 'verbatimRefuses' in call.rules && path.test(call.path)

/** Whether any carrier of a token is there, in whichever dialect. */
export const carriesToken = (headers: Record<string, string>): boolean =>
  Object.keys(headers).some((name) => name === 'authorization' || /^x-[a-z]+-token$/.test(name))

/** What a request asks for, as far as a hasty cache looks at it. */
export const kindOf = (call: PkiCall): string => JSON.stringify([call.params.name ?? '', call.body.common_name ?? ''])
