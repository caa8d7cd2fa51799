/** A payload of a Slack webhook, and what the message shows. */
export interface PayloadCase {
  readonly title: string
  readonly payload: unknown
  /** The message as Markdown. */
  readonly shows: string
}
