/** A role decides the same of what it signs as of what it issues. */
import { certificateRequest, check, type JsonObject } from '../../../harness/checks/index.ts'
import { newRole, ownMount, withRoot } from '../fixtures.ts'
import { outcome, rolesAndRequests } from './role-settings.ts'

/** Names come from the body on both ways, and not from the certificate request. */
const FROM_BODY = { use_csr_common_name: false, use_csr_sans: false }

check(
  'pki/both-ways',
  'PKI-SIGN-14',
  'with names of the body, signing comes to what issuing comes to',
  { needs: ownMount },
  async ({ bench, expect }) => {
    await withRoot(bench)
    const csr = await certificateRequest({ commonName: 'www.example.com' })
    for (const { fields, requests } of bench.few(rolesAndRequests()))
      for (const settings of fields) {
        const role = await newRole(bench, { ...settings, ...FROM_BODY })
        for (const more of requests) {
          const request: JsonObject = { common_name: 'www.example.com', ...more }
          const [issued, signed] = [await outcome(bench, role, request, false), await outcome(bench, role, { ...request, csr }, false)]
          expect(signed, `by a role of ${JSON.stringify(settings)}, asked for ${JSON.stringify(request)}`).toEqual(issued)
        }
      }
  },
)
