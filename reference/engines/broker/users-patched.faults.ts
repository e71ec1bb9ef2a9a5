/** Roles and the users made by them: rights of another role, of a former one, and patterns that are unescaped once more. */
import { faultsOf } from '../../mutations/declare.ts'
import { remembered } from '../../mutations/remembering.ts'
import { brokerEngine } from './engine.ts'
import type { BrokerRole, BrokerState, VhostRights } from './state.ts'

const { rule, route, change } = faultsOf(brokerEngine)

const latest = remembered((): { topics: string } => ({ topics: '' }))

route(
  'patched-topics-of-latest',
  ['BROKER-TOPICS-06'],
  'a role without vhost_topics gets those that were written last in the mount',
  'broker.writeRole',
  (original) => async (call) => {
    const seen = latest(call.state)
    const topics = call.body.vhost_topics ?? seen.topics
    const given = await original({ ...call, body: { ...call.body, vhost_topics: topics } })
    seen.topics = String(topics)
    return given
  },
)

const formerRoles = remembered(() => new Map<string, BrokerRole>())

change(
  'patched-rights-of-former',
  ['BROKER-ROLE-05'],
  'users of a role made again under its name get the vhosts of the deleted one until it is updated',
  {
    routes: {
      'broker.deleteRole': (original) => (call) => {
        const name = call.params.name ?? ''
        const role = call.state.roles.get(name)
        if (role) formerRoles(call.state).set(name, role)
        return original(call)
      },
      'broker.writeRole': (original) => (call) => {
        const name = call.params.name ?? ''
        if (call.state.roles.has(name)) formerRoles(call.state).delete(name)
        return original(call)
      },
      'broker.readCreds': (original) => (call) => {
        const name = call.params.name ?? ''
        const role = call.state.roles.get(name)
        const former = formerRoles(call.state).get(name)
        if (!role || !former) return original(call)
        const roles = new Map(call.state.roles).set(name, { ...role, vhosts: former.vhosts })
        return original({ ...call, state: Object.assign(Object.create(call.state) as BrokerState, { roles }) })
      },
    },
  },
)
rule('patched-third-tag', ['BROKER-TAGS-01'], 'users get the first two tags of a role only', {
  tagsOfUser: (original) => (role) => original(role).split(',').slice(0, 2).join(','),
})

const unescaped = (pattern: string): string => pattern.replace(/\\(.)/g, '$1')

rule('patched-backslashes', ['BROKER-VHOSTS-01'], 'backslashes in the patterns of vhosts are taken for escapes once more', {
  rightsOfUser: (original) => (rights) =>
    new Map(
      [...original(rights)].map(([vhost, { configure, write, read }]): [string, VhostRights] => [
        vhost,
        { configure: unescaped(configure), write: unescaped(write), read: unescaped(read) },
      ]),
    ),
})
