/** Faults of what answers hold. */
import type { JsonObject } from '../../core/json.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { replyData } from '../../mutations/wrappers.ts'
import { pkiEngine } from './engine.ts'
import type { PkiCall } from './wrappers.ts'

const { route } = faultsOf(pkiEngine)

route(
  'shape-bundle-without-key-member',
  ['PKI-FORMAT-04', 'PKI-ISSUE-04'],
  'a bundle is answered without the member for the key',
  'pki.issue',
  replyData((data: JsonObject, call: PkiCall) => {
    const { private_key, ...rest } = data
    return call.body.format === 'pem_bundle' ? rest : { ...rest, private_key: private_key ?? '' }
  }),
)
