/** What the faults of these files share. */
import type { Asked } from '../../mutations/callers.ts'
import type { PkiCall } from './requests.ts'

/** The name of the role that a request is about. */
export const nameOf = ({ params }: PkiCall): string => params.name ?? ''

/** The same request about a role of another name. */
export const about = (call: PkiCall, name: string): PkiCall => ({ ...call, params: { ...call.params, name } })

/** Whether a request, seen by the conventions, is one to this engine. */
export const isPki = (call: Asked): call is NonNullable<Asked> => call !== undefined && 'serialKey' in call.rules
