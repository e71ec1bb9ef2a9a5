/**
 * Prints how much time of a processor the parts of the harness that read what a server wrote take for hostile texts of 1, 4 and 16 MB:
 * `npx tsx bench/long-texts.ts WORDS`. Each cell runs in a process of its own and ends after a minute of it; a row is linear where four times the text
 * takes about four times as long.
 */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const MB = 1024 * 1024
const SIZES = [1, 4, 16]
/** Seconds of a processor. */
const LONGEST = 60

type Place = (bytes: number) => Promise<() => unknown>

const filled = (piece: string, bytes: number): string => piece.repeat(Math.floor(bytes / piece.length))
const listOf = (bytes: number): string[] => Array.from({ length: bytes / 16 }, (_, index) => `member-${index}`.padEnd(14, '.'))
const lines = (bytes: number, mark: string): string => listOf(bytes).join(`${mark}\n`)

const expecting =
  (of: (bytes: number) => { seen: unknown; wanted: unknown; matcher: 'toBe' | 'toEqual' | 'toMatchObject' | 'toContainEqual' }): Place =>
  async (bytes) => {
    const { countingExpect } = await import('../harness/checks/expect.ts')
    const expect = countingExpect(() => undefined)
    const { seen, wanted, matcher } = of(bytes)
    return () => {
      try {
        expect(seen)[matcher](wanted as object)
      } catch {}
    }
  }

const formatting =
  (format: string, text: (bytes: number) => string): Place =>
  async (bytes) => {
    const { formatValidators } = await import('../harness/contract/format-validators.ts')
    const test = formatValidators[format] as (text: string) => boolean
    const value = text(bytes)
    return () => test(value)
  }

const validating =
  (schema: object, value: (bytes: number) => unknown): Place =>
  async (bytes) => {
    const { judgeAnswer } = await import('../harness/contract/validate.ts')
    type Operation = Parameters<typeof judgeAnswer>[0]
    const operation = {
      id: 'a.b',
      clause: 'A-B-01',
      responses: { 200: { schema, mediaTypes: ['application/json'] } },
    } as unknown as Operation
    const body = value(bytes) as Parameters<typeof judgeAnswer>[1]['body']
    return () => judgeAnswer(operation, { status: 200, contentType: 'application/json', body, size: bytes })
  }

const reading =
  (text: (bytes: number) => string): Place =>
  async (bytes) => {
    const { parseJson } = await import('../harness/base/parse.ts')
    const value = text(bytes)
    return () => parseJson(value)
  }

const certificate =
  (text: (bytes: number) => string): Place =>
  async (bytes) => {
    const { factsOf } = await import('../harness/oracles/x509.ts')
    const value = text(bytes)
    return () => factsOf(value)
  }

const oracle =
  (call: (text: string) => Promise<(text: string) => unknown>, text: (bytes: number) => string): Place =>
  async (bytes) => {
    const value = text(bytes)
    const run = await call(value)
    return () => run(value)
  }

/** Hides what is secret of a text, by five thousand values. */
const hiding =
  (text: (bytes: number) => string): Place =>
  async (bytes) => {
    const { SecretRegistry } = await import('../harness/secrets/secrets.ts')
    const secrets = new SecretRegistry()
    for (let number = 0; number < 5000; number += 1)
      secrets.add(`Qx${(number * 104_729).toString(36)}Zr${(number * 7919).toString(36)}abcXYZ`)
    secrets.add(ISSUED)
    const value = text(bytes)
    return () => secrets.redact(value)
  }

/** Learns from an answer of an operation that hands out credentials. */
const learning =
  (text: (bytes: number) => string): Place =>
  async (bytes) => {
    const { learnFrom } = await import('../harness/secrets/learn.ts')
    const { parseJson } = await import('../harness/base/parse.ts')
    const { SecretRegistry } = await import('../harness/secrets/secrets.ts')
    const secrets = new SecretRegistry()
    const parsed = parseJson(text(bytes))
    const body = 'value' in parsed ? parsed.value : undefined
    const answer = { status: 200, headers: {}, body, bytes: Buffer.from(text(bytes)) }
    return () => learnFrom(secrets, { operation: undefined, token: undefined, path: '/', sent: { role: 'one' }, answer })
  }

/** Compares the answers of two servers. */
const comparing =
  (of: (bytes: number, side: string) => unknown): Place =>
  async (bytes) => {
    const { bothNames, differencesBetween } = await import('../harness/against/canonical.ts')
    type Body = Parameters<typeof differencesBetween>[0]
    const [left, right] = ['l', 'r'].map((side) => of(bytes, side) as Body)
    return () => differencesBetween(left, right, bothNames('abcdef', 'ghijkl'))
  }

