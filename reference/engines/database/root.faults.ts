/** Faults of reset, root rotation and generated passwords. */
import { empty } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import { faultsOf } from '../../mutations/declare.ts'
import { insteadOfRefusal } from '../../mutations/wrappers.ts'
import { databaseEngine } from './engine.ts'
import { nameOf } from './wrappers.ts'

const { rule, route } = faultsOf(databaseEngine)

route('reset-refused', 'DATABASE-RESET-01', 'a connection in use cannot be reset', 'database.resetConnection', (original) => (call) => {
  if (call.state.connections.has(nameOf(call))) throw invalid('the connection is in use')
  return original(call)
})
route('reset-forgets', 'DATABASE-RESET-02', 'a reset loses the password', 'database.resetConnection', (original) => async (call) => {
  const reply = await original(call)
  const connection = call.state.connections.get(nameOf(call))
  if (connection !== undefined) {
    connection.password = ''
    await connection.link.close()
  }
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
rule('root-not-rotated', 'DATABASE-ROOT-01', 'a root rotation is acknowledged and not done', {
  rootRotation: () => () => [],
  rotatedRoot: () => (connection) => connection.password,
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
rule('password-long', 'DATABASE-POLICY-01', 'passwords have 24 characters', {
  password: (original) => (random) => `${original(random)}Aa1-`,
})
rule('password-lower', 'DATABASE-POLICY-02', 'passwords hold no upper-case letter', {
  password: (original) => (random) => original(random).toLowerCase(),
})
rule('password-upper', 'DATABASE-POLICY-03', 'passwords hold no lower-case letter', {
  password: (original) => (random) => original(random).toUpperCase(),
})
rule('password-no-digit', 'DATABASE-POLICY-04', 'passwords hold no digit', {
  password: (original) => (random) => original(random).replaceAll(/\d/g, 'q'),
})
rule('password-no-dash', 'DATABASE-POLICY-05', 'passwords hold no dash', {
  password: (original) => (random) => original(random).replaceAll('-', 'd'),
})
rule('static-password-short', 'DATABASE-POLICY-06', 'passwords of static roles have 16 characters', {
  staticPassword: (original) => (random) => original(random).slice(0, 16),
})
rule('root-password-hex', 'DATABASE-POLICY-07', 'root passwords follow another policy', {
  rootPassword: (original) => (random) => original(random).replaceAll('-', '').toLowerCase(),
})
