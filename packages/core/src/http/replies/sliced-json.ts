import { EncodedList } from '../../kernel/encoded-list.js'
import { EventLoopYielder } from '../../kernel/event-loop-yielder.js'

/** Lists and objects with more entries are serialized in slices. */
const maxEntriesAtOnce = 16

/** Length of the text of a slice, in UTF-16 units: about half a millisecond of work. */
const usualSliceLength = 64 * 1024

const maxItemsPerSlice = 128

/** Items of lists are serialized in slices if one of their own lists is longer. */
const maxItemsWithinItem = 128

/** How deep lists are looked for: a payload, its keys, and the keys of these. */
const maxDepth = 3

/** Whether serializing a payload at once could block the event loop. */
export function isLong(payload: unknown): payload is object {
  return (
    isContainer(payload) &&
    Object.values(payload).some(
      (value) =>
        value instanceof EncodedList ||
        hasManyEntries(value) ||
        (Array.isArray(value) && value.some((item) => isLongItem(item) || hasLongTexts(item))) ||
        isLongItem(value),
    )
  )
}

/** Whether an item of a list has a long list, such as a message with many reactions. */
function isLongItem(item: unknown): item is object {
  if (!isContainer(item)) return false
  for (const value of Object.values(item)) {
    if (Array.isArray(value) && value.length > maxItemsWithinItem) return true
  }
  return false
}

/** Whether a few such items are more than a slice, such as versions of a message. */
function hasLongTexts(item: unknown): boolean {
  if (!isContainer(item)) return false
  let length = 0
  for (const value of Object.values(item)) if (typeof value === 'string') length += value.length
  return length * maxEntriesAtOnce > usualSliceLength * 4
}

/** A long text of JSON, encoded. */
export interface SlicedJson {
  readonly parts: readonly Buffer[]
  /** Without the parts that are cached, and shared with other texts. */
  readonly ownBytes: number
}

/**
 * The same text as that of `JSON.stringify(payload)`, in parts. Yields to the event loop, so
 * the payload must not be changed meanwhile.
 */
export async function slicedJson(payload: object): Promise<SlicedJson> {
  const yielder = new EventLoopYielder()
  const buffers: Buffer[] = []
  let text = ''
  let ownBytes = 0
  const add = (): void => {
    const buffer = Buffer.from(text)
    ownBytes += buffer.length
    buffers.push(buffer)
    text = ''
  }
  for (const slice of slicesOf(payload, 0)) {
    if (typeof slice === 'string') text += slice
    if (text.length >= usualSliceLength || typeof slice !== 'string') add()
    if (typeof slice !== 'string') buffers.push(slice)
    if (yielder.isDue) await yielder.yield()
  }
  add()
  return { parts: buffers, ownBytes }
}

function* slicesOf(value: object, depth: number): Generator<string | Buffer, void, void> {
  if (Array.isArray(value)) {
    yield* slicesOfList(value, depth)
    return
  }
  let mark = '{'
  for (const [name, item] of Object.entries(value) as [string, unknown][]) {
    const key = `${mark}${JSON.stringify(name)}:`
    if (item instanceof EncodedList) {
      yield key
      yield* slicesOfEncoded(item)
    } else if (isContainer(item) && depth < maxDepth) {
      yield key
      yield* slicesOf(item, depth + 1)
    } else {
      // `JSON.stringify` leaves out keys without a value; its type does not say so.
      const json = JSON.stringify(item) as string | undefined
      if (json === undefined) continue
      yield key + json
    }
    mark = ','
  }
  yield mark === '{' ? '{}' : '}'
}

function* slicesOfEncoded({ parts }: EncodedList): Generator<string | Buffer, void, void> {
  let mark = '['
  for (const part of parts) {
    yield mark
    yield part
    mark = ','
  }
  yield mark === '[' ? '[]' : ']'
}

function* slicesOfList(
  list: readonly unknown[],
  depth: number,
): Generator<string | Buffer, void, void> {
  let mark = '['
  // The first items tell how large the others may be.
  let count = 1
  for (let from = 0; from < list.length;) {
    const item = list[from]
    if (depth < maxDepth && isLongItem(item)) {
      yield mark
      yield* slicesOf(item, depth + 1)
      from += 1
    } else {
      const slice = list.slice(from, from + count)
      const nextLong = depth < maxDepth ? slice.findIndex(isLongItem) : -1
      if (nextLong > 0) slice.length = nextLong
      const json = JSON.stringify(slice)
      yield mark + json.slice(1, -1)
      from += slice.length
      const isLarge = json.length > usualSliceLength
      count = isLarge ? Math.ceil(count / 2) : Math.min(2 * count, maxItemsPerSlice)
    }
    mark = ','
  }
  yield mark === '[' ? '[]' : ']'
}

/** Whether it is a list or an object that is serialized by its entries. */
function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value)
}

function hasManyEntries(value: unknown): boolean {
  if (!isContainer(value)) return false
  if (Array.isArray(value)) return value.length > maxEntriesAtOnce
  let entries = 0
  for (const _name in value) {
    entries += 1
    if (entries > maxEntriesAtOnce) return true
  }
  return false
}
