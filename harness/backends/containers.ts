/** The Docker rung: testcontainers, loaded only where an engine seems to be there. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { handleOf } from './addresses.ts'
import { randomPassword } from './passwords.ts'
import { whenReady } from './processes.ts'
import type { Address, Finding, Rung, StartContext, Started } from './types.ts'

const START_DEADLINE = 90_000
const PULL_DEADLINE = 60_000

const defaultImages: Record<string, string> = {
  postgres: 'postgres:17-alpine',
  mariadb: 'mariadb:11',
  rabbitmq: 'rabbitmq:3-management-alpine',
}

/** The image of a backend: `ASSAY_IMAGE_POSTGRES` and the like name one in a registry of one's own. */
const imageOf = (kind: string): string => process.env[`ASSAY_IMAGE_${kind.toUpperCase()}`] ?? defaultImages[kind] ?? kind

interface ContainerRecipe {
  kind: string
  port: number
  morePorts?: number[]
  environment(password: string): Record<string, string>
  /** Arguments of the server, where the image's own will not do. */
  command?: string[]
  /** Folders that live in memory: nothing here is kept, and file systems of containers are slow. */
  memory?: string[]
  address(host: string, ports: Map<number, number>, password: string): Address
  ping(address: Address): Promise<string>
}

/** A cheap look before the library is loaded, which takes seconds. */
const engineLikely = (): boolean =>
  process.env.DOCKER_HOST !== undefined ||
  [
    '/var/run/docker.sock',
    join(homedir(), '.docker/run/docker.sock'),
    join(process.env.XDG_RUNTIME_DIR ?? '/nonexistent', 'docker.sock'),
    join(homedir(), '.testcontainers.properties'),
  ].some((path) => existsSync(path))

const library = async (): Promise<typeof import('testcontainers')> => {
  // The journal removes containers that outlive a run, so the library's own helper image is not needed.
  process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true'
  return import('testcontainers')
}

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

const find = async (kind: string): Promise<Finding> => {
  if (!engineLikely()) return { available: false, detail: 'no Docker engine' }
  try {
    const { getContainerRuntimeClient, ImageName } = await library()
    const client = await within(getContainerRuntimeClient(), 10_000, 'the Docker engine')
    const image = imageOf(kind)
    const present = await client.image.exists(ImageName.fromString(image))
    return { available: true, detail: present ? `image ${image} is present` : `image ${image} must be pulled` }
  } catch (error) {
    return { available: false, detail: `no Docker engine answers: ${error instanceof Error ? error.message : error}` }
  }
}

/** Gets an image that is absent. @throws Error when the registry does not deliver within 60 s. */
export const pullImage = async (kind: string): Promise<void> => {
  const { getContainerRuntimeClient, ImageName } = await library()
  const client = await getContainerRuntimeClient()
  const image = ImageName.fromString(imageOf(kind))
  if (await client.image.exists(image)) return
  await within(client.image.pull(image), PULL_DEADLINE, `pulling ${imageOf(kind)}`)
}

const start = async (recipe: ContainerRecipe, context: StartContext): Promise<Started> => {
  await pullImage(recipe.kind)
  context.signal.throwIfAborted()
  const { GenericContainer, Wait } = await library()
  const password = randomPassword()
  // A name of ours, so that the journal knows the container before it exists.
  const id = `assay-${recipe.kind}-${randomPassword().slice(0, 12)}`
  const stop = async (): Promise<void> => {
    await removeContainer(id)
    context.journal.remove({ kind: 'backend-container', id })
  }
  context.journal.add({ kind: 'backend-container', id })
  try {
    const ports = [recipe.port, ...(recipe.morePorts ?? [])]
    const wanted = new GenericContainer(imageOf(recipe.kind))
      .withName(id)
      .withEnvironment(recipe.environment(password))
      .withExposedPorts(...ports)
      .withLabels({ 'assay.backend': recipe.kind })
      .withTmpFs(Object.fromEntries((recipe.memory ?? []).map((folder) => [folder, 'rw'])))
      .withWaitStrategy(Wait.forListeningPorts())
      .withStartupTimeout(START_DEADLINE)
    const container = await (recipe.command === undefined ? wanted : wanted.withCommand(recipe.command)).start()
    const mapped = new Map(ports.map((port) => [port, container.getMappedPort(port)]))
    const address = recipe.address(container.getHost(), mapped, password)
    if (context.targetHost !== undefined) address.targetHost = context.targetHost
    const version = await whenReady(() => recipe.ping(address), { signal: context.signal, within: START_DEADLINE, what: recipe.kind })
    return { handle: handleOf(recipe.kind, 'docker', address, version), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export const containerRung = (recipe: ContainerRecipe): Rung => ({
  deadline: PULL_DEADLINE + 2 * START_DEADLINE,
  find: () => find(recipe.kind),
  start: (context) => start(recipe, context),
})

/** Removes a container that an earlier run left; one that is gone is fine. */
export const removeContainer = async (id: string): Promise<void> => {
  const { getContainerRuntimeClient } = await library()
  const client = await getContainerRuntimeClient()
  try {
    await client.container.getById(id).remove({ force: true, v: true })
  } catch (error) {
    if (!/no such container/i.test(String(error))) throw error
  }
}
