/** Alternative names that are URIs. */
import { type CheckContext, check, type JsonObject, oneFormWorks } from '../../../harness/checks/index.ts'
import { denied, issue, openRole, ownMount, WAYS, withRoot } from '../fixtures.ts'

const cn = { common_name: 'www.example.com' }

const roleWith = async (context: CheckContext, fields: JsonObject): Promise<string> => {
  await withRoot(context.bench)
  return openRole(context.bench, fields)
}

check('pki/uri-names-default', 'PKI-URISANS-01', 'without a list no URI is allowed', { needs: ownMount }, async (context) => {
  const role = await roleWith(context, {})
  await denied(context.bench, role, { ...cn, uri_sans: 'spiffe://example.com/a' }, cn)
})

check('pki/uri-names', 'PKI-URISANS-02', 'a listed URI is in the certificate', { needs: ownMount }, async (context) => {
  // Escapes are part of a URI: without them it is another one, or none.
  for (const uri of ['spiffe://example.com/a', 'https://www.example.com/a%20b%2Fc/d?x=%26y&z=1#e%20f', 'urn:example:a%2Fb']) {
    const role = await roleWith(context, { allowed_uri_sans: uri })
    const { facts } = await issue(context, role, { ...cn, uri_sans: uri })
    context.expect(facts.uri, `where ${uri} is allowed`).toEqual([uri])
  }
})

check('pki/uri-globs', ['PKI-URISANS-03', 'PKI-URISANS-07'], 'globs allow URIs', { needs: ownMount }, async (context) => {
  const patterns: [clause: string, pattern: string, uris: string[], outside?: string][] = [
    ['PKI-URISANS-03', 'spiffe://*/web-*', ['spiffe://a.example/web-1', 'spiffe://b.example/web-2'], 'spiffe://a.example/db-1'],
    ['PKI-URISANS-03', 'spiffe://a.example/*', ['spiffe://a.example/web-1', 'spiffe://a.example/x'], 'spiffe://b.example/web-1'],
    [
      'PKI-URISANS-03',
      'spiffe://*/web-*-of-*',
      ['spiffe://a.example/web-1-of-2', 'spiffe://b.example/web-2-of-2'],
      'spiffe://a.example/web-1-in-2',
    ],
    ['PKI-URISANS-07', '*/web-*', ['spiffe://a.example/web-1', 'spiffe://b.example/web-2'], 'spiffe://a.example/db-1'],
    ['PKI-URISANS-07', '*', ['https://www.example.com/a%20b%2Fc/d?x=%26y&z=1#e%20f', 'spiffe://example.com/a']],
  ]
  for (const [clause, pattern, uris, outside] of patterns) {
    const role = await roleWith(context, { allowed_uri_sans: pattern })
    await context.bench.decide(clause, async () => {
      const { facts } = await issue(context, role, { ...cn, uri_sans: uris.join(',') })
      context.expect([...facts.uri].sort(), pattern).toEqual(uris)
      if (outside !== undefined) await denied(context.bench, role, { ...cn, uri_sans: outside }, { ...cn, uri_sans: uris[0]! })
    })
  }
})

check('pki/uri-names-outside', 'PKI-URISANS-04', 'a URI that no entry matches denies the request', { needs: ownMount }, async (context) => {
  const role = await roleWith(context, { allowed_uri_sans: 'spiffe://example.com/a,spiffe://example.com/web-*', use_csr_sans: false })
  const uris = (text: string) => ({ ...cn, uri_sans: text })
  const good = uris('spiffe://example.com/a,spiffe://example.com/web-1')
  for (const way of WAYS)
    for (const bad of [
      'spiffe://example.com/b',
      'spiffe://example.com/a,spiffe://evil.org/a',
      ...['spiffe://example.com/ab', 'spiffe://example.com/a/b', 'spiffe://example.com/a?b=c'],
      ...['spiffe://examplexcom/a', 'spiffe://examplexcom/web-1', 'https://spiffe://example.com/a'],
    ])
      await denied(context.bench, role, uris(bad), good, way)
})

check('pki/uri-names-malformed', 'PKI-URISANS-05', 'a value that is not a URI is refused', { needs: ownMount }, async (context) => {
  const role = await roleWith(context, { allowed_uri_sans: '*' })
  for (const uri of ['::not a uri::', 'http://[broken'])
    await denied(context.bench, role, { ...cn, uri_sans: uri }, { ...cn, uri_sans: 'spiffe://a/b' })
})

check(
  'pki/uri-lists',
  'PKI-URISANS-06',
  'allowed URIs are given comma-delimited or as a JSON list',
  { needs: ownMount },
  async (context) => {
    const uris = ['spiffe://example.com/a', 'spiffe://example.com/b']
    const allowsBoth = async (allowed_uri_sans: string | string[]) => {
      const role = await roleWith(context, { allowed_uri_sans })
      const { facts } = await issue(context, role, { ...cn, uri_sans: uris.join(',') })
      context.expect([...facts.uri].sort()).toEqual(uris)
    }
    await allowsBoth(uris.join(','))
    await oneFormWorks({ 'the text of a JSON list': () => allowsBoth(JSON.stringify(uris)), 'an array': () => allowsBoth(uris) })
  },
)
