import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'

import { EditList } from '../organization/edit-list.js'
import { followEvents } from '../session/follow-events.js'
import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { ask } from '../view/ask.js'
import { avatar } from '../view/avatar.js'
import { define } from '../view/view.js'
import { botFields, createBot, pictureProblem, updateBot } from './bot-form.js'
import { botTexts } from './bot-texts.js'
import { copyField } from './copy-field.js'
import { botsAfter, creatableTypes, incoming, mayCreateBots, type Bot } from './own-bots.js'

/** The bots of the user. */
class BotList extends EditList<Bot> {
  static override properties = {
    ...EditList.properties,
    bots: { state: true },
    openId: { state: true },
    type: { state: true },
  }
  /** Those that the user manages; administrators manage all. */
  declare bots: ReadonlyMap<number, Bot> | undefined
  /** The bot whose key is shown. */
  declare openId: number | undefined
  /** The kind of a new bot. */
  declare type: number | undefined

  constructor() {
    super()
    followState(this, ({ users }) => users)
    followState(this, ({ groups }) => groups)
    followEvents(
      this,
      { event_types: ['realm_bot'], fetch_event_types: ['realm_bot'] },
      {
        registered: ({ realm_bots = [] }) => {
          this.bots = new Map(realm_bots.map((bot) => [bot.user_id, bot]))
        },
        received: (events) => {
          this.bots = events.reduce(botsAfter, this.bots ?? new Map<number, Bot>())
        },
      },
    )
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, bots, edited } = this
    if (session === undefined) return nothing
    if (bots === undefined) return html`<p class="quiet-text">${botTexts.loading}</p>`
    const own = [...bots.values()]
      .filter(({ owner_id }) => owner_id === session.state.me.user_id)
      .sort(
        (one, other) =>
          Number(other.is_active) - Number(one.is_active) ||
          one.full_name.localeCompare(other.full_name),
      )
    const items = repeat(
      own,
      ({ user_id }) => user_id,
      (bot) =>
        edited !== undefined && edited !== 'new' && edited.user_id === bot.user_id
          ? html`<li>${this.#form(edited, session)}</li>`
          : this.#item(bot, session),
    )
    return this.list(
      botTexts.title,
      botTexts.none,
      own.length === 0 ? [] : [html`${items}`],
      html`${
          edited === 'new'
            ? this.#form(undefined, session)
            : creatableTypes(session).length > 0
              ? this.addButton(botTexts.add)
              : html`<p class="quiet-text">${botTexts.mayNot}</p>`
        }
        <p class="quiet-text">${botTexts.about}</p>`,
    )
  }

  #item(bot: Bot, session: Session): TemplateResult {
    const { user_id, full_name: name, email, bot_type, is_active } = bot
    const titles: Readonly<Record<number, string>> = botTexts.types
    const about = [titles[bot_type] ?? '', email, is_active ? '' : botTexts.deactivated]
    const { api } = session.client
    return html`<li class="entry" data-key=${user_id}>
      ${avatar(session, user_id)}
      <div class="about">
        <strong dir="auto">${name}</strong>
        <div class="quiet-text">${about.filter(Boolean).join(' · ')}</div>
      </div>
      <div class="edit-buttons">
        ${
          is_active
            ? html`${this.editButton(name, bot)} ${this.#detailsButton(bot)}
              ${this.button(botTexts.deactivate, botTexts.deactivateWhat(name), (button) => {
                void this.#askAndAct(
                  button,
                  [botTexts.deactivateQuestion(name), botTexts.deactivate],
                  botTexts.isDeactivated(name),
                  () => api.deactivateBot({ bot_id: user_id }),
                )
              })}`
            : session.state.me.is_admin && mayCreateBots(session)
              ? this.button(botTexts.reactivate, botTexts.reactivateWhat(name), () => {
                  void this.act(botTexts.isActive(name), () => api.reactivateUser({ user_id }))
                })
              : nothing
        }
      </div>
      ${is_active && this.openId === user_id ? this.#details(bot, session) : nothing}
    </li>`
  }

  #detailsButton({ user_id, full_name }: Bot): TemplateResult {
    const isOpen = this.openId === user_id
    return html`<button
      class="plain"
      type="button"
      aria-label=${botTexts.showDetails(full_name)}
      aria-expanded=${isOpen ? 'true' : 'false'}
      @click=${() => (this.openId = isOpen ? undefined : user_id)}
    >
      ${botTexts.details}
    </button>`
  }

  #details(bot: Bot, session: Session): TemplateResult {
    const { user_id, full_name: name, api_key, bot_type, services } = bot
    const address = (format: string): string =>
      session.address(`api/v1/external/${format}?api_key=${encodeURIComponent(api_key)}`)
    const field = (what: string, value: string): TemplateResult =>
      copyField(botTexts.of(what, name), value, this.report)
    return html`<div class="details">
      ${field(botTexts.key, api_key)}
      ${
        bot_type === incoming
          ? html`${field(botTexts.slackAddress, address('slack_incoming'))}
              ${field(botTexts.jsonAddress, address('json'))}
              <p class="quiet-text">${botTexts.addressHint}</p>`
          : nothing
      }
      ${services.map(({ token }) => field(botTexts.token, token))}
      <div class="edit-buttons">
        ${this.button(botTexts.replace, botTexts.replaceWhat(name), (button) => {
          void this.#askAndAct(
            button,
            [botTexts.replaceQuestion(name), botTexts.replaceNow],
            botTexts.replaced(name),
            () => session.client.api.regenerateBotApiKey({ bot_id: user_id }),
          )
        })}
      </div>
    </div>`
  }

  async #askAndAct(
    button: HTMLElement,
    [question, yes]: readonly [string, string],
    done: string,
    action: () => Promise<unknown>,
  ): Promise<void> {
    if (await ask(button, question, yes)) await this.act(done, action)
  }

  #form(bot: Bot | undefined, session: Session): TemplateResult {
    const types = creatableTypes(session)
    const type = bot?.bot_type ?? this.type ?? types[0] ?? incoming
    const submit = (event: Event): void => {
      event.preventDefault()
      const { target: form } = event
      if (!(form instanceof HTMLFormElement)) return
      this.problem = pictureProblem(form, session)
      if (this.problem !== undefined) return
      const name = form.querySelector<HTMLInputElement>('[name=full_name]')?.value.trim() ?? ''
      void this.submit(name, bot?.user_id, () =>
        bot === undefined ? createBot(form, session) : updateBot(form, bot, session),
      )
    }
    return html`<form @submit=${submit}>
      ${botFields({
        session,
        bot,
        type,
        types,
        chooseType: (chosen) => (this.type = chosen),
        problem: this.problem,
      })}
      ${this.formButtons(() => void this.end(bot?.user_id))}
    </form>`
  }
}

define('parley-own-bots', BotList)
