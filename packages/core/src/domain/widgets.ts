/** What a message turns into besides its text, by the word that it begins with. */
export type WidgetKind = 'poll' | 'todo'

/** The kind of widget that a message asks for. */
export function widgetKind(content: string): WidgetKind | undefined {
  const word = /^\/(poll|todo)(?=\s|$)/.exec(content)?.[1]
  return word as WidgetKind | undefined
}
