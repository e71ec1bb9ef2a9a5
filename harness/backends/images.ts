/** Images of the Docker provider: what they are called, whether they are there, how they are had. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../contract/package-root.ts'
import type { ImageSource } from './provider.ts'

const PULL_DEADLINE = 60_000
const BUILD_DEADLINE = 180_000
/** Milliseconds after which no image is waited for. */
export const LONGEST_DEADLINE = BUILD_DEADLINE

/** Name of an image that is built here; it changes with the recipe. */
const builtName = (kind: string, folder: string): string => {
  const hash = createHash('sha256')
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(join(folder, file)))
  return `assay-${kind}:${hash.digest('hex').slice(0, 12)}`
}

interface Image {
  name: string
  /** Folder of its Dockerfile, where it is built and not pulled. */
  folder?: string
  /** Milliseconds that getting it may take. */
  deadline: number
}

/** A backend and where its image comes from. */
interface Imaged {
  name: string
  image?: ImageSource
}

/** The image of a backend: `ASSAY_IMAGE_POSTGRES` and the like name one in a registry of one's own. @throws Error where it does not come as one. */
export const imageOf = ({ name, image }: Imaged): Image => {
  const named = process.env[`ASSAY_IMAGE_${name.toUpperCase()}`]
  if (named !== undefined) return { name: named, deadline: PULL_DEADLINE }
  if (image === undefined) throw new Error(`${name} does not come as an image`)
  if ('published' in image) return { name: image.published, deadline: PULL_DEADLINE }
  const folder = join(packageRoot, image.folder)
  return { name: builtName(name, folder), folder, deadline: BUILD_DEADLINE }
}

/** Testcontainers takes seconds to load. */
export const library = async (): Promise<typeof import('testcontainers')> => {
  // The journal removes containers that outlive a run, so the library's own helper image is not needed.
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  return import('testcontainers')
}

/** @throws Error that says what took longer than so many milliseconds. */
const within = async <T>(work: Promise<T>, milliseconds: number, what: string): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${milliseconds / 1000} s`)), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Says whether the engine has the image of a backend already. @throws Error where no engine answers. */
export const describeImage = async (kind: Imaged): Promise<string> => {
  const { getContainerRuntimeClient, ImageName } = await library()
  const client = await within(getContainerRuntimeClient(), 10_000, 'the Docker engine')
  const { name, folder } = imageOf(kind)
  if (await client.image.exists(ImageName.fromString(name))) return `image ${name} is present`
  return `image ${name} must be ${folder === undefined ? 'pulled' : 'built'}`
}

/** Pulls or builds an image that is absent. @throws Error when that fails or takes longer than the image's deadline. */
export const obtainImage = async (kind: Imaged): Promise<void> => {
  const { GenericContainer, getContainerRuntimeClient, ImageName } = await library()
  const client = await getContainerRuntimeClient()
  const { name, folder, deadline } = imageOf(kind)
  const image = ImageName.fromString(name)
  if (await client.image.exists(image)) return
  if (folder === undefined) return within(client.image.pull(image), deadline, `pulling ${name}`)
  await within(GenericContainer.fromDockerfile(folder).build(name, { deleteOnExit: false }), deadline, `building ${name}`)
}
