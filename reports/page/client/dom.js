/** Finds and builds elements. Text from a server only ever becomes the text of a node. */

/**
 * An element as data; see the type of the same name where the page is made.
 * @typedef {[tag: string, attributes: Record<string, string>, ...inside: Inside[]]} Tree
 */
/** @typedef {string | number | Tree | { later: Inside[] }} Inside */

const SVG = 'http://www.w3.org/2000/svg'
const DRAWN = ['svg', 'use', 'rect']

/**
 * @template {Element} T
 * @param {new () => T} type
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {T[]}
 */
export const all = (type, selector, within = document) =>
  [...within.querySelectorAll(selector)].filter(/** @returns {node is T} */ (node) => node instanceof type)

/**
 * What waits until it is opened, by the element that it will stand in.
 * @type {WeakMap<Element, { inside: Inside[], parts: Inside[] }>}
 */
const waiting = new WeakMap()

/**
 * Builds an element from data.
 * @param {Tree} tree
 * @param {Inside[]} [parts] what the numbers in the tree stand for
 * @returns {HTMLElement | SVGElement}
 */
export const build = ([tag, attributes, ...inside], parts = []) => {
  const node = DRAWN.includes(tag) ? /** @type {SVGElement} */ (document.createElementNS(SVG, tag)) : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
  fill(node, inside, parts)
  return node
}

/**
 * @param {Element} node
 * @param {Inside[]} inside
 * @param {Inside[]} parts
 */
const fill = (node, inside, parts) => {
  for (const one of inside) {
    const known = typeof one === 'number' ? parts[one] : one
    if (typeof known === 'string') node.append(known)
    else if (Array.isArray(known)) node.append(build(known, parts))
    else if (typeof known === 'object') waiting.set(node, { inside: known.later, parts })
  }
}

/**
 * All text of a tree, in lower case: what a search looks in.
 * @param {Inside} one
 * @param {Inside[]} parts
 * @returns {string}
 */
export const textOf = (one, parts) => {
  if (typeof one === 'string') return one.toLowerCase()
  if (typeof one === 'number') return textOf(parts[one] ?? '', parts)
  return (Array.isArray(one) ? one.slice(2) : one.later).map((inner) => textOf(/** @type {Inside} */ (inner), parts)).join(' ')
}

/**
 * Reads the data that stands in an element, and removes it from the page.
 * @param {Element} node
 * @param {string} selector
 * @returns {unknown}
 */
export const takeData = (node, selector) => {
  const data = node.querySelector(selector)
  data?.remove()
  return data === null ? undefined : JSON.parse(data.textContent ?? '')
}

/**
 * Builds what an opened element was made to hold. Does nothing the second time.
 * @param {HTMLDetailsElement} details
 * @returns {boolean} whether anything was built
 */
export const buildInside = (details) => {
  const held = waiting.get(details)
  const inside = held?.inside ?? /** @type {Inside[] | undefined} */ (takeData(details, ':scope > script[type="application/json"]'))
  waiting.delete(details)
  if (inside === undefined) return false
  fill(details, inside, held?.parts ?? [])
  return true
}
