/** Faults of reset, of root rotation, and of generated passwords. */
import { empty } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../faults/declare.ts'
import { remembered } from '../../faults/remembering.ts'
import { insteadOfRefusal } from '../../faults/wrappers.ts'
import { databaseEngine } from './engine.ts'
import type { DatabaseRules } from './rules.ts'
import { connectionAt, nameOf } from './wrappers.ts'

const { rule, route, change, declared } = faultsOf(databaseEngine)

route('reset-refused', 'DATABASE-RESET-01', 'a connection in use cannot be reset', 'database.resetConnection', (original) => (call) => {
  if (connectionAt(call)) throw invalid('the connection is in use')
  return original(call)
})
route('reset-forgets', 'DATABASE-RESET-02', 'a reset loses the password', 'database.resetConnection', (original) => async (call) => {
  const reply = await original(call)
  const connection = connectionAt(call)
  if (connection) connection.password = ''
  await connection?.link.close()
  return reply
})
rule('reset-keeps-sessions', 'DATABASE-RESET-03', 'a reset closes nothing', { closesOnReset: () => () => false })
route(
  'unknown-acknowledged',
  ['DATABASE-RESET-04', 'DATABASE-ROOT-04'],
  'actions on an unknown connection are acknowledged',
  ['database.resetConnection', 'database.rotateRoot'],
  insteadOfRefusal(empty),
)
const configured = remembered(() => new Map<string, string>())
change('reset-undoes-rotation', 'DATABASE-ROOT-06', 'a reset starts the connection with the root password that was configured', {
  routes: {
    'database.writeConnection': (original) => async (call) => {
      const reply = await original(call)
      configured(call.state).set(nameOf(call), connectionAt(call)?.password ?? '')
      return reply
    },
    'database.resetConnection': (original) => (call) => {
      const connection = connectionAt(call)
      const password = configured(call.state).get(nameOf(call))
      if (connection && password !== undefined) connection.password = password
      return original(call)
    },
  },
})
rule('root-not-rotated', 'DATABASE-ROOT-01', 'a root rotation is acknowledged and not done', {
  rootRotation: () => () => [],
  rotatedRoot: () => (connection) => connection.password,
})
const rotatedOnce = new WeakSet<object>()
rule('root-rotated-once', 'DATABASE-ROOT-01', 'the second root rotation keeps the password of the first', {
  rotatedRoot: (original) => (connection, password) => {
    if (rotatedOnce.has(connection)) return connection.password
    rotatedOnce.add(connection)
    return original(connection, password)
  },
})
rule('root-not-stored', ['DATABASE-ROOT-02', 'DATABASE-ROOT-06'], 'a root rotation forgets the new password', {
  rotatedRoot: () => (connection) => connection.password,
})
rule('root-shown', 'DATABASE-ROOT-03', 'a root rotation returns the new password', { rootRotated: () => (password) => ({ password }) })
rule('root-stored-early', 'DATABASE-ROOT-05', 'the new root password is stored before the database takes it', {
  unrotatedRoot: () => (_connection, password) => password,
})
rule('root-statements-ignored', 'DATABASE-ROOT-07', 'a root rotation ignores the statements of the connection', {
  rootRotation: () => (connection) => connection.link.plugin.rotation,
})
rule('root-statements-needed', 'DATABASE-ROOT-08', 'a root rotation needs statements', {
  rootRotation: (original) => (connection) => {
    if (connection.rootRotationStatements.length === 0) throw invalid('root_rotation_statements are missing')
    return original(connection)
  },
})

// Generated passwords
const PASSWORDS: [
  id: string,
  clause: string,
  title: string,
  rule: keyof DatabaseRules & `${string}assword`,
  change: (password: string) => string,
][] = [
  ['password-long', '01', 'passwords have 21 characters', 'password', (password) => `${password}x`],
  ['password-lower', '02', 'passwords hold no upper-case letter', 'password', (password) => password.toLowerCase()],
  ['password-upper', '03', 'passwords hold no lower-case letter', 'password', (password) => password.toUpperCase()],
  ['password-no-digit', '04', 'passwords hold no digit', 'password', (password) => password.replaceAll(/\d/g, 'q')],
  ['password-no-dash', '05', 'passwords hold no dash', 'password', (password) => password.replaceAll('-', 'd')],
  ['static-password-short', '06', 'passwords of static roles have 16 characters', 'staticPassword', (password) => password.slice(0, 16)],
  [
    'static-password-no-dash',
    '06',
    'passwords of static roles hold no dash',
    'staticPassword',
    (password) => password.replaceAll('-', 'd'),
  ],
  [
    'root-password-hex',
    '07',
    'root passwords follow another policy',
    'rootPassword',
    (password) => password.replaceAll('-', '').toLowerCase(),
  ],
]
for (const [id, clause, title, name, changed] of PASSWORDS)
  rule(id, `DATABASE-POLICY-${clause}`, title, {
    [name]: (original: DatabaseRules['password']) => (random: Parameters<DatabaseRules['password']>[0]) => changed(original(random)),
  })

export const faults = declared
