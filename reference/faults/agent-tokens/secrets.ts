/** Faults around the secret of a token and its use as a bearer. */
import { fault } from '../../core/mutation.ts'
import { agentTokens } from '../../run-management/agent-tokens/index.ts'

const engine = 'agent-tokens'

/** Keeps the secret itself, as a server in a hurry does, and still recognises it. */
const plainSecret = {
  keep: () => (secret: string) => secret,
  recognises: () => (token: { kept: string }, secret: string) => token.kept === secret,
}

export const secretsFaults = [
  fault(
    agentTokens,
    { id: 'agent-tokens-secret-in-show', engine, title: 'show returns the secret', clauses: ['AGENT-SECRET-02'] },
    {
      rules: {
        ...plainSecret,
        secretText: (original) => (token, occasion, secret) => (occasion === 'shown' ? token.kept : original(token, occasion, secret)),
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-secret-in-list', engine, title: 'the list returns the secrets', clauses: ['AGENT-SECRET-03'] },
    {
      rules: {
        ...plainSecret,
        secretText: (original) => (token, occasion, secret) => (occasion === 'listed' ? token.kept : original(token, occasion, secret)),
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-secret-hint',
      engine,
      title: 'show helps to recognise a token by its last twelve characters',
      clauses: ['AGENT-SECRET-05'],
    },
    {
      rules: {
        ...plainSecret,
        extras: (original) => (token, occasion) => (occasion === 'created' ? original(token, occasion) : { hint: token.kept.slice(-12) }),
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-secret-empty',
      engine,
      title: 'the create answer has an empty secret',
      clauses: ['AGENT-SECRET-01', 'AGENT-FIELD-06'],
    },
    {
      rules: { secretText: (original) => (token, occasion, secret) => (occasion === 'created' ? '' : original(token, occasion, secret)) },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-secret-withheld',
      engine,
      title: 'the create answer hides the secret as well',
      clauses: ['AGENT-FIELD-06', 'AGENT-SECRET-01'],
    },
    {
      rules: { secretText: () => () => null },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-secret-absent', engine, title: 'show and list leave attributes.token out', clauses: ['AGENT-SECRET-04'] },
    {
      rules: {
        secretText: (original) => (token, occasion, secret) => (occasion === 'created' ? original(token, occasion, secret) : undefined),
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-secret-in-404',
      engine,
      title: 'the refusal of a missing token prints what was looked at',
      clauses: ['AGENT-SECRET-06'],
    },
    {
      rules: {
        ...plainSecret,
        // A debugging aid that stayed in: the last secret issued is part of the message.
        hiddenDetail: (original) => (kind, id, exists) => `${original(kind, id, exists)} ${lastIssued}`,
        newSecret: (original) => (random, body) => {
          lastIssued = original(random, body)
          return lastIssued
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-secret-shared', engine, title: 'all tokens of a server share one secret', clauses: ['AGENT-SECRET-07'] },
    {
      rules: {
        newSecret: (original) => {
          let first: string | undefined
          return (random, body) => (first ??= original(random, body))
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-secret-counted', engine, title: 'secrets are a counter with a fixed beginning', clauses: ['AGENT-SECRET-08'] },
    {
      rules: {
        newSecret: () => {
          let count = 1000
          return () => `fixed-beginning-of-a-secret-${++count}`
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-secret-chosen', engine, title: 'the caller may choose the secret', clauses: ['AGENT-SECRET-09'] },
    {
      rules: {
        newSecret: (original) => (random, body) => {
          const { token } = (body as { data?: { attributes?: { token?: unknown } } }).data?.attributes ?? {}
          return typeof token === 'string' ? token : original(random, body)
        },
      },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-bearer-outlives', engine, title: 'the secret of a destroyed token goes on working', clauses: ['AGENT-SECRET-10'] },
    {
      rules: {
        caller: (original) => {
          const seen = new Map<string, NonNullable<ReturnType<typeof original>>>()
          return (world, bearer, recognises) => {
            const caller = original(world, bearer, recognises) ?? seen.get(bearer)
            if (caller) seen.set(bearer, caller)
            return caller
          }
        },
      },
    },
  ),
  fault(
    agentTokens,
    {
      id: 'agent-tokens-bearer-unknown',
      engine,
      title: 'live tokens are not recognised as bearers',
      clauses: ['AGENT-AUTH-08', 'AGENT-FIELD-10'],
    },
    {
      rules: { recognises: () => () => false },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-use-not-noted', engine, title: 'the use of a token is not noted', clauses: ['AGENT-FIELD-10'] },
    {
      rules: { used: () => () => undefined },
    },
  ),
  fault(
    agentTokens,
    { id: 'agent-tokens-creation-is-use', engine, title: 'a new token counts as used', clauses: ['AGENT-FIELD-09'] },
    {
      rules: { lastUsedAt: (original) => (token) => original(token) ?? new Date(token.createdAt * 1000).toISOString() },
    },
  ),
]

let lastIssued = ''
