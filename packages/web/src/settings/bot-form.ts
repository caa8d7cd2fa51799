import { html, nothing, type TemplateResult } from 'lit'

import { fileSize } from '../organization/file-size.js'
import { formField, problemText, textsOf, type Problem } from '../organization/form-field.js'
import type { Session } from '../session/session.js'
import { botTexts } from './bot-texts.js'
import { generic, outgoing, type Bot } from './own-bots.js'

const maxName = 100
const maxUrl = 2000
const bytesPerMebibyte = 1024 * 1024

export interface BotForm {
  readonly session: Session
  /** Undefined for a new one. */
  readonly bot: Bot | undefined
  /** The kind of the bot. */
  readonly type: number
  /** Kinds to choose from. */
  readonly types: readonly number[]
  readonly chooseType: (type: number) => void
  readonly problem: Problem | undefined
}

/** The fields of a bot. */
export function botFields(form: BotForm): TemplateResult {
  const { bot, session, type, problem } = form
  const { realm_bot_domain: domain = '', max_avatar_file_size_mib: maxMebibytes = 5 } =
    session.state.organization
  return html`${bot === undefined ? typeField(form) : nothing}
    ${formField({
      name: 'full_name',
      label: botTexts.name,
      value: bot?.full_name ?? '',
      maxLength: maxName,
      problem,
    })}
    ${
      bot === undefined
        ? formField({
            name: 'short_name',
            label: botTexts.shortName,
            hint: botTexts.shortNameHint(domain),
            value: '',
            maxLength: maxName,
            problem,
          })
        : nothing
    }
    ${type === outgoing ? serviceFields(bot, problem) : nothing}
    ${type === generic && bot !== undefined ? channelFields(bot, session) : nothing}
    <label class="pair"
      ><span
        >${botTexts.picture}
        <span class="quiet-text">${botTexts.pictureHint(maxMebibytes)}</span></span
      >
      <input type="file" name="file" accept="image/*" />
    </label>
    ${problemText(problem, 'file')} ${problemText(problem)}`
}

function typeField({ type, types, chooseType }: BotForm): TemplateResult {
  const choose = ({ target }: Event): void => {
    if (target instanceof HTMLSelectElement) chooseType(Number(target.value))
  }
  const titles: Readonly<Record<number, string>> = botTexts.types
  return html`<label class="pair"
    ><span>${botTexts.type}</span>
    <select name="type" @change=${choose}>
      ${types.map(
        (each) => html`<option value=${each} ?selected=${each === type}>${titles[each]}</option>`,
      )}
    </select>
  </label>`
}

function serviceFields(bot: Bot | undefined, problem: Problem | undefined): TemplateResult {
  const [service] = bot?.services ?? []
  return html`${formField({
      name: 'url',
      label: botTexts.url,
      value: service?.base_url ?? '',
      maxLength: maxUrl,
      problem,
    })}
    <label class="pair"
      ><span>${botTexts.format}</span>
      <select name="format">
        ${Object.entries(botTexts.formats).map(
          ([value, text]) =>
            html`<option value=${value} ?selected=${Number(value) === service?.interface}>
              ${text}
            </option>`,
        )}
      </select>
    </label>`
}

function channelFields(bot: Bot, session: Session): TemplateResult {
  const names = [...session.state.channels.values()]
    .filter((channel) => !channel.is_archived)
    .map(({ name }) => name)
    .sort((one, other) => one.localeCompare(other))
  const choice = (name: string, label: string, current: string | null): TemplateResult =>
    html`<label class="pair"
      ><span>${label}</span>
      <select name=${name}>
        <option value="">${botTexts.noChannel}</option>
        ${names.map(
          (each) =>
            html`<option value=${each} ?selected=${each === current}>${`#${each}`}</option>`,
        )}
      </select>
    </label>`
  return html`${choice('sending', botTexts.sendingChannel, bot.default_sending_stream)}
    ${choice('events', botTexts.eventsChannel, bot.default_events_register_stream)}
    <label class="check"
      ><input type="checkbox" name="all" ?checked=${bot.default_all_public_streams} />
      <span>${botTexts.allPublic}</span></label
    >`
}

/** The picture that was chosen, if any. */
export function pictureOf(form: HTMLFormElement): File | undefined {
  return form.querySelector<HTMLInputElement>('[type=file]')?.files?.[0]
}

/** A picture that is too large is not sent. */
export function pictureProblem(form: HTMLFormElement, session: Session): Problem | undefined {
  const file = pictureOf(form)
  const { max_avatar_file_size_mib: maxMebibytes = 5 } = session.state.organization
  if (file === undefined || file.size <= maxMebibytes * bytesPerMebibyte) return undefined
  return { field: 'file', text: botTexts.tooLarge(file.name, fileSize(file.size), maxMebibytes) }
}

export function createBot(form: HTMLFormElement, session: Session): Promise<unknown> {
  const text = textsOf(form)
  const file = pictureOf(form)
  const type = Number(text('type'))
  return session.client.api.createBot({
    full_name: text('full_name'),
    short_name: text('short_name'),
    bot_type: type,
    ...(type === outgoing && { payload_url: text('url'), interface_type: Number(text('format')) }),
    ...(file !== undefined && { file }),
  })
}

/** Sends only values that the user has changed: the rest may have been changed elsewhere. */
export function updateBot(form: HTMLFormElement, bot: Bot, session: Session): Promise<unknown> {
  const text = textsOf(form)
  const file = pictureOf(form)
  const [service] = bot.services
  const isServiceChanged =
    bot.bot_type === outgoing &&
    (text('url') !== service?.base_url || Number(text('format')) !== service.interface)
  const hasChannels = bot.bot_type === generic
  const all = form.querySelector<HTMLInputElement>('[name=all]')?.checked
  return session.client.api.updateBot({
    bot_id: bot.user_id,
    ...(text('full_name') !== bot.full_name && { full_name: text('full_name') }),
    ...(isServiceChanged && {
      service_payload_url: text('url'),
      service_interface: Number(text('format')),
    }),
    ...(hasChannels &&
      text('sending') !== (bot.default_sending_stream ?? '') && {
        default_sending_stream: text('sending'),
      }),
    ...(hasChannels &&
      text('events') !== (bot.default_events_register_stream ?? '') && {
        default_events_register_stream: text('events'),
      }),
    ...(hasChannels &&
      all !== bot.default_all_public_streams && { default_all_public_streams: all }),
    ...(file !== undefined && { file }),
  })
}