const ISSUED = 'Zq9xKp2mWv7tLb4n'

const PLACES: Record<string, Place> = {
  'secrets: words': hiding((bytes) => filled('the request was refused because of a reason; ', bytes)),
  'secrets: one again and again': hiding((bytes) => filled(`${ISSUED} `, bytes)),
  'secrets: pieces of one': hiding((bytes) => filled(`${ISSUED.slice(0, 12)}?`, bytes)),
  'secrets: base64 in short lines': hiding((bytes) => `AbC9AbC9AbC9\n${filled('AbC9\n', bytes)}`),
  'secrets: lists of bytes': hiding((bytes) => filled('90, 113, 57, ', bytes)),
  'likeness of two answers': oracle(
    async () => {
      const { isLike, likenessOf } = await import('../harness/replay/likeness.ts')
      return (text) => isLike(likenessOf(200, text, [ISSUED]).body, text)
    },
    (bytes) => filled('aB/c=d.', bytes),
  ),
  'JSON: brackets in a string': reading((bytes) => JSON.stringify(filled('[{', bytes))),
  'JSON: escapes': reading((bytes) => JSON.stringify(filled('\\"', bytes / 2))),
  'JSON: levels': reading((bytes) => filled('[', bytes)),
  'schema: every item is wrong': validating(
    { type: 'object', properties: { keys: { type: 'array', items: { type: 'string' } } } },
    (bytes) => ({
      keys: Array.from({ length: bytes / 8 }, (_, index) => index),
    }),
  ),
  'schema: every member is unknown': validating({ type: 'object', additionalProperties: false }, (bytes) =>
    Object.fromEntries(listOf(bytes).map((name) => [name, 1])),
  ),
  'format: a public key of spaces': formatting('ssh-public-key', (bytes) => `ssh-rsa AAAA ${filled(' ', bytes)}\nx`),
  'format: base64': formatting('base64', (bytes) => `${filled('A', bytes)}!`),
  'format: serial': formatting('serial', (bytes) => `${filled('aa:', bytes)}!`),
  'format: PEM without an end': formatting('pem', (bytes) => `-----BEGIN A-----\n${filled('-----END B', bytes)}`),
  'format: CIDR list': formatting('cidr-list', (bytes) => filled('10.0.0.0/8,', bytes)),
  'expect: two texts of many lines': expecting((bytes) => ({ seen: lines(bytes, 'a'), wanted: lines(bytes, 'b'), matcher: 'toBe' })),
  'expect: two lists': expecting((bytes) => ({ seen: listOf(bytes), wanted: listOf(bytes).map((one) => `${one}x`), matcher: 'toEqual' })),
  'expect: a list and an object': expecting((bytes) => ({
    seen: { keys: listOf(bytes) },
    wanted: { keys: ['a'] },
    matcher: 'toMatchObject',
  })),
  'expect: an object of many members': expecting((bytes) => ({
    seen: Object.fromEntries(listOf(bytes).map((name) => [name, 1])),
    wanted: {},
    matcher: 'toEqual',
  })),
  'learning: many texts': learning((bytes) =>
    JSON.stringify({ data: listOf(bytes).map((one, at) => `${(at * 104_729).toString(36)}Qx${one}`) }),
  ),
  'learning: many members': learning((bytes) =>
    JSON.stringify({ data: Object.fromEntries(listOf(bytes).map((one, at) => [`${(at * 104_729).toString(36)}Qx${one}`, at])) }),
  ),
  'learning: a long sentence': learning((bytes) => JSON.stringify({ errors: [filled('no upstream for Zq9xKp2mWv7tLb4n; ', bytes)] })),
  'learning: a page': learning((bytes) => filled('<p>no upstream for Zq9xKp2mWv7tLb4n</p>', bytes)),
  'learning: escapes of escapes': learning((bytes) => JSON.stringify({ errors: [filled('%2525&amp;\\\\u0041', bytes)] })),
  'JSON: members that repeat': oracle(
    async () => {
      const { repeatsMembers } = await import('../harness/base/parse.ts')
      return (text) => repeatsMembers(text, { a: 1 })
    },
    (bytes) => `{${filled('"a":1,', bytes)}"a":1}`,
  ),
  'compare: two lists of chosen values': comparing((bytes, side) =>
    listOf(bytes).map((one, at) => `${side}${(at * 104_729).toString(36)}${one}`),
  ),
  'compare: two objects of chosen values': comparing((bytes, side) =>
    Object.fromEntries(listOf(bytes).map((one, at) => [one, `${side}${(at * 104_729).toString(36)}${one}`])),
  ),
  'compare: two texts of names': comparing((bytes, side) => filled(`assay-abcdef-${side}x `, bytes)),
  'replay: what later requests hold': oracle(
    async () => {
      const { capturesIn } = await import('../harness/replay/captures.ts')
      const sent = (text: string) => ({
        request: { method: 'GET', path: '/', headers: {}, body: text },
        answer: { bytes: Buffer.from(text) },
      })
      return (text) => capturesIn([sent(text), sent('{}'), sent(text)], new Set())
    },
    (bytes) => JSON.stringify(listOf(bytes)),
  ),
  'page: expected and seen': oracle(
    async () => (await import('../reports/page/contrast.tsx')).Contrast as unknown as (text: string) => unknown,
    (bytes) => filled('a b c ', bytes),
  ),
  'certificate: PEM of one letter': certificate((bytes) => `-----BEGIN CERTIFICATE-----\n${filled('A', bytes)}`),
  'certificate: PEM of spaces': certificate((bytes) => `-----BEGIN CERTIFICATE-----\n${filled(' ', bytes)}`),
  'certificate: many beginnings': certificate((bytes) => filled('-----BEGIN CERTIFICATE-----\n', bytes)),
  'certificate: another reader': oracle(
    async () => (await import('../harness/oracles/x509-node.ts')).nodeFacts,
    (bytes) => filled('-----BEGIN CERTIFICATE-----\n', bytes),
  ),
  'revocations: many beginnings': oracle(
    async () => {
      const { crlFactsOf } = await import('../harness/oracles/x509.ts')
      return (text) => crlFactsOf(text, text)
    },
    (bytes) => filled('-----BEGIN X509 CRL-----\n', bytes),
  ),
  'ssh: a key of spaces': oracle(
    async () => (await import('../harness/oracles/ssh-keys.ts')).sshKeyFacts,
    (bytes) => `ssh-rsa ${filled(' ', bytes)}`,
  ),
  'ssh: a key of one letter': oracle(
    async () => (await import('../harness/oracles/ssh-keys.ts')).sshKeyFacts,
    (bytes) => `ssh-rsa ${filled('A', bytes)}`,
  ),
  'ssh: a pair of dashes': oracle(
    async () => (await import('../harness/oracles/ssh-keys.ts')).sshKeyPairOf,
    (bytes) => filled('-----BEGIN A KEY-----\n', bytes),
  ),
  'ssh: a certificate of one letter': oracle(
    async () => (await import('../harness/oracles/ssh-certificate-reader.ts')).readCertificateLine,
    (bytes) => `ssh-rsa-cert-v01@openssh.com ${filled('A', bytes)}`,
  ),
  'private keys: many beginnings': oracle(
    async () => {
      const { privateParts } = (await import('../harness/secrets/private-keys.ts')) as unknown as {
        privateParts?: (text: string) => unknown
      }
      return privateParts ?? (() => undefined)
    },
    (bytes) => filled('-----BEGIN PRIVATE KEY-----', bytes),
  ),
  'check: shows a private key': oracle(
    async () => {
      const { showsPrivateKey } = await import('../suites/ssh/ca/ca-pair.ts')
      return (text) => showsPrivateKey({ text } as Parameters<typeof showsPrivateKey>[0])
    },
    (bytes) => filled('BEGIN ', bytes),
  ),
}

