/** How to make a request of every operation that succeeds. */
import { type Bench, type CallInput, certificateRequest, type JsonObject, ownCertificate, sample } from '../../harness/checks/index.ts'
import { leaveRoot, newRole, openRole, ownAuthority, ownMount, quickKey, rootWanted, twoMounts, withoutRoot, withRoot } from './fixtures.ts'

const named = 'the document only names this operation; its path and shapes are not part of the contract'
const notShown = { put: named, malformed: named, unauthenticated: named, period: named, method: named, generated: named } as const

const roleOf = async (bench: Bench, { path }: CallInput): Promise<unknown> => (await bench.call('pki.readRole', { path: path! })).data
const caOf = async (bench: Bench): Promise<unknown> => (await bench.call('pki.readCaPem')).text

sample({
  operation: 'pki.readCa',
  needs: ownMount,
  async input(bench) {
    await withRoot(bench)
    return {}
  },
})
sample({
  operation: 'pki.readCaPem',
  needs: ownMount,
  async input(bench) {
    await withRoot(bench)
    return {}
  },
})
sample({
  operation: 'pki.readCaChain',
  needs: ownMount,
  async input(bench) {
    await withRoot(bench)
    return {}
  },
})

const issued = async (bench: Bench, fields: JsonObject = {}): Promise<string> => {
  await withRoot(bench)
  const made = await bench.given('pki.issue', { path: { name: await openRole(bench, fields) }, body: { common_name: 'www.example.com' } })
  return String(made.data.serial_number)
}

sample({
  operation: 'pki.readCertificate',
  needs: ownMount,
  input: async (bench) => ({ path: { serial: await issued(bench) } }),
})
sample({
  operation: 'pki.listCertificates',
  needs: ownMount,
  async input(bench) {
    await issued(bench)
    return {}
  },
})
sample({
  operation: 'pki.writeCa',
  needs: ownAuthority,
  async input(bench) {
    const own = await ownCertificate({ commonName: bench.fresh('ca'), ca: true, hours: 24 * 30 })
    return { body: { pem_bundle: `${own.privateKey}\n${own.certificate}` } }
  },
  state: caOf,
})
sample({
  operation: 'pki.setSigned',
  needs: twoMounts,
  async input(bench) {
    await withRoot(bench)
    const request = await bench.given('pki.generateIntermediate', {
      path: { type: 'internal' },
      body: { common_name: bench.fresh('below'), ...quickKey },
      mount: 'below',
    })
    const body = { csr: String(request.data.csr), common_name: bench.fresh('below'), ttl: '24h' }
    // The contract says nothing of what the target asked with: it may be no request at all.
    const signed = await bench.given('pki.signIntermediate', { body, mount: 'pki', invalid: true })
    return { body: { certificate: String(signed.data.certificate) }, mount: 'below' }
  },
  state: async (bench) => (await bench.call('pki.readCaPem', { mount: 'below' })).text,
})
sample({
  operation: 'pki.issue',
  needs: ownMount,
  async input(bench) {
    await withRoot(bench)
    const fields = { allow_any_name: true, enforce_hostnames: false, allowed_uri_sans: '*', allowed_other_sans: '*', require_cn: false }
    return { path: { name: await newRole(bench, fields) }, body: { common_name: 'www.example.com' } }
  },
})
sample({
  operation: 'pki.revoke',
  needs: ownMount,
  input: async (bench) => ({ body: { serial_number: await issued(bench) } }),
})
sample({
  operation: 'pki.writeRole',
  needs: ownMount,
  input: async (bench) => ({ path: { name: bench.mixedName('role') }, body: { allowed_domains: ['example.com'], allow_subdomains: true } }),
  state: roleOf,
})
sample({
  operation: 'pki.readRole',
  needs: ownMount,
  input: async (bench) => ({ path: { name: await openRole(bench) } }),
})
sample({
  operation: 'pki.listRoles',
  needs: ownMount,
  async input(bench) {
    await openRole(bench)
    return {}
  },
})
sample({
  operation: 'pki.deleteRole',
  needs: ownMount,
  input: async (bench) => ({ path: { name: await openRole(bench) } }),
  state: async (bench, { path }) => (await bench.call('pki.readRole', { path: path! })).status,
})
sample({
  operation: 'pki.generateRoot',
  needs: ownAuthority,
  async input(bench) {
    await withoutRoot(bench)
    return rootWanted(bench)
  },
  state: caOf,
  excluded: { generated: 'a mount makes one root: only the first of many requests could succeed' },
})
sample({
  operation: 'pki.deleteRoot',
  needs: ownAuthority,
  async input(bench) {
    await withRoot(bench)
    leaveRoot(bench)
    return {}
  },
  async state(bench) {
    const name = await openRole(bench)
    return (await bench.call('pki.issue', { path: { name }, body: { common_name: 'www.example.com' } })).ok
  },
})
sample({
  operation: 'pki.signIntermediate',
  needs: ownMount,
  async input(bench) {
    await withRoot(bench)
    return { body: { csr: await certificateRequest({ commonName: 'a' }), common_name: bench.fresh('below'), ttl: '24h' } }
  },
})
sample({
  operation: 'pki.signSelfIssued',
  needs: ownMount,
  async input(bench) {
    await withRoot(bench)
    return { body: { certificate: (await ownCertificate({ commonName: bench.fresh('old'), ca: true })).certificate } }
  },
})
sample({
  operation: 'pki.sign',
  needs: ownMount,
  async input(bench) {
    await withRoot(bench)
    const fields = { allow_any_name: true, enforce_hostnames: false, allowed_uri_sans: '*', allowed_other_sans: '*' }
    return { path: { name: await newRole(bench, fields) }, body: { csr: await certificateRequest({ commonName: 'www.example.com' }) } }
  },
})

for (const operation of ['pki.readCrl', 'pki.readCrlPem', 'pki.readCrlConfig', 'pki.readUrls', 'pki.rotateCrl']) {
  sample({
    operation,
    needs: ownMount,
    async input(bench) {
      await withRoot(bench)
      return {}
    },
    excluded: notShown,
  })
}
sample({ operation: 'pki.writeCrlConfig', needs: ownAuthority, input: async () => ({ body: { expiry: '72h' } }), excluded: notShown })
sample({ operation: 'pki.writeUrls', needs: ownAuthority, input: async () => ({ body: {} }), excluded: notShown })
sample({ operation: 'pki.tidy', needs: ownAuthority, input: async () => ({ body: { tidy_cert_store: true } }), excluded: notShown })
sample({
  operation: 'pki.generateIntermediate',
  needs: ownAuthority,
  input: async (bench) => ({ path: { type: 'internal' }, body: { common_name: bench.fresh('below'), ...quickKey } }),
  excluded: notShown,
})
sample({
  operation: 'pki.signVerbatim',
  needs: ownMount,
  async input(bench) {
    await withRoot(bench)
    // No role says how long it lives, and the default of the mount may exceed what is left to its CA.
    return { body: { csr: await certificateRequest({ commonName: 'www.example.com' }), ttl: '1h' } }
  },
  excluded: notShown,
})
