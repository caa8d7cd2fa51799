import { withStorableTexts } from '../../../domain/texts/storable-texts.js'
import { isRecord } from '../../../kernel/objects.js'
import { parseUntrustedJson } from '../../../kernel/untrusted-json.js'
import type { BotDetails } from '../../accounts/bots/index.js'
import type { MessageObject } from '../../messages/objects/index.js'
import type { WebhookRequest } from './webhook-client.js'

/** The trigger of a call: a message, and why it calls the bot. */
export interface WebhookMessage {
  /** With its text as Markdown. */
  readonly message: Omit<MessageObject, 'flags'> & { readonly rendered_content: string }
  readonly bot: { readonly id: number; readonly email: string; readonly fullName: string }
  readonly token: string
  readonly organization: { readonly id: number; readonly host: string }
}

/** A bot's reply. */
export interface WebhookAnswer {
  readonly content: string
  /** JSON of a widget. */
  readonly widgetContent?: string
}

/** A request and response format for the services behind bots. */
export interface WebhookFormat {
  /** Why a bot cannot be called about a message; undefined if it can. */
  problem(message: MessageObject): string | undefined
  request(url: string, about: WebhookMessage): WebhookRequest
  /** @returns undefined if the bot sends no reply. */
  answer(fields: Readonly<Record<string, unknown>>): WebhookAnswer | undefined
}

const ownFormat: WebhookFormat = {
  problem: () => undefined,
  request: (url, { message, bot, token }) => ({
    url,
    contentType: 'application/json',
    body: JSON.stringify({
      data: message.content,
      message,
      bot_email: bot.email,
      bot_full_name: bot.fullName,
      token,
      trigger: triggerOf(message),
    }),
  }),
  answer(fields) {
    if (isTrue(fields['response_not_required'])) return undefined
    // Older services use `response_string`.
    const content = fields['response_string'] ?? fields['content']
    if (content === undefined || content === null) return undefined
    const widget = fields['widget_content']
    return {
      content: textOf(content),
      ...(typeof widget === 'string' ? { widgetContent: widget } : {}),
    }
  },
}

/** Slack's outgoing webhooks: https://api.slack.com/legacy/custom-integrations/outgoing-webhooks */
const slackFormat: WebhookFormat = {
  problem: ({ type }) =>
    type === 'private' ? "Slack outgoing webhooks don't support direct messages." : undefined,
  request: (url, { message, bot, token, organization }) => ({
    url,
    contentType: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({
      token,
      team_id: `T${organization.id}`,
      team_domain: organization.host,
      channel_id: `C${message.stream_id}`,
      // A name: `problem` excludes direct messages.
      channel_name: message.display_recipient as string,
      thread_ts: String(message.timestamp),
      timestamp: String(message.timestamp),
      user_id: `U${message.sender_id}`,
      user_name: message.sender_full_name,
      text: message.content,
      trigger_word: triggerOf(message),
      service_id: String(bot.id),
    }).toString(),
  }),
  answer({ text }) {
    return text === undefined || text === null ? undefined : { content: textOf(text) }
  },
}

/** The format of a bot's interface. */
export function formatOf(service_interface: BotDetails['service_interface']): WebhookFormat {
  return service_interface === 2 ? slackFormat : ownFormat
}

/** The parsed response, or why it is invalid. */
export type ReadAnswer =
  | { readonly answer: WebhookAnswer | undefined; readonly problem?: undefined }
  | { readonly problem: string }

/** Parses the body of a successful response. */
export function readAnswer(format: WebhookFormat, body: string): ReadAnswer {
  let value: unknown
  try {
    value = withStorableTexts(parseUntrustedJson(body))
  } catch {
    return { problem: 'Invalid JSON in response' }
  }
  // Some services send an empty string for no reply.
  if (value === '') return { answer: undefined }
  if (!isRecord(value)) return { problem: 'Invalid response format' }
  const answer = format.answer(value)
  return { answer: answer === undefined || answer.content.trim() === '' ? undefined : answer }
}

function triggerOf({ type }: Pick<MessageObject, 'type'>): string {
  return type === 'private' ? 'direct_message' : 'mention'
}

function isTrue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== ''
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
