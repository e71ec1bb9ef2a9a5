/** Critical options and extensions that certificates are asked for with. */
import type { CheckContext, JsonObject, SshCertificate } from '../../../harness/checks/index.ts'
import { caFields, request, roleWith, signed } from '../fixtures.ts'

export const FORCED = { 'force-command': '/usr/bin/uptime' }
export const SOURCE = { 'source-address': '10.0.0.0/8' }

/** A request for a user's certificate with further members. */
export const optionRequest = (more: JsonObject = {}): JsonObject => ({ ...request('ubuntu'), ...more })

/** The certificate that a new role with these fields signs for such a request. */
export const certificateFor = async (context: CheckContext, fields: JsonObject, more: JsonObject = {}): Promise<SshCertificate> =>
  (await signed(context, await roleWith(context.bench, caFields(fields)), optionRequest(more))).certificate
