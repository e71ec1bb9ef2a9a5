/** Keys at the services of the three cloud kinds, each in a project of the check's own at the gateway. */
import { unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Bench, type CloudPlace, cloudPlace, type JsonObject } from '../../../harness/checks/index.ts'

export const CLOUD_KINDS = ['cloudakms', 'cloudbkeyvault', 'cloudckms'] as const
export type CloudKind = (typeof CLOUD_KINDS)[number]

/** What checks of cloud kinds need. */
export const atGateway = { needs: { backends: ['clouds'] } }

/** A request to sign that the service has granted. */
export interface Signature {
  /** Host that was asked. */
  host: string
  /** The service's own name of the algorithm, where the request says it. */
  algorithm: string
}

/** A key as a managed key means it: there, or to be made. */
export interface ServiceKey {
  /** Parameters of a managed key that means it. */
  body: JsonObject
  /** What the service has signed with it up to now. */
  signatures(): Promise<Signature[]>
  /** What the service has under the name: spec or algorithm of each key or version. */
  held(): Promise<string[]>
}

/** A service with one kind's keys. */
export interface CloudService {
  kind: CloudKind
  place: CloudPlace
  /** Beginning of the operations of this service that sign. */
  signs: string
  /** What is never shown of the parameters. */
  secrets: string[]
  /**
   * A key that is there, in the region or ring that `more` names.
   *
   * @param spec the service's own: e.g. `P-256`, `RSA_2048`, `EC_SIGN_P256_SHA256`.
   * @param called alias or name at the service.
   */
  key(spec?: string, more?: JsonObject, called?: string): Promise<ServiceKey & { name: string }>
  /** A key that is not there. */
  absent(spec?: string, more?: JsonObject, called?: string): ServiceKey
}

const REGION_A = 'us-east-1'
export const REGION_C = 'europe-west1'
/** Versions of a key that is put into a ring: some have two digits. */
const VERSIONS = 11

const PARAMETERS: Record<string, JsonObject> = {
  'P-256': { key_type: 'ECDSA', curve: 'P256' },
  'P-384': { key_type: 'ECDSA', curve: 'P384' },
  'P-521': { key_type: 'ECDSA', curve: 'P521' },
  RSA_2048: { key_type: 'RSA', key_bits: '2048' },
  RSA_3072: { key_type: 'RSA', key_bits: '3072' },
  RSA_4096: { key_type: 'RSA', key_bits: '4096' },
}

const atA = (bench: Bench, place: CloudPlace): CloudService => {
  const { id: access_key, secret: secret_key } = place.accessKey
  const meaning = (alias: string, spec: string, more: JsonObject): ServiceKey => {
    const body: JsonObject = { access_key, secret_key, kms_key: alias, region: REGION_A, ...PARAMETERS[spec], ...more }
    const region = body.region || REGION_A
    const idOf = async () => (await place.look()).aliases[`${region} ${alias}`]
    return {
      body,
      async signatures() {
        const id = await idOf()
        const isMeant = (name: string) => name.endsWith(alias) || (id !== undefined && name.endsWith(id))
        return (await place.seen())
          .filter(({ operation, status }) => operation === 'keys.Sign' && status === 200)
          .filter(({ detail }) => detail.region === region && isMeant(String(detail.KeyId)))
          .map(({ host, detail }) => ({ host, algorithm: String(detail.SigningAlgorithm) }))
      },
      async held() {
        const id = await idOf()
        return (await place.look()).regionalKeys.filter((key) => key.id === id).map(({ spec: held }) => held)
      },
    }
  }
  return {
    kind: 'cloudakms',
    place,
    signs: 'keys.Sign',
    secrets: [secret_key],
    async key(spec = 'P-256', more = {}, alias = `alias/${bench.fresh('key')}`) {
      const { id = '' } = await place.addKey({ service: 'a', region: String(more.region ?? REGION_A), alias, spec })
      return { ...meaning(alias, spec, more), name: id }
    },
    absent: (spec = 'P-256', more = {}, alias = `alias/${bench.fresh('key')}`) => meaning(alias, spec, more),
  }
}

