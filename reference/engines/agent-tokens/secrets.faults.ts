/** Faults around the secret of a token and its use as a bearer. */
import { faultsOf } from '../../faults/declare.ts'
import type { Caller } from '../../run-management/world.ts'
import { agentTokens } from './engine.ts'

const { rule, declared } = faultsOf(agentTokens)

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
rule('secret-absent', 'AGENT-TOKENS-SECRET-04', 'show and list leave attributes.token out', {
  secretText: (original) => (token, occasion, secret) => (occasion === 'created' ? original(token, occasion, secret) : undefined),
})

let lastIssued = ''

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

const used = new Map<string, Caller>()

rule('used-secret-outlives-token', 'AGENT-TOKENS-SECRET-10', 'a secret that was used before its token was destroyed goes on working', {
  caller: (original) => (world, bearer, recognises) => {
    const caller = original(world, bearer, recognises)
    if (caller?.kind === 'agent') used.set(bearer, caller)
    return caller ?? used.get(bearer)
  },
})

rule('bearer-unknown', ['AGENT-TOKENS-AUTH-08', 'AGENT-TOKENS-FIELD-10'], 'live tokens are not recognised as bearers', {
  recognises: () => () => false,
})

export const faults = declared
