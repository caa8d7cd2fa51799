import { ChatError } from '../errors/index.js'
import { EventLoopYielder } from '../kernel/event-loop-yielder.js'
import { isRecord } from '../kernel/objects.js'
import type { FileItem } from './file-schemas.js'

/** An item of a list in an organization file, with its location. */
export interface PlacedItem<Item> {
  /** A JSON pointer. */
  readonly place: string
  readonly item: Item
}

/** The kinds of objects that a file can refer to by id, and the lists that contain them. */
const references = {
  user: ['users', 'bots'],
  group: ['groups'],
  channel: ['channels'],
  message: ['messages'],
  folder: ['channel_folders'],
  field: ['profile_fields'],
} as const satisfies Record<string, readonly string[]>
type Referable = keyof typeof references

/** Collects all problems of an organization file. */
export class FileCheck {
  readonly #problems: string[] = []
  readonly #ids = new Map<Referable, ReadonlySet<number>>()

  constructor(
    private readonly file: Readonly<Record<string, unknown>>,
    /** The JSON pointers of list items, and of values outside lists, with an invalid shape. */
    private readonly malformed: ReadonlySet<string>,
  ) {}

  /** All problems, in the order in which they were reported. */
  get problems(): readonly string[] {
    return this.#problems
  }

  report(place: string, problem: string): void {
    this.#problems.push(`${place}: ${problem}`)
  }

  /** The properties of an object outside lists that have a valid shape; all may be missing. */
  record<Values extends object>(place: string): Values {
    let object: unknown = this.file
    for (const key of place.split('/').slice(1)) object = isRecord(object) ? object[key] : undefined
    const values = Object.entries(isRecord(object) ? object : {})
    const valid = values.filter(([name]) => !this.malformed.has(`${place}/${name}`))
    // Values that are not malformed match their schemas; the type of the caller is theirs.
    return Object.fromEntries(valid) as Values
  }

  /** The items of a list that have a valid shape. */
  items<Key extends string>(key: Key): readonly PlacedItem<FileItem<Key>>[] {
    return [...this.#placed(key)]
  }

  /** Like {@link items}, for lists that may be long: yields to the event loop in between. */
  async *each<Key extends string>(key: Key): AsyncGenerator<PlacedItem<FileItem<Key>>> {
    const yielder = new EventLoopYielder()
    for (const placed of this.#placed(key)) {
      if (yielder.isDue) await yielder.yield()
      yield placed
    }
  }

  *#placed<Key extends string>(key: Key): Generator<PlacedItem<FileItem<Key>>> {
    for (const [index, item] of listOf(this.file[key]).entries()) {
      const place = `/${key}/${index}`
      // Items that are not malformed match the schema of their list.
      if (!this.malformed.has(place)) yield { place, item: item as FileItem<Key> }
    }
  }

  /** Like {@link each}, and reports ids that are used twice. */
  async *eachWithId<Key extends string>(key: Key): AsyncGenerator<PlacedItem<FileItem<Key>>> {
    const once = this.once()
    for await (const placed of this.each(key)) {
      const id = idOf(placed.item)
      if (id !== undefined) once(`${placed.place}/id`, id)
      yield placed
    }
  }

  /** The ids of all objects of a kind in the file, including objects that are otherwise invalid. */
  idsOf(kind: Referable): ReadonlySet<number> {
    let ids = this.#ids.get(kind)
    if (ids === undefined) {
      const items = references[kind].flatMap((key) => listOf(this.file[key]))
      this.#ids.set(kind, (ids = new Set(items.map(idOf).filter((id) => id !== undefined))))
    }
    return ids
  }

  /** Reports an id that no object of the file has. @returns whether an object has it. */
  requireKnown(place: string, kind: Referable, id: number): boolean {
    if (this.idsOf(kind).has(id)) return true
    this.report(place, `${kind} ${id} is not in the file`)
    return false
  }

  requireAllKnown(place: string, kind: Referable, ids: readonly number[] = []): void {
    const known = this.idsOf(kind)
    for (const [index, id] of ids.entries()) {
      if (!known.has(id)) this.requireKnown(`${place}/${index}`, kind, id)
    }
  }

  /** Reports the {@link ChatError} that a rule throws. @returns the result of the rule. */
  requireRule<Result>(place: string, rule: () => Result): Result | undefined {
    try {
      return rule()
    } catch (error) {
      if (!(error instanceof ChatError)) throw error
      this.report(place, error.message)
      return undefined
    }
  }

  /** @returns a function that records values of one kind, and reports duplicates. */
  once(): (place: string, value: number | string, shown?: number | string) => void {
    const seen = new Set<number | string>()
    return (place, value, shown = value) => {
      if (seen.has(value)) this.report(place, `${shown} is used twice`)
      seen.add(value)
    }
  }
}

/** The value as a list of an organization file; empty if it is not a list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The id that the file assigns to an item, if it assigns one. */
export function idOf(item: unknown): number | undefined {
  const id = isRecord(item) ? item['id'] : undefined
  return typeof id === 'number' ? id : undefined
}
