/** Keys: search, next and previous, open or close all, clear. */
import { all } from './dom.js'

/** @typedef {import('./list.js').List} List */

/** @param {number} step */
const move = (step) => {
  const stops = all(HTMLElement, '[data-nav]').filter((stop) => stop.offsetParent !== null)
  const active = document.activeElement?.closest('[data-nav]')
  let at = active instanceof HTMLElement ? stops.indexOf(active) : -1
  if (at < 0) {
    const below = stops.findIndex((stop) => stop.getBoundingClientRect().top > 8)
    at = below < 0 ? stops.length : step > 0 ? below - 1 : below
  }
  const next = stops[Math.max(0, Math.min(stops.length - 1, at + step))]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}

const toggleAll = () => {
  const shown = all(HTMLDetailsElement, 'details').filter((details) => details.offsetParent !== null)
  const open = shown.some((details) => !details.open)
  for (const details of shown) details.open = open
}

/** @param {EventTarget | null} target */
const typing = (target) => target instanceof HTMLInputElement || target instanceof HTMLSelectElement

/** @param {List[]} lists */
export const addKeys = (lists) => {
  const first = lists.find((list) => list.search && 'slash' in list.search.dataset)
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape') {
      for (const list of lists) if ((list.search && list.search === event.target) || list === first) list.clear()
      if (event.target instanceof HTMLElement) event.target.blur()
      return
    }
    if (typing(event.target)) return
    if (event.key === '/' && first?.search) {
      event.preventDefault()
      first.search.focus()
      first.search.select()
    } else if (event.key === 'j') move(1)
    else if (event.key === 'k') move(-1)
    else if (event.key === 'e') toggleAll()
  })
  // A page without a list has nothing to search.
  for (const keys of all(HTMLElement, '[data-keys]')) keys.hidden = first === undefined
}
