/** A list that is narrowed by its toolbar and makes rows when a group of it is opened. */
import { all, build, takeData, textOf } from './dom.js'

/** @typedef {import('./dom.js').Inside} Inside */
/** @typedef {import('./dom.js').Tree} Tree */
/** @typedef {{ tree: Tree, text?: string, element?: Element }} Row */
/** @typedef {{ body: HTMLTableSectionElement, button: HTMLButtonElement, rows: Row[], open: boolean, most: number }} Group */

/** Rows of a group that are made at first where it opens by itself, where it is opened, and with each further step. */
const AT_FIRST = 20
const WHEN_OPENED = 50
const STEP = 200

export class List {
  /** @type {{ parts: Inside[], groups: Row[][] } | undefined} */
  #data
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root
    this.name = root.dataset.list ?? ''
    this.search = all(HTMLInputElement, 'input[type=search]', root)[0]
    this.selects = all(HTMLSelectElement, 'select[data-by]', root)
    this.chips = all(HTMLButtonElement, 'button[data-outcome-choice]', root)
    /** Told after each change by the reader; `typed` is true for a change of the search field. @type {(typed: boolean) => void} */
    this.changed = () => {}
    this.groups = all(HTMLTableSectionElement, 'tbody', root).map((body) => this.#group(body))
    this.search?.addEventListener('input', () => this.#narrow(true))
    for (const select of this.selects) select.addEventListener('change', () => this.#narrow(false))
    for (const chip of this.chips) {
      chip.addEventListener('click', () => {
        chip.setAttribute('aria-pressed', String(chip.getAttribute('aria-pressed') !== 'true'))
        this.#narrow(false)
      })
    }
    for (const button of all(HTMLElement, '[data-clear]', root)) {
      button.addEventListener('click', () => {
        this.clear()
        this.search?.focus()
      })
    }
    for (const toolbar of all(HTMLElement, '[data-toolbar]', root)) toolbar.hidden = false
    this.apply()
  }

  /** Shows all that the list has, as a change by the reader. */
  clear() {
    if (!this.isNarrowed()) return
    this.setState(new URLSearchParams())
    this.changed(false)
  }

  isNarrowed() {
    return [...this.state().keys()].length > 0
  }

  /** How the list is narrowed, as parameters of the address. */
  state() {
    const query = new URLSearchParams()
    if (this.search && this.search.value.trim() !== '') query.set(`${this.name}.q`, this.search.value.trim())
    for (const select of this.selects) if (select.value !== '') query.set(`${this.name}.${select.dataset.by}`, select.value)
    const outcomes = this.#outcomes()
    if (outcomes.length > 0) query.set(`${this.name}.outcome`, outcomes.join(','))
    return query
  }

  /**
   * Narrows the list as parameters say; what they do not name is not narrowed.
   * @param {URLSearchParams} query
   */
  setState(query) {
    const before = this.state().toString()
    if (this.search) this.search.value = query.get(`${this.name}.q`) ?? ''
    for (const select of this.selects) {
      const value = query.get(`${this.name}.${select.dataset.by}`) ?? ''
      select.value = [...select.options].some((option) => option.value === value) ? value : ''
    }
    const outcomes = (query.get(`${this.name}.outcome`) ?? '').split(',')
    for (const chip of this.chips) chip.setAttribute('aria-pressed', String(outcomes.includes(chip.dataset.outcomeChoice ?? '')))
    if (this.state().toString() !== before) this.apply()
  }

  /** Makes the rows show what the toolbar says. */
  apply() {
    const narrowed = this.isNarrowed()
    let matches = 0
    this.groups.forEach((group, at) => {
      const rows = this.#data?.groups[at]
      group.rows = narrowed ? (this.#load().groups[at] ?? []).filter(this.#fits()) : (rows ?? [])
      group.open = narrowed ? group.rows.length > 0 : 'open' in group.body.dataset
      group.most = narrowed ? WHEN_OPENED : AT_FIRST
      group.body.hidden = narrowed && group.rows.length === 0
      matches += group.rows.length
      this.#draw(group, at)
    })
    const nothing = narrowed && matches === 0
    for (const table of all(HTMLTableElement, 'table', this.root)) table.hidden = nothing
    for (const empty of all(HTMLElement, '[data-empty]', this.root)) empty.hidden = !nothing
    for (const button of all(HTMLElement, '[data-clear]', this.root)) button.hidden = !narrowed
    const { total } = this.root.dataset
    for (const output of all(HTMLElement, '[data-shown]', this.root))
      output.textContent = narrowed ? `${matches} of ${total} match` : `${total} in all`
  }

  /**
   * Makes the row with an id and opens its group; nothing where no row has it, or the toolbar hides it.
   * @param {string} id
   * @returns {HTMLElement | undefined}
   */
  reveal(id) {
    const holds = (/** @type {Row} */ row) => row.tree[1].id === id
    const at = this.#load().groups.findIndex((rows) => rows.some(holds))
    const group = this.groups[at]
    if (!group) return undefined
    group.open = true
    this.#draw(group, at)
    const place = group.rows.findIndex(holds)
    group.most = Math.max(group.most, place + 1)
    this.#draw(group, at)
    const element = group.rows[place]?.element
    return element instanceof HTMLElement ? element : undefined
  }

  /** @param {boolean} typed */
  #narrow(typed) {
    this.apply()
    this.changed(typed)
  }

  #outcomes() {
    return this.chips.filter((chip) => chip.getAttribute('aria-pressed') === 'true').map((chip) => chip.dataset.outcomeChoice ?? '')
  }

  #fits() {
    const words = (this.search?.value ?? '').toLowerCase().split(/\s+/).filter(Boolean)
    const outcomes = this.#outcomes()
    const choices = this.selects.filter((select) => select.value !== '').map((select) => [`data-${select.dataset.by}`, select.value])
    return (/** @type {Row} */ row) => {
      const attributes = row.tree[1]
      if (outcomes.length > 0 && !outcomes.includes(attributes['data-outcome'] ?? '')) return false
      if (choices.some(([name = '', value]) => attributes[name] !== value)) return false
      if (words.length === 0) return true
      row.text ??= textOf(row.tree, this.#load().parts)
      return words.every((word) => row.text?.includes(word))
    }
  }

  /** The rows as data, read when they are first needed. */
  #load() {
    if (this.#data) return this.#data
    const { parts, groups } = /** @type {{ parts: Inside[], groups: Tree[][] }} */ (takeData(this.root, 'script[data-rows]'))
    this.#data = { parts, groups: groups.map((trees) => trees.map((tree) => ({ tree }))) }
    return this.#data
  }

  /**
   * @param {HTMLTableSectionElement} body
   * @returns {Group}
   */
  #group(body) {
    const head = all(HTMLElement, '.group th', body)[0]
    const button = document.createElement('button')
    button.type = 'button'
    button.append(...(head?.childNodes ?? []))
    head?.append(button)
    const group = { body, button, rows: [], open: false, most: AT_FIRST }
    button.addEventListener('click', () => {
      group.open = !group.open
      group.most = Math.max(group.most, WHEN_OPENED)
      this.#draw(group, this.groups.indexOf(group))
    })
    return group
  }

