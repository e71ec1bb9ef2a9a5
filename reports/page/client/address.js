/** The address of the page: what it shows and how its lists are narrowed, as `#clauses?clauses.engine=kv&clauses.q=token`. */

/** @typedef {{ id: string, query: URLSearchParams }} Address */

/** @returns {Address} */
export const readAddress = () => {
  const [id = '', query = ''] = location.hash.slice(1).split('?', 2)
  try {
    return { id: decodeURIComponent(id), query: new URLSearchParams(query) }
  } catch {
    return { id: '', query: new URLSearchParams() }
  }
}

/** @param {Address} address */
export const spell = ({ id, query }) => `#${encodeURIComponent(id)}${query.size === 0 ? '' : `?${query}`}`

/**
 * Puts the state of the lists into the address, where going back undoes it. What is typed in one go is one step.
 * @param {Address} address
 * @param {string} typed name of the list that is typed in, or nothing
 */
export const writeAddress = (address, typed) => {
  const hash = spell(address)
  if (hash === location.hash) return
  if (typed !== '' && history.state === typed) history.replaceState(typed, '', hash)
  else history.pushState(typed, '', hash)
}
