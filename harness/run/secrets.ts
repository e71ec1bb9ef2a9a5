/** Values that must never reach an artefact: collected while the run goes on, replaced in everything that is written. */

const MIN_LENGTH = 6

const formsOf = (value: string): string[] => {
  const bytes = Buffer.from(value, 'utf8')
  const json = JSON.stringify(value).slice(1, -1)
  const forms = [
    value,
    json,
    encodeURIComponent(value),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    JSON.stringify(json).slice(1, -1),
  ]
  return [...new Set(forms)]
}

export class SecretRegistry {
  readonly #values = new Set<string>()

  /** Registers a value; text too short to be told from ordinary words is not taken. */
  add(value: string): void {
    if (value.length >= MIN_LENGTH) this.#values.add(value)
  }

  /** Replaces every registered value in all its usual spellings. */
  redact(text: string): string {
    let result = text
    const forms = [...this.#values].flatMap(formsOf).sort((left, right) => right.length - left.length)
    for (const form of forms) if (result.includes(form)) result = result.replaceAll(form, '[redacted]')
    return result
  }

  /** True when a registered value or one of its spellings is in the text. */
  appearsIn(text: string): boolean {
    return [...this.#values].some((value) => formsOf(value).some((form) => text.includes(form)))
  }

  /** Every spelling of one value that a leak search looks for. */
  static spellings(value: string): string[] {
    return formsOf(value)
  }
}
