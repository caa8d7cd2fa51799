import type { ChatParts } from '../chat/chat-parts.js'
import type { ChosenMessageAction, MessageAction } from '../chat/message-action.js'

interface ChatElement extends Element {
  readonly parts?: ChatParts
  readonly messageActions?: readonly MessageAction[] | undefined
}

/** The element of the page that a part of the chat belongs to. */
export function chatOf(part: Node): ChatElement | undefined {
  const root = part.getRootNode()
  return root instanceof ShadowRoot ? root.host : undefined
}

/** The actions that the page adds to those of messages. */
export function pageActionsOf(part: Node): readonly MessageAction[] {
  return chatOf(part)?.messageActions ?? []
}

/** Tells the page's actions from the chat's own. */
export function pageActionValue({ name }: MessageAction): string {
  return `page ${name}`
}

/** Tells the page that the user has chosen one of its actions. */
export function tellPage(part: Node, detail: ChosenMessageAction): void {
  chatOf(part)?.dispatchEvent(new CustomEvent('parley-action', { detail }))
}
