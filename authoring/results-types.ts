/** The types of results.json, made from its schema. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { packageRoot } from '../harness/contract/package-root.ts'

/** Where the types stand, in the project. */
export const RESULTS_TYPES = 'specs/meta/results.ts'

const SCHEMA = 'specs/meta/results.schema.json'

/** The text of the types as the schema has them, in the project's format. */
export const resultsTypes = (): Promise<string> =>
  compile(JSON.parse(readFileSync(join(packageRoot, SCHEMA), 'utf8')) as JSONSchema, 'Results', {
    additionalProperties: false,
    bannerComment: '/** Types of `results.json`. `npm run types` makes them from `results.schema.json`: change that. */',
    style: { semi: false, singleQuote: true, printWidth: 140 },
  })
