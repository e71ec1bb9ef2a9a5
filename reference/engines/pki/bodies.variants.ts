/** Legal alternatives of what requests hold. */
import { invalid } from '../../core/errors.ts'
import { variantsOf } from '../../mutations/declare.ts'
import { pkiEngine } from './engine.ts'

const { rule, route } = variantsOf(pkiEngine)

rule('requests-unproven', '`csr-signature`: advised', 'the signature of a certificate request is not looked at', {
  requestProven: () => () => true,
})
route(
  'permitted-domains-blank',
  'the table gives them no default',
  'an empty text of permitted domains is refused',
  ['pki.generateRoot', 'pki.signIntermediate'],
  (original) => (call) => {
    if (call.body.permitted_dns_domains === '') throw invalid('permitted_dns_domains is empty')
    return original(call)
  },
)
