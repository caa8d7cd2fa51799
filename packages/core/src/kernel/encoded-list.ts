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
