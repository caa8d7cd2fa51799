import type { Message } from '@parley/client'

/** An action that a page of a product adds to those of a message. */
export interface MessageAction {
  /** Identifies the action in the event. */
  readonly name: string
  /** The name that the user reads. */
  readonly label: string
}

/** The detail of `parley-action`: the user has chosen an action of the page. */
export interface ChosenMessageAction {
  readonly name: string
  readonly message: Message
}
