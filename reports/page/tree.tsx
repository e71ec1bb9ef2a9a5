/** Markup as data: what the page holds back until it is opened. The script of the page builds it, and text stays text. */
/** @jsxRuntime automatic */
/** @jsxImportSource preact */
import { type ComponentChildren, Fragment, isValidElement, type JSX, type VNode } from 'preact'

/**
 * An element as its name, its attributes and what is in it. A number stands for a part that occurs more than once: the number is
 * its place in the list of parts.
 */
export type Tree = [tag: string, attributes: Record<string, string>, ...inside: Inside[]]
type Inside = string | number | Tree | { later: Inside[] }

type Props = Record<string, unknown> & { children?: ComponentChildren }

interface LaterProps {
  summary: ComponentChildren
  children: ComponentChildren
  class?: string
}

/** Details whose inside is built when they are opened, so that closed ones cost nothing. */
export const Later = ({ summary, children, ...named }: LaterProps): JSX.Element => (
  <details {...named}>
    <summary>{summary}</summary>
    <Data of={insideOf(children)} />
  </details>
)

/** A value for the script of the page. No text in it can end the element that holds it. */
export const Data = ({ of, ...names }: { of: unknown; [name: `data-${string}`]: string }): JSX.Element => (
  <script type="application/json" {...names} dangerouslySetInnerHTML={{ __html: JSON.stringify(of).replaceAll('<', '\\u003c') }} />
)

/**
 * Turns markup into data. Components are called, so they must be plain functions without hooks.
 * @throws where markup is given as text
 */
export const insideOf = (children: ComponentChildren): Inside[] => {
  if (Array.isArray(children)) return children.flatMap(insideOf)
  if (children === null || children === undefined || typeof children === 'boolean') return []
  return isValidElement(children) ? ofNode(children as VNode<Props>) : [String(children)]
}

const ofNode = ({ type, props }: VNode<Props>): Inside[] => {
  const { children, ...attributes } = props
  if ((type as unknown) === Later) {
    const { summary, ...named } = attributes
    return [['details', attributesOf(named), ['summary', {}, ...insideOf(summary as ComponentChildren)], { later: insideOf(children) }]]
  }
  if (type === Fragment) return insideOf(children)
  if (typeof type !== 'string') return insideOf((type as (props: Props) => ComponentChildren)(props))
  if ('dangerouslySetInnerHTML' in attributes) throw new Error(`the inside of <${type}> is text that would become markup`)
  return [[type, attributesOf(attributes), ...joined(insideOf(children))]]
}

const attributesOf = (attributes: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(attributes)
      .filter(([, value]) => value !== undefined && value !== null && value !== false)
      .map(([name, value]) => [name, value === true ? '' : String(value)]),
  )

/** Neighbouring texts as one. */
const joined = (inside: Inside[]): Inside[] => {
  const result: Inside[] = []
  for (const one of inside) {
    const last = result.at(-1)
    if (typeof one === 'string' && typeof last === 'string') result[result.length - 1] = last + one
    else result.push(one)
  }
  return result
}

/** Groups of elements in which a part that occurs more than once stands once. */
export interface Packed {
  parts: Inside[]
  groups: Inside[][]
}

/** Packs groups of elements: badges and the like are the same in most rows. */
export const packed = (groups: Inside[][]): Packed => {
  const seen = new Map<string, number>()
  const count = (one: Inside): void => {
    if (!Array.isArray(one)) return
    const key = JSON.stringify(one)
    const times = seen.get(key) ?? 0
    seen.set(key, times + 1)
    if (times === 0) for (const inner of one.slice(2) as Inside[]) count(inner)
  }
  for (const group of groups) for (const one of group) count(one)

  const places = new Map<string, number>()
  const parts: Inside[] = []
  const inner = (one: Tree): Tree => [one[0], one[1], ...(one.slice(2) as Inside[]).map(pack)]
  const pack = (one: Inside): Inside => {
    if (!Array.isArray(one)) return one
    const key = JSON.stringify(one)
    if (seen.get(key) === 1) return inner(one)
    const known = places.get(key)
    if (known !== undefined) return known
    const place = parts.push(inner(one)) - 1
    places.set(key, place)
    return place
  }
  return { parts, groups: groups.map((group) => group.map((one) => (Array.isArray(one) ? inner(one) : one))) }
}