const inChild = (name: string, mb: number): Promise<string> =>
  new Promise((done) => {
    const words = ['--max-old-space-size=3000', '--import', 'tsx', fileURLToPath(import.meta.url), '--cell', name, String(mb)]
    // The shell ends a process that has had so much time of a processor, however busy the machine is.
    const child = spawn('sh', ['-c', `ulimit -t ${LONGEST}; exec "$0" "$@"`, process.execPath, ...words], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')))
    child.on('close', (code, signal) => done(signal !== null ? `> ${LONGEST}` : code === 0 ? said : `died (${code})`))
  })

const [first, name, mb] = process.argv.slice(2)
if (first === '--cell') {
  const run = await PLACES[name!]!(Number(mb) * MB)
  const begun = process.cpuUsage()
  let end = ''
  try {
    await run()
  } catch (error) {
    end = ` (${(error as Error).name})`
  }
  const { user, system } = process.cpuUsage(begun)
  process.stdout.write(((user + system) / 1e6).toFixed(2) + end)
  process.exit(0)
}
process.stdout.write(`| place | ${SIZES.map((size) => `${size} MB, s`).join(' | ')} |\n|---|${SIZES.map(() => '---|').join('')}\n`)
for (const place of Object.keys(PLACES).filter((one) => one.includes(process.argv.slice(2).join(' ')))) {
  const cells: string[] = []
  for (const size of SIZES) cells.push(cells.at(-1)?.startsWith('>') === true ? cells.at(-1)! : await inChild(place, size))
  process.stdout.write(`| ${place} | ${cells.join(' | ')} |\n`)
}
