/** Faults of statements: which of them are run, how they are divided, and what is filled in. */
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { databaseEngine } from './engine.ts'
import type { Role } from './state.ts'

const { rule, declared } = faultsOf(databaseEngine)

// Creation
rule('creation-first-only', 'DATABASE-STMT-01', 'of several creation statements only the first is run', {
  creation: (original) => (role) => original(role).slice(0, 1),
})
rule('template-once', 'DATABASE-STMT-01', 'a template is filled in once in each statement', {
  prepared: (original) => (statements, values) =>
    original(statements, {}).map((statement) =>
      Object.entries(values).reduce((text, [name, value]) => text.replace(`{{${name}}}`, () => value), statement),
    ),
})
rule('cut-at-semicolons', 'DATABASE-STMT-01', 'a statement is cut at a semicolon within quotes', {
  prepared: (original) => (statements, values) =>
    original(
      statements
        .flatMap((statement) => (/\bEND\b/i.test(statement) ? [statement] : statement.split(';')))
        .filter((part) => part.trim() !== ''),
      values,
    ),
})
rule('creation-optional', 'DATABASE-STMT-02', 'a role without creation statements gives credentials', {
  roleComplete: () => () => {},
  creation: () => (role) => (role.creation.length > 0 ? role.creation : ['SELECT 1']),
})

// Revocation
rule('revocation-first-only', 'DATABASE-STMT-06', 'of several revocation statements only the first is run', {
  revocation: (original) => (role, standard) => original(role, standard).slice(0, 1),
})
rule('revocation-ignored', 'DATABASE-STMT-06', 'revocation statements are stored and not run', {
  revocation: () => (_role, standard) => standard,
})
let lastRevocation: string[] = []
rule('revocation-of-last-role', 'DATABASE-STMT-07', 'a role without revocation statements uses those that any role was given last', {
  roleOf: (original) => (body, previous) => {
    const role = original(body, previous)
    if (role.revocation.length > 0) lastRevocation = role.revocation
    return role
  },
  revocation: (original) => (role, standard) => original(role, lastRevocation.length > 0 ? lastRevocation : standard),
})
rule('revocation-needed', ['DATABASE-STMT-08', 'DATABASE-CREDS-05'], 'without statements a revocation does nothing', {
  revocation: () => (role) => role.revocation,
})

// Rollback and renewal
rule('rollback-by-revocation', 'DATABASE-STMT-10', 'a failed creation runs the statements of revocation as well', {
  rollback: (original) => (role, standard) => [...original(role, standard), ...role.revocation],
})
rule('renewal-first-only', 'DATABASE-STMT-13', 'of several renewal statements only the first is run', {
  renewal: (original) => (role, standard) => original(role, standard).slice(0, 1),
})
const renewals = remembered(() => ({ count: 0 }))
rule('renewal-once', 'DATABASE-STMT-13', 'the second renewal of a lease is not told to the database', {
  renewal: (original) => (role: Role, standard) => {
    renewals(role).count += 1
    return renewals(role).count > 1 ? [] : original(role, standard)
  },
})

// Templates
const template = (id: string, name: string, number: string, title: string, value: (text: string, expiresAt: number) => string): void =>
  rule(id, `DATABASE-TEMPLATE-${number}`, title, {
    templateValues: (original) => (user) => {
      const values = original(user)
      return { ...values, [name]: value(values[name] ?? '', user.expiresAt) }
    },
  })
template('template-name', 'name', '01', 'the name in statements is cut', (text) => text.slice(0, -1))
template('template-username', 'username', '02', 'one of the two spellings of the name is not known', () => '{{username}}')
template('template-password', 'password', '03', 'the password in statements is not the one returned', (text) => `${text}x`)
template('template-unfilled', 'expiration', '04', 'no time is filled in for the end of the lease', () => '{{expiration}}')
template('template-expiration', 'expiration', '05', 'the end of the lease in statements is half an hour early', (_text, expiresAt) =>
  new Date((expiresAt - 1800) * 1000).toISOString(),
)
/** Stands for the user name until all places are known. */
const MARK = '\u0000'
rule('template-second-username', 'DATABASE-TEMPLATE-02', 'only the first {{username}} of a statement is filled in', {
  prepared: (original) => (statements, values) =>
    original(statements, { ...values, username: MARK }).map((statement) =>
      statement.replace(MARK, () => values.username ?? '').replaceAll(MARK, '{{username}}'),
    ),
})

export const faults = declared
