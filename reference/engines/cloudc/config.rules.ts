/** Decisions about the configuration. */
import { readFileSync } from 'node:fs'
import { credentialsIn } from '../../clouds/service-account.ts'
import { durationOf, formatDuration } from '../../core/durations.ts'
import { invalid } from '../../core/errors.ts'
import { textOf } from '../../core/fields.ts'
import type { JsonObject } from '../../core/json.ts'
import type { CloudcState } from './state.ts'

type Config = CloudcState['config']

const contentOf = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw invalid('credentials: the file cannot be read')
  }
}

export const configRules = {
  credentialsOf(text: string): string {
    const content = text.startsWith('@') ? contentOf(text.slice(1)) : text
    if (content !== '') credentialsIn(content)
    return content
  },
  /** What is left out stays. */
  configOf(body: JsonObject, before: Config, credentialsOf: (text: string) => string): Config {
    return {
      credentials: body.credentials === undefined ? before.credentials : credentialsOf(textOf(body, 'credentials')),
      ttl: durationOf(body.ttl, 'ttl', body.ttl === undefined ? before.ttl : 0),
      maxTtl: durationOf(body.max_ttl, 'max_ttl', body.max_ttl === undefined ? before.maxTtl : 0),
    }
  },
  shownConfig: ({ ttl, maxTtl }: Config): JsonObject => ({ ttl: formatDuration(ttl), max_ttl: formatDuration(maxTtl) }),
}
