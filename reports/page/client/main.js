/**
 * The script of the page: lists, search and filters in the address, copying, links and keys. Its files go into the page one after
 * the other, imports left out. Verdict, counts and violations stand in the page without it.
 */
import { readAddress, spell, writeAddress } from './address.js'
import { addCopyButtons } from './copy.js'
import { all, buildInside } from './dom.js'
import { addKeys } from './keys.js'
import { List } from './list.js'

const lists = all(HTMLElement, '[data-list]').map((root) => new List(root))

/** How all lists are narrowed. */
const narrowing = () => new URLSearchParams(lists.flatMap((list) => [...list.state()]))

for (const list of lists) {
  list.changed = (typed) => writeAddress({ id: list.name, query: narrowing() }, typed ? list.name : '')
}

/** Shows what the address says: lists narrowed, and what it names in sight. */
const follow = () => {
  const { id, query } = readAddress()
  for (const list of lists) list.setState(query)
  const row = () => lists.map((list) => list.reveal(id)).find((found) => found !== undefined)
  const target = document.getElementById(id) ?? (id.startsWith('clause-') ? row() : undefined)
  if (!target) return
  if (target.tagName === 'SECTION') {
    if (query.size > 0) target.scrollIntoView()
    return
  }
  if (!target.matches('[data-nav], [data-anchor]')) return
  for (let around = target.closest('details'); around; around = around.parentElement?.closest('details') ?? null) around.open = true
  for (const details of all(HTMLDetailsElement, 'td > details', target)) details.open = true
  target.scrollIntoView({ block: 'start' })
  target.focus({ preventScroll: true })
}

// A link of the contents leaves the lists as they are.
for (const link of all(HTMLAnchorElement, '.contents a')) {
  const id = link.hash.slice(1)
  link.addEventListener('click', () => {
    link.hash = spell({ id, query: narrowing() })
  })
}

// Details do not tell their ancestors that they were opened, but they can be overheard.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (target instanceof HTMLDetailsElement && target.open && buildInside(target)) addCopyButtons(target)
  },
  true,
)

for (const node of all(HTMLElement, '[data-unscripted]')) node.hidden = true
addCopyButtons(document)
addKeys(lists)
addEventListener('hashchange', follow)
follow()

// The contents mark the section that is being read.
const links = new Map(all(HTMLAnchorElement, '.contents a').map((link) => [link.hash.slice(1), link]))
const inView = new IntersectionObserver(
  (entries) => {
    const entry = entries.find((one) => one.isIntersecting)
    if (!entry) return
    for (const [id, link] of links) {
      if (id === entry.target.id) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  },
  { rootMargin: '-15% 0px -80% 0px' },
)
for (const section of all(HTMLElement, 'main > section')) inView.observe(section)