  /**
   * @param {Group} group
   * @param {number} at
   */
  #draw(group, at) {
    group.button.setAttribute('aria-expanded', String(group.open))
    for (const row of [...group.body.children].slice(1)) row.remove()
    if (!group.open) return
    const { parts, groups } = this.#load()
    if (!this.isNarrowed()) group.rows = groups[at] ?? []
    const rows = group.rows.slice(0, group.most).map((row) => (row.element ??= build(row.tree, parts)))
    const rest = group.rows.length - rows.length
    group.body.append(...rows, ...(rest > 0 ? [this.#more(group, at, rest)] : []))
  }

  /**
   * The row that makes more rows.
   * @param {Group} group
   * @param {number} at
   * @param {number} rest
   */
  #more(group, at, rest) {
    const row = /** @type {HTMLTableRowElement} */ (
      build([
        'tr',
        { class: 'rest' },
        ['td', { colspan: '9' }, ['button', { type: 'button', class: 'quiet' }, `Show ${Math.min(STEP, rest)} more of ${rest}`]],
      ])
    )
    row.querySelector('button')?.addEventListener('click', () => {
      const next = group.most
      group.most += STEP
      this.#draw(group, at)
      const first = group.rows[next]?.element
      if (first instanceof HTMLElement) first.focus({ preventScroll: true })
    })
    return row
  }
}
