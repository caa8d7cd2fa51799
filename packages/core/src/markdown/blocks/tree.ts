/** Maximum nesting of quotes, lists and fences; deeper ones stay text. */
export const maxNesting = 100

/** A block of the document. Text is still Markdown source; inline rules run during output. */
export type Block =
  | Paragraph
  | TextRun
  | Heading
  | Rule
  | CodeBlock
  | MathBlock
  | Quote
  | Spoiler
  | List
  | Table

export interface Paragraph {
  readonly kind: 'paragraph'
  readonly source: string
}

/** Text of a list item that follows a block of the same item and has no paragraph. */
export interface TextRun {
  readonly kind: 'text'
  source: string
}

export interface Heading {
  readonly kind: 'heading'
  readonly level: number
  readonly source: string
}

export interface Rule {
  readonly kind: 'rule'
}

export interface CodeBlock {
  readonly kind: 'code'
  /** As typed; undefined if there is neither a language nor a default. */
  readonly language: string | undefined
  /** Adjacent indented blocks are one block. */
  readonly isIndented: boolean
  readonly lines: string[]
}

export interface MathBlock {
  readonly kind: 'math'
  readonly lines: readonly string[]
}

export interface Quote {
  readonly kind: 'quote'
  readonly children: Block[]
}

export interface Spoiler {
  readonly kind: 'spoiler'
  readonly header: Root
  readonly body: Root
}

export interface List {
  readonly kind: 'list'
  readonly isOrdered: boolean
  /** First number as typed, unless it is 1. */
  readonly start: string | undefined
  readonly items: ListItem[]
}

/** An item is tight while `text` is set: its text is in the `li` without a paragraph. */
export interface ListItem {
  readonly kind: 'item'
  readonly children: Block[]
  text: string | undefined
}

export type Alignment = 'left' | 'center' | 'right' | undefined

export interface Table {
  readonly kind: 'table'
  readonly alignments: readonly Alignment[]
  readonly header: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** A document, or a part of a spoiler. */
export interface Root {
  readonly kind: 'root'
  readonly children: Block[]
}

/** A container of blocks. */
export type BlockContainer = Root | Quote | ListItem

/** The last block of `container`. */
export function lastChild(container: BlockContainer): Block | undefined {
  return container.children[container.children.length - 1]
}
