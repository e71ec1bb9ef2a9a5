/** What variants of the broker engine share. */
import type { ApiError } from '../../core/errors.ts'

/** Whether a refusal comes from the broker behind the engine. */
export const ofBackend = ({ status, message }: ApiError): boolean => status === 500 || message.includes('verified')
