/** What is done to the reference server to try the checks: seeded faults, legal variants, and a server that has them. */
import type { ServerSettings } from '../base/backend-handle.ts'
import type { RunConfig } from '../target/run-configuration.ts'

/** Behaviour that the reference server can be given: overrides of rules and wrapped handlers of one mount type. */
interface Alternative {
  id: string
  engine: string
  title: string
  type: string
  mutation: { rules?: object; routes?: object; touches?: string; part?: string }
}

/** A legal alternative: nothing may be violated on it. */
export type LegalVariant = Alternative

/** A seeded defect, with the one to three clauses that it breaks. */
export interface SeededFault extends Alternative {
  clauses: string[]
}

/** What one server is to have; faults and variants by id. */
export interface ServerOptions {
  engines: string[]
  faults?: string[]
  variants?: string[]
  /** In instrumented sources: the mutant that is switched on, or `` for none. */
  mutant?: string
}

/** When the code of each mutant ran that ran at all, by id: only while the server started, or for a request too. */
export type Reached = ReadonlyMap<string, 'starting' | 'answering'>

/** A reference server of one instance of the proof. */
export interface ServerUnderTest {
  url: string
  /** How often the code of each fault and variant ran, by id. */
  hits: Map<string, number>
  /** Mutants of instrumented sources whose code ran, where the server tells. */
  reached?: Reached
  /** Brings the counts up to date, where the server is in another thread. */
  counts?(): Promise<void>
  close(): Promise<void>
}

/** Starts a server and says how it is reached as a target. */
export type StartServer = (options: ServerOptions) => Promise<{
  server: ServerUnderTest
  config: RunConfig
  /** Tells the server what backends ask of its operator. */
  operate?(settings: ServerSettings): Promise<void>
}>
