import { ChatError } from '../errors/index.js'
import { EventLoopYielder } from '../kernel/event-loop-yielder.js'

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

  /** The values with a valid shape of an object outside lists, with their names. */
  record(place: string): readonly { place: string; name: string; value: unknown }[] {
    const keys = place.split('/').slice(1)
    const object = keys.reduce<unknown>(
      (parent, key) => (parent as Readonly<Record<string, unknown>> | null)?.[key],
      this.file,
    )
    if (typeof object !== 'object' || object === null) return []
    return Object.entries(object)
      .map(([name, value]) => ({ place: `${place}/${name}`, name, value: value as unknown }))
      .filter((value) => !this.malformed.has(value.place))
  }

  /** The items of a list that have a valid shape. */
  items<Item>(key: string): readonly PlacedItem<Item>[] {
    return listOf(this.file[key])
      .map((item, index) => ({ place: `/${key}/${index}`, item: item as Item }))
      .filter(({ place }) => !this.malformed.has(place))
  }

  /** Like {@link items}, for lists that may be long: yields to the event loop in between. */
  async *each<Item>(key: string): AsyncGenerator<PlacedItem<Item>> {
    const yielder = new EventLoopYielder()
    for (const [index, item] of listOf(this.file[key]).entries()) {
      if (yielder.isDue) await yielder.yield()
      const place = `/${key}/${index}`
      if (!this.malformed.has(place)) yield { place, item: item as Item }
    }
  }

  /** Like {@link each}, and reports ids that are used twice. */
  async *eachWithId<Item>(key: string): AsyncGenerator<PlacedItem<Item>> {
    const once = this.once()
    for await (const placed of this.each<Item>(key)) {
      const { id } = placed.item as { readonly id?: number }
      if (id !== undefined) once(`${placed.place}/id`, id)
      yield placed
    }
  }

  /** The ids of all objects of a kind in the file, including objects that are otherwise invalid. */
  idsOf(kind: Referable): ReadonlySet<number> {
    let ids = this.#ids.get(kind)
    if (ids === undefined) {
      const known = new Set<number>()
      for (const key of references[kind]) {
        for (const item of listOf(this.file[key])) {
          known.add((item as { id?: unknown } | null)?.id as number)
        }
      }
      this.#ids.set(kind, (ids = known))
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

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
