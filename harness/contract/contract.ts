/** The contract in memory: what `specs/` says, with references resolved. */
import type { Level } from '../../specs/meta/results.ts'

export type Schema = { [keyword: string]: unknown }

/** In what two requests may differ that are one: a synonym of the method, the way of listing, the carrier of the token. */
export type FormKind = 'synonyms' | 'listing' | 'carriers'

/** One of the HTTP APIs, from `specs/<api>/api.yaml`. */
export interface Api {
  api: string
  title: string
  basePath: string
  mediaType: string
  /** In the order of reports. */
  engines: string[]
  /** The engine whose clauses speak of the operations of all others, and one that is enough to try them on. */
  general?: { engine: string; shownOn: string }
  /** Where servers of the family tell a caller about its token. */
  tokenLookup?: string
  /** Where a caller has its token live longer. */
  tokenRenewal?: string
  /** What a reader calls the documents, by file. */
  documents?: Record<string, string>
  carriers: Record<string, { header: string; format: string }>
  headers: Record<string, string>
  namespaces?: { header: string }
  mounts: boolean
  /** Names of identities that checks ask for. */
  identities?: string[]
  listing?: { verb: string; query: string; value: string }
  synonyms?: Record<string, string>
  /** Clauses that say of requests which differ only in such a form that they are one request. */
  equalForms?: Partial<Record<FormKind, string>>
  /** Status code -> seconds for which it is retried with backoff. */
  retry?: Record<string, number>
  /** Clauses on bad input: that it is refused, and that it never makes the server fail. */
  badInput?: { refused: string; failed: string }
}

export interface PathParameter {
  name: string
  multiSegment: boolean
}

export interface ResponseSpec {
  /** Undefined: the body must be empty. `null`: any body. */
  schema: Schema | null | undefined
  mediaTypes: string[]
  clause?: string
}

/** One method and path template. */
export interface Operation {
  id: string
  engine: string
  api: string
  summary: string
  method: string
  /** Below the API's base path: `/{mount}/roles/{name}`. */
  path: string
  /** Replaces the API's base path: for routes that must not exist. */
  basePath?: string
  mount?: string
  parameters: PathParameter[]
  queryParameters: string[]
  isList: boolean
  unauthenticated: boolean
  sudo: boolean
  capability?: string
  clause?: string
  request?: { schema: Schema; required: boolean; mediaType: string }
  /** By status code, `2XX`-like range or `default`. */
  responses: Record<string, ResponseSpec>
}

export interface Clause {
  id: string
  engine: string
  text: string
  document: string
  /** What a reader calls the document; its file name where the API names none. */
  title?: string
  section: string
  level: Level
  reading?: string
  /** The ruling that it rests on where no sentence of its section states it. */
  ruling?: string
  /** The clause that it was a part of in an earlier suite. */
  splitFrom?: string
  excluded?: string
  /** Clauses that have to hold for this one to be able to. */
  restsOn?: string[]
}

/** What is demanded where the documents are silent or can be read in more than one way; by level, what is said of it. */
export interface Ruling extends Partial<Record<Level, string>> {
  id: string
  sections: string[]
}

export interface EngineSpec {
  id: string
  title: string
  api: string
  folder: string
}

export interface Contract {
  apis: Map<string, Api>
  engines: Map<string, EngineSpec>
  operations: Map<string, Operation>
  clauses: Map<string, Clause>
  rulings: Map<string, Ruling>
}
