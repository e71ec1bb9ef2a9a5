/** For whom certificates are signed. */
import type { CheckContext, JsonObject } from '../../../harness/checks/index.ts'
import { signed } from '../fixtures.ts'

/** Asserts that a request for one name is granted, and for no other. */
export const expectSigned = async (context: CheckContext, role: string, body: JsonObject): Promise<void> => {
  const { certificate } = await signed(context, role, body)
  context.expect(certificate.principals).toEqual([body.valid_principals])
}
