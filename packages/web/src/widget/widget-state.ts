import type { Message } from '@parley/client'

import { isRecord, listOf, parsed, textOf } from './submessage-json.js'

/** An option of a poll, or a task of a list. */
export interface WidgetItem {
  /** As votes and marks of other clients name it. */
  readonly key: string
  readonly text: string
  /** The description of a task; empty for options. */
  readonly note: string
  /** Ids of the users who have voted for the option, in the order of their votes. */
  readonly voters: ReadonlySet<number>
  readonly isDone: boolean
}

/** A poll or a list of tasks, after all that its users have done. */
export interface Widget {
  readonly kind: 'poll' | 'todo'
  readonly title: string
  readonly items: readonly WidgetItem[]
  /** The number of the next item that the user adds. */
  readonly nextIndex: number
}

type State = { title: string; nextIndex: number }
type Item = { -readonly [Name in keyof WidgetItem]: WidgetItem[Name] } & { voters: Set<number> }

/** More are ignored, as are numbers above this. */
const maxItems = 1000

/**
 * The poll or list of a message, whose submessages are JSON that other clients have written.
 *
 * @returns undefined if it has none.
 */
export function widgetOf({ submessages, sender_id }: Message, userId: number): Widget | undefined {
  const [first, ...changes] = submessages
  if (first === undefined || first.sender_id !== sender_id) return undefined
  const { widget_type: kind, extra_data } = parsed(first.content)
  if ((kind !== 'poll' && kind !== 'todo') || !isRecord(extra_data)) return undefined
  const data = extra_data
  const state: State = { title: textOf(data['question'] ?? data['task_list_title']), nextIndex: 1 }
  const items = new Map<string, Item>()
  const add = (index: unknown, owner: number | 'canned', text: unknown, note: unknown): void => {
    if (typeof index !== 'number' || !Number.isInteger(index)) return
    if (index < 0 || index > maxItems || items.size >= maxItems || textOf(text) === '') return
    const key = kind === 'poll' ? `${owner},${index}` : `${index},${owner}`
    if (owner === userId) state.nextIndex = Math.max(state.nextIndex, index + 1)
    if (items.has(key)) return
    const voters = new Set<number>()
    items.set(key, { key, text: textOf(text), note: textOf(note), voters, isDone: false })
  }
  listOf(data['options']).forEach((text, index) => add(index, 'canned', text, ''))
  listOf(data['tasks']).forEach((task, index) => {
    if (isRecord(task)) add(index, 'canned', task['task'], task['desc'])
  })
  for (const { content, sender_id: author } of changes) {
    const change = parsed(content)
    const item = items.get(textOf(change['key']))
    switch (change['type']) {
      case 'vote':
        if (change['vote'] === 1) item?.voters.add(author)
        else item?.voters.delete(author)
        break
      case 'strike':
        if (item !== undefined) item.isDone = !item.isDone
        break
      case 'new_option':
        add(change['idx'], author, change['option'], '')
        break
      case 'new_task':
        add(change['key'], author, change['task'], change['desc'])
        break
      case 'question':
      case 'new_task_list_title':
        if (author === sender_id) state.title = textOf(change['question'] ?? change['title'])
        break
      default:
    }
  }
  return { kind, ...state, items: [...items.values()] }
}

/** The submessage that changes one's vote, or marks a task as done or not. */
export function toggled({ kind }: Widget, { key, voters }: WidgetItem, userId: number): object {
  return kind === 'todo'
    ? { type: 'strike', key }
    : { type: 'vote', key, vote: voters.has(userId) ? -1 : 1 }
}

/** The submessage that adds an item; a task may have a note after a colon. */
export function added({ kind, nextIndex }: Widget, text: string): object {
  if (kind === 'poll') return { type: 'new_option', idx: nextIndex, option: text }
  const [task = '', ...notes] = text.split(': ')
  return { type: 'new_task', key: nextIndex, task, desc: notes.join(': '), completed: false }
}

/** The submessage that changes the question or title. */
export function renamed({ kind }: Widget, title: string): object {
  return kind === 'poll'
    ? { type: 'question', question: title }
    : { type: 'new_task_list_title', title }
}
