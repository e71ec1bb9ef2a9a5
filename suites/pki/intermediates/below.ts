/** A CA below another, each in a mount of its own. */
import type { Bench } from '../../../harness/checks/index.ts'
import { quickKey, withRoot } from '../fixtures.ts'

interface Below {
  root: string
  signed: string
}

/** A root in one mount and a signed intermediate for the key of the other. */
export const signedBelow = async (bench: Bench): Promise<Below> => {
  const root = await withRoot(bench)
  const name = bench.fresh('below')
  const requested = await bench.call('pki.generateIntermediate', {
    path: { type: 'internal' },
    body: { common_name: name, ...quickKey },
    mount: 'below',
  })
  if (!requested.ok || typeof requested.data.csr !== 'string') {
    bench.blocked(
      'the target makes no intermediate key at the path of its family',
      'the path is not part of the contract: map pki.generateIntermediate in a dialect',
    )
  }
  const body = { csr: String(requested.data.csr), common_name: name, ttl: '240h' }
  const signed = await bench.given('pki.signIntermediate', { body, mount: 'pki' })
  return { root, signed: String(signed.data.certificate) }
}
