/** What tests need of the machine: where it is absent they are skipped, and say so; where everything has to be there, that is an error. */
import { describeChain } from '../../harness/backends/chain.ts'
import { isOnPath } from '../../harness/oracles/programs.ts'

/** Set where every test has to run, as in continuous integration. */
const EVERYTHING = 'ASSAY_TEST_REQUIRE_ALL'

const said = new Set<string>()

/**
 * Whether tests that need something are to be skipped.
 *
 * @param need what it is and how to install it, e.g. `openssl (apt-get install openssl)`
 * @throws Error where it is absent and nothing may be skipped
 */
export const isAbsent = (need: string, present: boolean): boolean => {
  if (present) return false
  if (process.env[EVERYTHING] !== undefined) throw new Error(`${EVERYTHING} is set and this machine lacks ${need}`)
  if (!said.has(need)) process.stderr.write(`\n*** SKIPPED: tests that need ${need}\n`)
  said.add(need)
  return true
}

const PACKAGES: Record<string, string> = {
  openssl: 'openssl',
  ssh: 'openssh-client',
  'ssh-keygen': 'openssh-client',
  'pkcs11-tool': 'opensc',
}

/** The same for a program on the PATH. */
export const lacksProgram = (program: string): boolean =>
  isAbsent(`${program} (apt-get install ${PACKAGES[program] ?? program})`, isOnPath(program))

/** The same for a backend, by the providers that may give it; default any. */
export const lacksBackend = async (backend: string, providers?: readonly string[]): Promise<boolean> => {
  const row = (await describeChain()).find((one) => one.backend === backend)
  const found = row?.providers.some(({ provider, available }) => available && (providers?.includes(provider) ?? true)) ?? false
  const by = providers === undefined ? '' : ` by ${providers.join(' or ')}`
  return isAbsent(`${backend}${by} (${row?.remedy ?? 'nobody knows it'})`, found)
}
