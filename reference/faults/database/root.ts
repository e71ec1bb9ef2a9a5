/** Faults of reset, root rotation and generated passwords. */
import { empty } from '../../core/envelope.ts'
import { invalid } from '../../core/errors.ts'
import type { Fault } from '../../core/mutation.ts'
import { databaseFault, forgiving, nameOf } from './shared.ts'

export const rootFaults: Fault[] = [
  databaseFault('reset-refused', ['DB-RESET-01'], 'a connection in use cannot be reset', {
    routes: {
      'database.resetConnection': (original) => (call) => {
        if (call.state.connections.has(nameOf(call))) throw invalid('the connection is in use')
        return original(call)
      },
    },
  }),
  databaseFault('reset-forgets', ['DB-RESET-02'], 'a reset loses the password', {
    routes: {
      'database.resetConnection': (original) => async (call) => {
        const reply = await original(call)
        const connection = call.state.connections.get(nameOf(call))
        if (connection !== undefined) {
          connection.password = ''
          await connection.link.close()
        }
        return reply
      },
    },
  }),
  databaseFault('reset-keeps-sessions', ['DB-RESET-03'], 'a reset closes nothing', { rules: { closesOnReset: () => () => false } }),
  databaseFault('unknown-acknowledged', ['DB-RESET-04', 'DB-ROOT-04'], 'actions on an unknown connection are acknowledged', {
    routes: { 'database.resetConnection': forgiving(empty), 'database.rotateRoot': forgiving(empty) },
  }),
  databaseFault('root-not-rotated', ['DB-ROOT-01'], 'a root rotation is acknowledged and not done', {
    rules: { rootRotation: () => () => [], rotatedRoot: () => (connection) => connection.password },
  }),
  databaseFault('root-not-stored', ['DB-ROOT-02', 'DB-ROOT-06'], 'a root rotation forgets the new password', {
    rules: { rotatedRoot: () => (connection) => connection.password },
  }),
  databaseFault('root-shown', ['DB-ROOT-03'], 'a root rotation returns the new password', {
    rules: { rootRotated: () => (password) => ({ password }) },
  }),
  databaseFault('root-stored-early', ['DB-ROOT-05'], 'the new root password is stored before the database takes it', {
    rules: { unrotatedRoot: () => (_connection, password) => password },
  }),
  databaseFault('root-statements-ignored', ['DB-ROOT-07'], 'a root rotation ignores the statements of the connection', {
    rules: { rootRotation: () => (connection) => connection.link.plugin.rotation },
  }),
  databaseFault('root-statements-needed', ['DB-ROOT-08'], 'a root rotation needs statements', {
    rules: {
      rootRotation: (original) => (connection) => {
        if (connection.rootRotationStatements.length === 0) throw invalid('root_rotation_statements are missing')
        return original(connection)
      },
    },
  }),
  databaseFault('password-long', ['DB-POLICY-01'], 'passwords have 24 characters', {
    rules: { password: (original) => (random) => `${original(random)}Aa1-` },
  }),
  databaseFault('password-lower', ['DB-POLICY-02'], 'passwords hold no upper-case letter', {
    rules: { password: (original) => (random) => original(random).toLowerCase() },
  }),
  databaseFault('password-upper', ['DB-POLICY-03'], 'passwords hold no lower-case letter', {
    rules: { password: (original) => (random) => original(random).toUpperCase() },
  }),
  databaseFault('password-no-digit', ['DB-POLICY-04'], 'passwords hold no digit', {
    rules: { password: (original) => (random) => original(random).replaceAll(/\d/g, 'q') },
  }),
  databaseFault('password-no-dash', ['DB-POLICY-05'], 'passwords hold no dash', {
    rules: { password: (original) => (random) => original(random).replaceAll('-', 'd') },
  }),
  databaseFault('static-password-short', ['DB-POLICY-06'], 'passwords of static roles have 16 characters', {
    rules: { staticPassword: (original) => (random) => original(random).slice(0, 16) },
  }),
  databaseFault('root-password-hex', ['DB-POLICY-07'], 'root passwords follow another policy', {
    rules: { rootPassword: (original) => (random) => original(random).replaceAll('-', '').toLowerCase() },
  }),
]
