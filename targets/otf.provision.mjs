#!/usr/bin/env node
/**
 * Provisioner for OTF, run as an executable with OTF_URL and OTF_SITE_TOKEN in the environment: makes agent pools and the tokens of two
 * organizations. One of them, `assay-own`, holds the pools; the other's token is the stranger's. The reader is a team of the former, which may do
 * nothing with pools. The protocol is specs/meta/need.schema.json.
 */
const base = `${process.env.OTF_URL ?? 'http://127.0.0.1:8080'}/api/v2`
const MEDIA_TYPE = 'application/vnd.api+json'

const send = async (method, path, data) => {
  const answer = await fetch(`${base}/${path}`, {
    method,
    headers: { Authorization: `Bearer ${process.env.OTF_SITE_TOKEN ?? ''}`, 'Content-Type': MEDIA_TYPE },
    ...(data === undefined ? {} : { body: JSON.stringify({ data }) }),
  })
  const text = await answer.text()
  return { status: answer.status, data: text.startsWith('{') ? JSON.parse(text).data : undefined, text }
}

const expectOk = (what, answer) => {
  if (answer.status >= 300) throw new Error(`${what} answered ${answer.status} ${answer.text.slice(0, 150)}`)
  return answer.data
}

const organization = async (name) => {
  if ((await send('GET', `organizations/${name}`)).status === 200) return
  const answer = await send('POST', 'organizations', { type: 'organizations', attributes: { name, email: 'nobody@example.test' } })
  // Another need of the same run may have made it meanwhile.
  if ((await send('GET', `organizations/${name}`)).status !== 200) expectOk('creating an organization', answer)
}

/** Makes the token of an organization or a team, the only one that it has. */
const tokenOf = async (owner) => {
  const data = { type: 'authentication-token', attributes: {} }
  return expectOk('creating a token', await send('POST', `${owner}/authentication-token`, data)).attributes.token
}

const reader = async (run) => {
  await organization('assay-own')
  const data = { type: 'teams', attributes: { name: `assay-${run}-readers` } }
  const team = expectOk('creating a team', await send('POST', 'organizations/assay-own/teams', data))
  return { token: await tokenOf(`teams/${team.id}`), displayName: data.attributes.name, undo: `teams/${team.id}` }
}

const provide = async ({ kind, purpose, run }) => {
  if (kind === 'fixture' && purpose.endsWith('agent-pool')) {
    await organization('assay-own')
    const name = `assay-${run}-${Math.random().toString(36).slice(2)}`
    const pool = expectOk(
      'creating an agent pool',
      await send('POST', 'organizations/assay-own/agent-pools', { type: 'agent-pools', attributes: { name } }),
    )
    return { fixture: { id: pool.id }, undo: `agent-pools/${pool.id}` }
  }
  if (kind === 'identity' && purpose === 'reader') return reader(run)
  const owner = { stranger: 'assay-other', colleague: 'assay-own' }[purpose]
  if (kind !== 'identity' || owner === undefined) return { unavailable: `OTF has nothing that is a ${kind} ${purpose}` }
  await organization(owner)
  return { token: await tokenOf(`organizations/${owner}`), displayName: owner }
}

let input = ''
for await (const chunk of process.stdin) input += chunk
const need = JSON.parse(input)
if (need.action === 'undo') await send('DELETE', need.undo)
console.log(JSON.stringify(need.action === 'undo' ? {} : await provide(need)))
