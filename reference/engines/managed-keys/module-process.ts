/** The entry of a process that holds one PKCS#11 module; `modules.ts` starts it and speaks with it. Requests meet where the module signs: as many as its caller lets in. */
import { createHash, createPublicKey, constants as crypto, type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto'
import pkcs11 from 'pkcs11js'
import type { ModuleCall, ModuleResult } from './modules.ts'
import type { SignRequest } from './sign-request.ts'

/** Names of hashes: ours to those of node:crypto, with the mechanism, the generator of masks and the prefix of a DigestInfo. */
const HASHES: Record<string, { name: string; mechanism: number; mgf: number; prefix: string }> = {
  sha1: { name: 'sha1', mechanism: 0x220, mgf: 1, prefix: '3021300906052b0e03021a05000414' },
  'sha2-224': { name: 'sha224', mechanism: 0x255, mgf: 5, prefix: '302d300d06096086480165030402040500041c' },
  'sha2-256': { name: 'sha256', mechanism: 0x250, mgf: 2, prefix: '3031300d060960864801650304020105000420' },
  'sha2-384': { name: 'sha384', mechanism: 0x260, mgf: 3, prefix: '3041300d060960864801650304020205000430' },
  'sha2-512': { name: 'sha512', mechanism: 0x270, mgf: 4, prefix: '3051300d060960864801650304020305000440' },
  'sha3-224': { name: 'sha3-224', mechanism: 0x2b5, mgf: 6, prefix: '302d300d06096086480165030402070500041c' },
  'sha3-256': { name: 'sha3-256', mechanism: 0x2b0, mgf: 7, prefix: '3031300d060960864801650304020805000420' },
  'sha3-384': { name: 'sha3-384', mechanism: 0x2c0, mgf: 8, prefix: '3041300d060960864801650304020905000430' },
  'sha3-512': { name: 'sha3-512', mechanism: 0x2d0, mgf: 9, prefix: '3051300d060960864801650304020a05000440' },
}

/** Object identifiers of curves in DER. */
const CURVES: Record<string, string> = {
  P224: '06052b81040021',
  P256: '06082a8648ce3d030107',
  P384: '06052b81040022',
  P521: '06052b81040023',
}

const ECDSA = 0x1041
const PSS = pkcs11.CKM_RSA_PKCS_PSS
const SIGNATURE_BYTES = 1024
const PUBLIC_EXPONENT = Buffer.from([1, 0, 1])

const module = new pkcs11.PKCS11()
module.load(process.argv[2] ?? '')
// Signatures are made beside the main thread.
module.C_Initialize({ flags: pkcs11.CKF_OS_LOCKING_OK })

const textIn = (value: string): string => value.replace(/[\s\0]+$/, '')

/** Labels of tokens by slot, as far as they could be read: a token that another program is changing has none for a moment, and keeps its own. */
const labels = new Map<bigint, string>()

/** The label of the token in a slot; empty where there is none, or none to be read now. */
const labelOf = (slot: Buffer): string => {
  const number = slot.readBigUInt64LE()
  const known = labels.get(number)
  if (known !== undefined) return known
  try {
    const label = textIn(module.C_GetTokenInfo(slot).label)
    if (label !== '') labels.set(number, label)
    return label
  } catch {
    return ''
  }
}

const PAUSE = 20
const MOST_PAUSES = 25
/** A module has one slot for a token that is still to be made. */
const EMPTY_SLOTS = 1

/** The slot that a request means. Throws where there is none. */
const slotOf = ({ slot, tokenLabel }: SignRequest): Buffer => {
  for (let pauses = 0; ; pauses += 1) {
    const slots = module.C_GetSlotList(true).filter((handle) => slot === '' || handle.readBigUInt64LE() === BigInt(slot))
    const found = slots.find((handle) => tokenLabel === '' || labelOf(handle) === tokenLabel)
    if (found !== undefined) return found
    const unread = slots.filter((handle) => labelOf(handle) === '').length
    if (unread <= EMPTY_SLOTS || pauses === MOST_PAUSES) throw new Error('there is no such token')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
  }
}

for (const slot of module.C_GetSlotList(true)) labelOf(slot)

const keyTypeOf = ({ mechanism }: SignRequest): number => (mechanism === ECDSA ? pkcs11.CKK_EC : pkcs11.CKK_RSA)

const find = (session: Buffer, request: SignRequest, kind: number): Buffer | undefined => {
  module.C_FindObjectsInit(session, [
    { type: pkcs11.CKA_CLASS, value: kind },
    { type: pkcs11.CKA_KEY_TYPE, value: keyTypeOf(request) },
    ...(request.keyLabel === '' ? [] : [{ type: pkcs11.CKA_LABEL, value: request.keyLabel }]),
    ...(request.keyId === '' ? [] : [{ type: pkcs11.CKA_ID, value: Buffer.from(request.keyId, 'hex') }]),
  ])
  const [found] = module.C_FindObjects(session, 1)
  module.C_FindObjectsFinal(session)
  return found
}

const generate = (session: Buffer, request: SignRequest): void => {
  const isEc = keyTypeOf(request) === pkcs11.CKK_EC
  const curve = CURVES[request.curve.replace('-', '').toUpperCase()]
  if (isEc && curve === undefined) throw new Error('the curve is not supported')
  const common = [
    { type: pkcs11.CKA_TOKEN, value: true },
    { type: pkcs11.CKA_LABEL, value: request.keyLabel },
    { type: pkcs11.CKA_ID, value: createHash('sha1').update(request.keyLabel).digest() },
  ]
  const kind = isEc
    ? [{ type: pkcs11.CKA_EC_PARAMS, value: Buffer.from(curve ?? '', 'hex') }]
    : [
        { type: pkcs11.CKA_MODULUS_BITS, value: request.bits },
        { type: pkcs11.CKA_PUBLIC_EXPONENT, value: PUBLIC_EXPONENT },
      ]
  module.C_GenerateKeyPair(
    session,
    { mechanism: isEc ? pkcs11.CKM_EC_KEY_PAIR_GEN : pkcs11.CKM_RSA_PKCS_KEY_PAIR_GEN },
    [...common, ...kind, { type: pkcs11.CKA_VERIFY, value: true }],
    [
      ...common,
      { type: pkcs11.CKA_SIGN, value: true },
      { type: pkcs11.CKA_PRIVATE, value: true },
      { type: pkcs11.CKA_SENSITIVE, value: true },
    ],
  )
}

const bytesOf = (session: Buffer, object: Buffer, type: number): Buffer => {
  const [attribute] = module.C_GetAttributeValue(session, object, [{ type }])
  return attribute?.value as Buffer
}

/** The public key of the pair, as node:crypto knows it. */
const publicKeyOf = (session: Buffer, request: SignRequest): KeyObject => {
  const object = find(session, request, pkcs11.CKO_PUBLIC_KEY)
  if (object === undefined) throw new Error('the module has no public key beside the private one')
  if (keyTypeOf(request) === pkcs11.CKK_RSA) {
    const [n, e] = [bytesOf(session, object, pkcs11.CKA_MODULUS), bytesOf(session, object, pkcs11.CKA_PUBLIC_EXPONENT)]
    return createPublicKey({ key: { kty: 'RSA', n: n.toString('base64url'), e: e.toString('base64url') }, format: 'jwk' })
  }
  const curve = bytesOf(session, object, pkcs11.CKA_EC_PARAMS)
  const wrapped = bytesOf(session, object, pkcs11.CKA_EC_POINT)
  // An OCTET STRING around the uncompressed point.
  const point = wrapped.subarray(wrapped[1] === 0x81 ? 3 : 2)
  const algorithm = sequence(Buffer.concat([Buffer.from('06072a8648ce3d0201', 'hex'), curve]))
  const bits = Buffer.concat([Buffer.from([0]), point])
  return createPublicKey({ key: sequence(Buffer.concat([algorithm, tagged(3, bits)])), format: 'der', type: 'spki' })
}

const length = (bytes: number): number[] => (bytes < 128 ? [bytes] : [0x81, bytes])
const tagged = (tag: number, body: Buffer): Buffer => Buffer.concat([Buffer.from([tag, ...length(body.length)]), body])
const sequence = (body: Buffer): Buffer => tagged(0x30, body)

const signWith = (session: Buffer, key: Buffer, request: SignRequest, digest: Buffer): Promise<Buffer> => {
  const hash = HASHES[request.hash]!
  const isPss = request.pss || request.mechanism === PSS
  const parameter = { type: pkcs11.CK_PARAMS_RSA_PSS, hashAlg: hash.mechanism, mgf: hash.mgf, saltLen: digest.length }
  const mechanism =
    keyTypeOf(request) === pkcs11.CKK_EC
      ? { mechanism: pkcs11.CKM_ECDSA }
      : isPss
        ? { mechanism: PSS, parameter }
        : { mechanism: pkcs11.CKM_RSA_PKCS }
  const isPlain = mechanism.mechanism === pkcs11.CKM_RSA_PKCS
  module.C_SignInit(session, mechanism, key)
  return module.C_SignAsync(
    session,
    isPlain ? Buffer.concat([Buffer.from(hash.prefix, 'hex'), digest]) : digest,
    Buffer.alloc(SIGNATURE_BYTES),
  )
}

/** PINs by slot while somebody is logged in: a login holds for all sessions of a process, so a PIN is compared with that of the others. */
const pins = new Map<string, { pin: string; sessions: number }>()

const login = (slot: Buffer, session: Buffer, pin: string): void => {
  const name = slot.toString('hex')
  const known = pins.get(name)
  if (known === undefined) module.C_Login(session, pkcs11.CKU_USER, pin)
  else if (known.pin !== pin) throw new Error('CKR_PIN_INCORRECT')
  pins.set(name, { pin, sessions: (known?.sessions ?? 0) + 1 })
}

/** The last session to be closed logs out: the next request has to know the PIN again. */
const logout = (slot: Buffer): void => {
  const name = slot.toString('hex')
  const known = pins.get(name)
  if (known !== undefined && known.sessions > 1) pins.set(name, { ...known, sessions: known.sessions - 1 })
  else pins.delete(name)
}

const test = async (request: SignRequest): Promise<void> => {
  const slot = slotOf(request)
  const mode = request.readWrite || request.generate ? pkcs11.CKF_RW_SESSION : 0
  const session = module.C_OpenSession(slot, pkcs11.CKF_SERIAL_SESSION | mode)
  let isIn = false
  try {
    login(slot, session, request.pin)
    isIn = true
    const isThere = find(session, request, pkcs11.CKO_PRIVATE_KEY) !== undefined
    if (request.generate && (!isThere || request.anew)) generate(session, request)
    const key = find(session, request, pkcs11.CKO_PRIVATE_KEY)
    if (key === undefined) throw new Error('there is no such key')
    const data = Buffer.from(request.data, 'hex')
    const hash = HASHES[request.hash]!
    const signature = await signWith(session, key, request, createHash(hash.name).update(data).digest())
    const publicKey = publicKeyOf(session, request)
    const isPss = keyTypeOf(request) === pkcs11.CKK_RSA && (request.pss || request.mechanism === PSS)
    const input: VerifyKeyObjectInput = {
      key: publicKey,
      dsaEncoding: 'ieee-p1363',
      ...(isPss ? { padding: crypto.RSA_PKCS1_PSS_PADDING, saltLength: crypto.RSA_PSS_SALTLEN_DIGEST } : {}),
    }
    if (!verify(hash.name, data, input, signature)) throw new Error('the signature does not verify')
  } finally {
    module.C_CloseSession(session)
    if (isIn) logout(slot)
  }
}

process.on('message', async ({ id, request }: ModuleCall) => {
  let result: ModuleResult = { id }
  try {
    await test(request)
  } catch (error) {
    result = { id, problem: error instanceof Error ? error.message : String(error) }
  }
  process.send?.(result)
})
