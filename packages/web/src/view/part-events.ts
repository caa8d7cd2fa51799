import type { Place, Target } from '../place.js'

/** The requests of the parts of a chat to it, as events that bubble, with their details. */
export interface PartEvents {
  /** The change of a message has ended. */
  'parley-edited': number
  'parley-go': Target
  /** The focus leaves the messages. */
  'parley-leave-list': 'before' | 'after'
  /** A text to be shown to the user. */
  'parley-problem': string
  /** A text to be put into the composer. */
  'parley-restore': string
  'parley-sent': Place
  /** The focus goes to the messages. */
  'parley-to-list': undefined
}

/** The name of an event with its detail, if it has one. */
export type PartEvent<Name extends keyof PartEvents> = [
  name: Name,
  ...(undefined extends PartEvents[Name] ? [] : [detail: PartEvents[Name]]),
]

/** Sends an event from an element to the chat that surrounds it. */
export function tell<Name extends keyof PartEvents>(
  from: EventTarget,
  ...[name, detail]: PartEvent<Name>
): void {
  from.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }))
}

type Typed<Details> = { [Name in keyof Details]: CustomEvent<Details[Name]> }

declare global {
  interface HTMLElementEventMap extends Typed<PartEvents> {}
  interface ShadowRootEventMap extends Typed<PartEvents> {}
}
