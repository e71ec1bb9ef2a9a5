/** Roles whose names are alike. */
import { collection, type JsonObject } from '../../harness/checks/index.ts'
import { needs, placeFor } from './fixtures.ts'

const rights = (vhost: string, pattern: string): JsonObject => ({
  vhosts: JSON.stringify({ [vhost]: { configure: pattern, write: '.*', read: pattern } }),
})

collection('broker/roles-alike', 'roles whose names are alike are kept apart', {
  ...needs(),
  clauses: { read: 'BROKER-ROLE-03', deleted: 'BROKER-ROLE-05' },
  alone: { type: 'broker', spelled: ['CORE-NS-01', 'CORE-NS-02', 'CORE-NS-03'] },
  operations: { write: 'broker.writeRole', read: 'broker.readRole', remove: 'broker.deleteRole' },
  more: 110,
  async bodies(bench) {
    const { vhost, allRights } = await placeFor(bench)
    return [
      { vhosts: allRights },
      { tags: 'management' },
      { tags: 'monitoring' },
      rights(vhost, ''),
      { ...rights(vhost, '^a'), tags: 'policymaker,management' },
    ]
  },
})
