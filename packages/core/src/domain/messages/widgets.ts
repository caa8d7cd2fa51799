import { badRequest, type ChatError, namedText, type NamedText } from '../../errors/index.js'
import { isRecord } from '../../kernel/objects.js'
import { parseUntrustedJson } from '../../kernel/untrusted-json.js'

/** The widget that a message's first word creates. */
export type WidgetKind = 'poll' | 'todo'

type Json = Readonly<Record<string, unknown>>

/** The kind of widget that a message creates. */
export function widgetKind(content: string): WidgetKind | undefined {
  const word = /^\/(poll|todo)(?=\s|$)/.exec(content)?.[1]
  return word === 'poll' || word === 'todo' ? word : undefined
}

/**
 * The widget of a message: JSON that clients read, or undefined if the message has none.
 *
 * @param widgetContent the client's `widget_content`, which takes precedence over the text.
 * @throws {ChatError} `BAD_REQUEST` if `widgetContent` is not a widget.
 */
export function widgetOf(content: string, widgetContent: string | undefined): string | undefined {
  if (widgetContent !== undefined) return parseWidgetContent(widgetContent)
  const kind = widgetKind(content)
  if (kind === undefined) return undefined
  const rest = content.slice(`/${kind}`.length)
  const extra_data = kind === 'poll' ? pollData(rest) : todoData(rest)
  return JSON.stringify({ widget_type: kind, extra_data })
}

function pollData(text: string): Json {
  const { title, items } = titleAndItems(text)
  return { question: title, options: items }
}

function todoData(text: string): Json {
  const { title, items } = titleAndItems(text)
  const tasks = items.map((item) => {
    const end = item.indexOf(': ')
    if (end === -1) return { task: item, desc: '' }
    return { task: item.slice(0, end).trim(), desc: item.slice(end + 2).trim() }
  })
  return { task_list_title: title, tasks }
}

function titleAndItems(text: string): { title: string; items: string[] } {
  const [first = '', ...lines] = text.split(/\r\n|\r|\n/)
  const items = lines.map((line) => line.trim().replace(/^[-*]?\s*/, ''))
  return { title: first.trim(), items: items.filter((item) => item !== '') }
}

function parseWidgetContent(text: string): string {
  let widget: unknown
  try {
    widget = parseUntrustedJson(text)
  } catch {
    // The text is the client's own, so only its author gets an error.
    throw badRequest('WIDGET_NOT_JSON')
  }
  if (!isRecord(widget))
    throw wrong(namedText('PARAMETER_NOT_OBJECT', { parameter: 'widget_content' }))
  for (const key of ['widget_type', 'extra_data']) {
    if (!Object.hasOwn(widget, key)) throw wrong(namedText('WIDGET_KEY_MISSING', { key }))
  }
  const { widget_type, extra_data } = widget
  if (!isRecord(extra_data))
    throw wrong(namedText('PARAMETER_NOT_OBJECT', { parameter: 'extra_data' }))
  if (widget_type !== 'zform')
    throw wrong(namedText('WIDGET_TYPE_UNKNOWN', { type: String(widget_type) }))
  requireChoices(extra_data)
  return JSON.stringify({ widget_type, extra_data })
}

function requireChoices(form: Json): void {
  if (!Object.hasOwn(form, 'type')) throw wrong(namedText('WIDGET_FORM_TYPE_MISSING'))
  if (form['type'] !== 'choices')
    throw wrong(namedText('WIDGET_FORM_TYPE_UNKNOWN', { type: String(form['type']) }))
  requireText(form, 'heading', 'extra_data')
  const place = 'extra_data["choices"]'
  if (!Object.hasOwn(form, 'choices'))
    throw wrong(namedText('PARAMETER_KEY_MISSING', { key: 'choices', parameter: 'extra_data' }))
  const { choices } = form
  if (!Array.isArray(choices)) throw wrong(namedText('PARAMETER_NOT_LIST', { parameter: place }))
  const items: readonly unknown[] = choices
  for (const [index, choice] of items.entries()) {
    if (!isRecord(choice))
      throw wrong(namedText('PARAMETER_NOT_OBJECT', { parameter: `${place}[${index}]` }))
    for (const key of ['short_name', 'long_name', 'reply']) {
      requireText(choice, key, `${place}[${index}]`)
    }
  }
}

function requireText(dict: Json, key: string, place: string): void {
  if (!Object.hasOwn(dict, key))
    throw wrong(namedText('PARAMETER_KEY_MISSING', { key, parameter: place }))
  if (typeof dict[key] !== 'string')
    throw wrong(namedText('PARAMETER_NOT_TEXT', { parameter: `${place}["${key}"]` }))
}

function wrong(problem: NamedText): ChatError {
  return badRequest('WIDGET_INVALID', { problem })
}
