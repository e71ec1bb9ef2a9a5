import { expect, it } from 'vitest'
import { below, matching } from './router.ts'

const routes = ['roles', 'roles/:name', 'cert/:serial', 'cert/ca', 'data/*path', 'cert/:serial/raw/pem', '*rest'].map((path) => ({ path }))
const first = (path: string) => {
  const match = matching(routes.slice(0, -1), path)[0]
  return match && [match.route.path, match.params]
}

it('finds literal segments, parameters and the rest', () => {
  expect(first('roles')).toEqual(['roles', {}])
  expect(first('roles/web')).toEqual(['roles/:name', { name: 'web' }])
  expect(first('data/a/b/c')).toEqual(['data/*path', { path: 'a/b/c' }])
  expect(first('data')).toEqual(['data/*path', { path: '' }])
  expect(first('cert/17:2a/raw/pem')).toEqual(['cert/:serial/raw/pem', { serial: '17:2a' }])
})

it('prefers what is more specific', () => {
  expect(first('cert/ca')).toEqual(['cert/ca', {}])
  expect(matching(routes, 'cert/ca').map(({ route }) => route.path)).toEqual(['cert/ca', 'cert/:serial', '*rest'])
})

it('finds nothing for empty names and further segments', () => {
  expect(first('roles/')).toBeUndefined()
  expect(first('roles/a/b')).toBeUndefined()
  expect(first('nothing')).toBeUndefined()
})

it('tells the routes at and below a path, relative to it', () => {
  const relative = (path: string) => below(routes.slice(0, -1), path).map((found) => found.relative)
  expect(relative('')).toContain('/roles/{name}')
  expect(relative('roles')).toEqual(['/', '/{name}'])
  expect(relative('cert/12')).toEqual(['/', '/raw/pem'])
  expect(relative('data/a/b')).toEqual(['/{path}'])
})