const atB = (bench: Bench, place: CloudPlace): CloudService => {
  const { tenant: tenant_id, client: client_id, secret: client_secret, name: vault_name } = place.vault
  const meaning = (key_name: string, spec: string, more: JsonObject): ServiceKey => ({
    body: { tenant_id, client_id, client_secret, vault_name, key_name, key_type: 'RSA-HSM', key_bits: spec.slice(4), ...more },
    signatures: async () =>
      (await place.seen())
        .filter(({ operation, status, path }) => operation === 'vault.sign' && status === 200 && path.startsWith(`/keys/${key_name}/`))
        .map(({ host, detail }) => ({ host, algorithm: String(detail.alg) })),
    async held() {
      const key = (await place.look()).vaultKeys[key_name]
      return key === undefined ? [] : Array.from({ length: key.versions }, () => key.spec)
    },
  })
  return {
    kind: 'cloudbkeyvault',
    place,
    signs: 'vault.sign',
    secrets: [client_secret],
    async key(spec = 'RSA_2048', more = {}, name = bench.fresh('key')) {
      await place.addKey({ service: 'b', name, spec })
      return { ...meaning(name, spec, more), name }
    },
    absent: (spec = 'RSA_2048', more = {}, name = bench.fresh('key')) => meaning(name, spec, more),
  }
}

/** Writes a project's credentials where the target reads them; the file goes after the check. Returns its path. */
export const credentialsFile = async (bench: Bench, credentials: string): Promise<string> => {
  const folder = bench.backend('clouds').extra.credentialsFolder
  if (folder === undefined)
    return bench.blocked(
      'the target has no folder for files of credentials',
      'name one that this machine and the target share in backends.clouds.credentialsFolder',
    )
  const path = join(folder, `${bench.fresh('credentials')}.json`)
  bench.defer(() => unlink(path))
  await writeFile(path, credentials, { mode: 0o600 })
  return path
}

const atC = async (bench: Bench, place: CloudPlace): Promise<CloudService> => {
  const credentials = await credentialsFile(bench, place.credentials)
  const key_ring = bench.fresh('ring')
  const ringOf = ({ key_ring: ring = key_ring, region = REGION_C }: JsonObject): string =>
    `projects/${place.id}/locations/${String(region)}/keyRings/${String(ring)}`
  await place.addRing(ringOf({}))
  const meaning = (crypto_key: string, algorithm: string, more: JsonObject): ServiceKey => {
    const name = `${ringOf(more)}/cryptoKeys/${crypto_key}`
    return {
      body: { credentials, crypto_key, key_ring, project: place.id, region: REGION_C, algorithm, ...more },
      signatures: async () =>
        (await place.seen())
          .filter(({ operation, status, path }) => operation === 'rings.sign' && status === 200 && path.includes(`/${name}/`))
          .map(({ host, path }) => ({ host, algorithm: path })),
      async held() {
        const key = (await place.look()).ringKeys[name]
        return key === undefined ? [] : Array.from({ length: key.versions }, () => key.algorithm)
      },
    }
  }
  return {
    kind: 'cloudckms',
    place,
    signs: 'rings.sign',
    secrets: [String((JSON.parse(place.credentials) as JsonObject).private_key)],
    async key(algorithm = 'EC_SIGN_P256_SHA256', more = {}, crypto_key = bench.fresh('key')) {
      const name = `${ringOf(more)}/cryptoKeys/${crypto_key}`
      await place.addRing(ringOf(more))
      await place.addKey({ service: 'c', name, algorithm, versions: VERSIONS })
      return { ...meaning(crypto_key, algorithm, more), name }
    },
    absent: (algorithm = 'EC_SIGN_P256_SHA256', more = {}, crypto_key = bench.fresh('key')) => meaning(crypto_key, algorithm, more),
  }
}

const SERVICES = { cloudakms: atA, cloudbkeyvault: atB, cloudckms: atC }

/** The service of a kind, in a project that goes after the check. */
export const serviceOf = async (bench: Bench, kind: CloudKind): Promise<CloudService> => {
  const place = await cloudPlace(bench.backend('clouds'))
  bench.defer(async () => {
    bench.count('requests at the cloud gateway', (await place.seen()).length)
    await place.remove()
  })
  const service = await SERVICES[kind](bench, place)
  for (const secret of [...service.secrets, place.accessKey.secret, place.vault.secret]) bench.secret(secret)
  return service
}
