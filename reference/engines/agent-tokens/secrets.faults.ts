/** Faults around the secret of a token and its use as a bearer. */

import { faultsOf } from '../../mutations/declare.ts'
import { agentTokens } from './engine.ts'

const { rule } = faultsOf(agentTokens)

/** Keeps the secret itself, as a server in a hurry does, and still recognises it. */
const plainSecret = {
  keep: () => (secret: string) => secret,
  recognises: () => (token: { kept: string }, secret: string) => token.kept === secret,
}

rule('secret-in-show', 'AGENT-TOKENS-SECRET-02', 'show returns the secret', {
  ...plainSecret,
  secretText: (original) => (token, occasion, secret) => (occasion === 'shown' ? token.kept : original(token, occasion, secret)),
})
rule('secret-in-list', 'AGENT-TOKENS-SECRET-03', 'the list returns the secrets', {
  ...plainSecret,
  secretText: (original) => (token, occasion, secret) => (occasion === 'listed' ? token.kept : original(token, occasion, secret)),
})
rule('secret-hint', 'AGENT-TOKENS-SECRET-05', 'show helps to recognise a token by its last twelve characters', {
  ...plainSecret,
  extras: (original) => (token, occasion) => (occasion === 'created' ? original(token, occasion) : { hint: token.kept.slice(-12) }),
})
rule('secret-empty', ['AGENT-TOKENS-SECRET-01', 'AGENT-TOKENS-FIELD-06'], 'the create answer has an empty secret', {
  secretText: (original) => (token, occasion, secret) => (occasion === 'created' ? '' : original(token, occasion, secret)),
})
rule('secret-withheld', ['AGENT-TOKENS-FIELD-06', 'AGENT-TOKENS-SECRET-01'], 'the create answer hides the secret as well', {
  secretText: () => () => null,
})
rule('secret-absent', 'AGENT-TOKENS-SECRET-04', 'show and list leave attributes.token out', {
  secretText: (original) => (token, occasion, secret) => (occasion === 'created' ? original(token, occasion, secret) : undefined),
})
rule('secret-in-404', 'AGENT-TOKENS-SECRET-06', 'the refusal of a missing token prints what was looked at', {
  ...plainSecret,
  // A debugging aid that stayed in: the last secret issued is part of the message.
  hiddenDetail: (original) => (kind, id, exists) => `${original(kind, id, exists)} ${lastIssued}`,
  newSecret: (original) => (random, body) => {
    lastIssued = original(random, body)
    return lastIssued
  },
})
rule('secret-shared', 'AGENT-TOKENS-SECRET-07', 'all tokens of a server share one secret', {
  newSecret: (original) => {
    let first: string | undefined
    return (random, body) => (first ??= original(random, body))
  },
})
rule('secret-counted', 'AGENT-TOKENS-SECRET-08', 'secrets are a counter with a fixed beginning', {
  newSecret: () => {
    let count = 1000
    return () => `fixed-beginning-of-a-secret-${++count}`
  },
})
rule('secret-chosen', 'AGENT-TOKENS-SECRET-09', 'the caller may choose the secret', {
  newSecret: (original) => (random, body) => {
    const { token } = (body as { data?: { attributes?: { token?: unknown } } }).data?.attributes ?? {}
    return typeof token === 'string' ? token : original(random, body)
  },
})
rule('bearer-outlives', 'AGENT-TOKENS-SECRET-10', 'the secret of a destroyed token goes on working', {
  caller: (original) => {
    const seen = new Map<string, NonNullable<ReturnType<typeof original>>>()
    return (world, bearer, recognises) => {
      const caller = original(world, bearer, recognises) ?? seen.get(bearer)
      if (caller) seen.set(bearer, caller)
      return caller
    }
  },
})
rule('bearer-unknown', ['AGENT-TOKENS-AUTH-08', 'AGENT-TOKENS-FIELD-10'], 'live tokens are not recognised as bearers', {
  recognises: () => () => false,
})
rule('use-not-noted', 'AGENT-TOKENS-FIELD-10', 'the use of a token is not noted', { used: () => () => undefined })
rule('creation-is-use', 'AGENT-TOKENS-FIELD-09', 'a new token counts as used', {
  lastUsedAt: (original) => (token) => original(token) ?? new Date(token.createdAt * 1000).toISOString(),
})

let lastIssued = ''
