/** The Docker provider: testcontainers, loaded only where an engine seems to be there. */
import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { handleOf } from './addresses.ts'
import { describeImage, imageOf, LONGEST_DEADLINE, library, obtainImage } from './images.ts'
import { randomPassword } from './passwords.ts'
import { whenReady } from './private-instance.ts'
import type { Address, Finding, ImageSource, Provider, StartContext, Started } from './provider.ts'

const START_DEADLINE = 90_000

interface ContainerRecipe {
  /** Name of the backend. */
  name: string
  image: ImageSource
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

const find = async (recipe: ContainerRecipe): Promise<Finding> => {
  if (!engineLikely()) return { available: false, detail: 'no Docker engine' }
  try {
    return { available: true, detail: await describeImage(recipe) }
  } catch (error) {
    return { available: false, detail: `no Docker engine answers: ${error instanceof Error ? error.message : error}` }
  }
}

/** Keeps the end of what a container says until it is up: the library removes one that fails, and its reason with it. */
const listener = () => {
  let said = ''
  let source: Readable | undefined
  return {
    listen(stream: Readable): void {
      source = stream
      stream.on('data', (chunk: Buffer | string) => {
        said = (said + String(chunk)).slice(-400)
      })
      stream.on('error', () => undefined)
    },
    close: () => void source?.destroy(),
    said: () => said.trim().replaceAll(/\s*\n\s*/g, ' | '),
  }
}

const start = async (recipe: ContainerRecipe, context: StartContext): Promise<Started> => {
  await obtainImage(recipe)
  context.signal.throwIfAborted()
  const { GenericContainer, Wait } = await library()
  const password = randomPassword()
  // A name of ours, so that the journal knows the container before it exists.
  const id = `assay-${recipe.name}-${randomPassword().slice(0, 12)}`
  const stop = async (): Promise<void> => {
    await removeContainer(id)
    context.journal.remove({ kind: 'backend-container', id })
  }
  context.journal.add({ kind: 'backend-container', id })
  const log = listener()
  try {
    const ports = [recipe.port, ...(recipe.morePorts ?? [])]
    const wanted = new GenericContainer(imageOf(recipe).name)
      .withName(id)
      .withEnvironment(recipe.environment(password))
      .withExposedPorts(...ports)
      .withLabels({ 'assay.backend': recipe.name })
      .withTmpFs(Object.fromEntries((recipe.memory ?? []).map((folder) => [folder, 'rw'])))
      .withWaitStrategy(Wait.forListeningPorts())
      .withStartupTimeout(START_DEADLINE)
      .withLogConsumer(log.listen)
    const container = await (recipe.command === undefined ? wanted : wanted.withCommand(recipe.command)).start()
    const mapped = new Map(ports.map((port) => [port, container.getMappedPort(port)]))
    // An address instead of a name: roles name hosts by it, and `localhost` may mean ::1, where nothing is published.
    const { address: host } = await lookup(container.getHost(), 4)
    const address = recipe.address(host, mapped, password)
    if (context.targetHost !== undefined) address.targetHost = context.targetHost
    const version = await whenReady(() => recipe.ping(address), { signal: context.signal, within: START_DEADLINE, what: recipe.name })
    return { handle: handleOf(recipe.name, 'docker', address, version), stop }
  } catch (error) {
    const said = log.said()
    await stop()
    context.signal.throwIfAborted()
    const message = error instanceof Error ? error.message : String(error)
    throw new Error(said === '' ? message : `${message}; it said: ${said.replaceAll(password, '***')}`, { cause: error })
  } finally {
    log.close()
  }
}

export const containerProvider = (recipe: ContainerRecipe): Provider => ({
  deadline: LONGEST_DEADLINE + 2 * START_DEADLINE,
  find: () => find(recipe),
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
