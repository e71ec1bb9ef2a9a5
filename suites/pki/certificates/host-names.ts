/** A role for one domain, and requests for names in it. */
import type { Bench, JsonObject } from '../../../harness/checks/index.ts'
import { newRole } from '../fixtures.ts'

export const cn = (name: string): JsonObject => ({ common_name: name })

export const one = { allowed_domains: ['one.example'] }

/** A role that admits what is below its domain; answers its name. */
export const subdomains = (bench: Bench): Promise<string> => newRole(bench, { ...one, allow_subdomains: true })
