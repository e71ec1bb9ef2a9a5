/**
 * The script of the page: search, filters, copying, deep links and keys. The page is complete without it. Its text goes into the
 * page as it stands, so it imports nothing; `tsconfig.json` beside it checks its types. It only reads text and toggles attributes:
 * nothing that came from a server is ever turned into markup.
 */

/** @typedef {{ table: HTMLTableElement, search: HTMLInputElement, selects: HTMLSelectElement[], chips: HTMLButtonElement[], rows: HTMLTableRowElement[], apply: () => void, clear: () => void }} List */

/**
 * @template {Element} T
 * @param {new () => T} type
 * @param {string} selector
 * @param {ParentNode} [within]
 * @returns {T[]}
 */
const all = (type, selector, within = document) =>
  [...within.querySelectorAll(selector)].filter(/** @returns {node is T} */ (node) => node instanceof type)

/** @type {WeakMap<Element, string>} */
const texts = new WeakMap()
/** @param {Element} row */
const textOf = (row) => {
  const known = texts.get(row)
  if (known !== undefined) return known
  const text = (row.textContent ?? '').toLowerCase()
  texts.set(row, text)
  return text
}

/**
 * Makes one list narrow itself by its toolbar.
 * @param {HTMLElement} root
 * @returns {List}
 */
const listOf = (root) => {
  const table = all(HTMLTableElement, 'table', root)[0]
  const search = all(HTMLInputElement, 'input[type=search]', root)[0]
  if (!table || !search) throw new Error('a list without table or search field')
  const selects = all(HTMLSelectElement, 'select[data-by]', root)
  const chips = all(HTMLButtonElement, 'button[data-outcome-choice]', root)
  const rows = all(HTMLTableRowElement, 'tr[data-row]', table)

  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean)
    const outcomes = chips.filter((chip) => chip.getAttribute('aria-pressed') === 'true').map((chip) => chip.dataset.outcomeChoice)
    let shown = 0
    for (const row of rows) {
      const fits =
        (outcomes.length === 0 || outcomes.includes(row.dataset.outcome)) &&
        selects.every((select) => select.value === '' || row.dataset[select.dataset.by ?? ''] === select.value) &&
        words.every((word) => textOf(row).includes(word))
      row.hidden = !fits
      if (fits) shown += 1
    }
    for (const body of table.tBodies) body.hidden = ![...body.rows].some((row) => 'row' in row.dataset && !row.hidden)
    table.hidden = shown === 0
    for (const empty of all(HTMLElement, '[data-empty]', root)) empty.hidden = shown > 0
    const narrowed = words.length > 0 || outcomes.length > 0 || selects.some((select) => select.value !== '')
    for (const output of all(HTMLElement, '[data-shown]', root)) output.textContent = `${shown} of ${rows.length} shown`
    for (const button of all(HTMLElement, '[data-clear]', root)) button.hidden = !narrowed
  }
  const clear = () => {
    search.value = ''
    for (const select of selects) select.value = ''
    for (const chip of chips) chip.setAttribute('aria-pressed', 'false')
    apply()
  }

  search.addEventListener('input', apply)
  for (const select of selects) select.addEventListener('change', apply)
  for (const chip of chips) {
    chip.addEventListener('click', () => {
      chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'))
      apply()
    })
  }
  for (const button of all(HTMLElement, '[data-clear]', root)) {
    button.addEventListener('click', () => {
      clear()
      search.focus()
    })
  }
  for (const toolbar of all(HTMLElement, '[data-toolbar]', root)) toolbar.hidden = false
  apply()
  return { table, search, selects, chips, rows, apply, clear }
}

const lists = all(HTMLElement, '[data-filterable]').map(listOf)
const clauses = lists.find((list) => 'slash' in list.search.dataset)

// Counts on the cards narrow the list of clauses to what they count.
for (const link of all(HTMLAnchorElement, 'a[data-show-outcome]')) {
  link.addEventListener('click', () => {
    if (!clauses) return
    clauses.clear()
    for (const select of clauses.selects) if (select.dataset.by === 'engine') select.value = link.dataset.showEngine ?? ''
    for (const chip of clauses.chips) chip.setAttribute('aria-pressed', String(chip.dataset.outcomeChoice === link.dataset.showOutcome))
    clauses.apply()
  })
}

/** Opens what a link points at, and shows it even where a filter hides it. */
const follow = () => {
  let id = location.hash.slice(1)
  try {
    id = decodeURIComponent(id)
  } catch {
    return
  }
  const target = document.getElementById(id)
  if (!target || !('nav' in target.dataset)) return
  if (target.hidden) for (const list of lists) if (list.rows.some((row) => row === target)) list.clear()
  for (const details of all(HTMLDetailsElement, 'td > details', target)) details.open = true
  target.scrollIntoView({ block: 'start' })
  target.focus({ preventScroll: true })
}
addEventListener('hashchange', follow)
follow()

/**
 * Copies text; where the browser gives no clipboard (a page opened from a file, say), a selection does it.
 * @param {HTMLElement} source
 */
const copy = async (source) => {
  try {
    await navigator.clipboard.writeText(source.textContent ?? '')
    return true
  } catch {
    getSelection()?.selectAllChildren(source)
    return document.execCommand('copy')
  }
}
for (const source of all(HTMLElement, '[data-copy]')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', `Copy: ${source.dataset.copy}`)
  button.addEventListener('click', async () => {
    button.textContent = (await copy(source)) ? 'Copied' : 'Select and copy'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1600)
  })
  source.after(button)
}

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

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key === 'Escape') {
    for (const list of lists) if (list.search === event.target || list === clauses) list.clear()
    if (event.target instanceof HTMLElement) event.target.blur()
    return
  }
  if (typing(event.target)) return
  if (event.key === '/' && clauses) {
    event.preventDefault()
    clauses.search.focus()
    clauses.search.select()
  } else if (event.key === 'j') move(1)
  else if (event.key === 'k') move(-1)
  else if (event.key === 'e') toggleAll()
})
for (const keys of all(HTMLElement, '[data-keys]')) keys.hidden = false

addEventListener('beforeprint', () => {
  for (const details of all(HTMLDetailsElement, 'details')) details.open = true
})

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
