/** Alternative names that are addresses. */
import { type CheckContext, check, type JsonObject } from '../../../harness/checks/index.ts'
import { denied, issue, openRole, ownMount, WAYS, withRoot } from '../fixtures.ts'

const cn = { common_name: 'www.example.com' }

const roleWith = async (context: CheckContext, fields: JsonObject): Promise<string> => {
  await withRoot(context.bench)
  return openRole(context.bench, fields)
}

check('pki/ip-names', 'PKI-IPSANS-02', 'requested addresses are in the certificate', { needs: ownMount }, async (context) => {
  const role = await roleWith(context, {})
  const { facts } = await issue(context, role, { ...cn, ip_sans: '10.1.2.3,2001:db8::1,::ffff' })
  context.expect([...facts.ip].sort()).toEqual(['10.1.2.3', '2001:db8::1', '::ffff'])
})

check('pki/ip-names-forbidden', 'PKI-IPSANS-03', 'a forbidden address denies the request', { needs: ownMount }, async (context) => {
  const role = await roleWith(context, { allow_ip_sans: false, use_csr_sans: false })
  for (const ip_sans of ['10.1.2.3', '2001:db8::1', '::1', '10.1.2.3,2001:db8::1'])
    for (const way of WAYS) await denied(context.bench, role, { ...cn, ip_sans }, cn, way)
})

check('pki/ip-names-malformed', 'PKI-IPSANS-04', 'a value that is not an address is refused', { needs: ownMount }, async (context) => {
  const role = await roleWith(context, {})
  for (const ip of ['10.1.2.300', 'www.example.com', '2001:db8:::1', '10.1.2.3,nonsense']) {
    await denied(context.bench, role, { ...cn, ip_sans: ip }, { ...cn, ip_sans: '10.1.2.3' })
  }
})
