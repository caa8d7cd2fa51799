/** Length of the text of a part, in UTF-16 units. */
const usualPartLength = 64 * 1024

/** A list whose items are encoded as JSON already, so that a response need not encode them again. */
export class EncodedList {
  /** @param parts items, separated by commas; none is empty. */
  constructor(readonly parts: readonly Buffer[]) {}

  /** The items, for those who need more than their text. */
  toJSON(): unknown[] {
    // The parts are items.
    return this.parts.flatMap((part) => JSON.parse(`[${part.toString()}]`) as unknown[])
  }
}

/** An encoded list, with the type of the list that it stands for in a response. */
export function encodedList<Item>(parts: readonly Buffer[]): Item[] {
  // Responses are only ever serialized, which an encoded list supports.
  return new EncodedList(parts) as unknown as Item[]
}

/** Collects the items of an encoded list. */
export class EncodedItems<Item> {
  readonly #parts: Buffer[] = []
  #text = ''

  /** @param json the item. */
  add(json: string): void {
    this.#text += this.#text === '' ? json : `,${json}`
    if (this.#text.length >= usualPartLength) this.#endPart()
  }

  /** The list of the items so far. */
  list(): Item[] {
    if (this.#text !== '') this.#endPart()
    return encodedList<Item>([...this.#parts])
  }

  #endPart(): void {
    this.#parts.push(Buffer.from(this.#text))
    this.#text = ''
  }
}

/** The JSON of the fields of an object, without its braces; empty if it has none. */
export function encodedFields(fields: object): string {
  return JSON.stringify(fields).slice(1, -1)
}

/** The JSON of an object. @param fields results of {@link encodedFields}. */
export function encodedObject(...fields: readonly string[]): string {
  return `{${fields.filter((json) => json !== '').join(',')}}`
}
