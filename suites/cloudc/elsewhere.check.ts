/** Rolesets of one name in several places. */
import { elsewhere } from '../../harness/checks/index.ts'
import { blocks, KEYS, OTHER_SCOPE, SCOPE, unconfiguredPlace } from './fixtures.ts'

elsewhere('cloudc/rolesets-elsewhere', 'rolesets of one name', {
  type: 'cloudc',
  clause: 'CLOUDC-APART-01',
  needs: { backends: ['clouds'] },
  operations: { write: 'cloudc.writeRoleset', read: 'cloudc.readRoleset', remove: 'cloudc.deleteRoleset', list: 'cloudc.listRolesets' },
  async bodies(bench, mount) {
    const place = await unconfiguredPlace(bench)
    await bench.given('cloudc.writeConfig', { mount, body: { credentials: place.cloud.credentials } })
    const { project, alpha } = place.resources
    return [
      place.body({ token_scopes: [SCOPE, OTHER_SCOPE] }),
      place.body({ bindings: blocks({ [alpha]: ['roles/pubsub.viewer'], [project]: ['roles/browser'] }) }),
      place.body({ token_scopes: [OTHER_SCOPE], bindings: blocks({ [alpha]: ['roles/pubsub.publisher'] }) }),
    ]
  },
})

/** The type of a roleset cannot be updated, so the ones for keys are looked at by themselves. */
elsewhere('cloudc/key-rolesets-elsewhere', 'rolesets for keys of one name', {
  type: 'cloudc',
  clause: 'CLOUDC-APART-01',
  needs: { backends: ['clouds'] },
  operations: { write: 'cloudc.writeRoleset', read: 'cloudc.readRoleset', remove: 'cloudc.deleteRoleset', list: 'cloudc.listRolesets' },
  async bodies(bench, mount) {
    const place = await unconfiguredPlace(bench)
    await bench.given('cloudc.writeConfig', { mount, body: { credentials: place.cloud.credentials } })
    const { project, alpha, beta } = place.resources
    return [
      { [project]: ['roles/viewer'] },
      { [alpha]: ['roles/pubsub.viewer'] },
      { [project]: ['roles/browser'], [beta]: ['roles/pubsub.viewer'] },
    ].map((bindings) => place.body({ ...KEYS, bindings: blocks(bindings as Record<string, string[]>) }))
  },
})
