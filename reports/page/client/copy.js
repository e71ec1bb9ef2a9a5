/** Buttons that copy a block of text. */
import { all } from './dom.js'

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

/**
 * Puts a button beside every block that can be copied.
 * @param {ParentNode} within
 */
export const addCopyButtons = (within) => {
  for (const source of all(HTMLElement, '[data-copy]', within)) {
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
}
