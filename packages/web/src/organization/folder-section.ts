import type { ChannelFolder } from '@parley/client'
import { html, nothing, type TemplateResult } from 'lit'

import { followState } from '../session/follow-state.js'
import type { Session } from '../session/session.js'
import { ask } from '../view/ask.js'
import { define } from '../view/view.js'
import { folderTexts } from './folder-texts.js'
import { formField, problemText, textsOf } from './form-field.js'
import { OrderedList } from './ordered-list.js'

/** The folders of channels. */
class FolderSection extends OrderedList<ChannelFolder> {
  constructor() {
    super()
    followState(this, ({ folders }) => folders)
    followState(this, ({ channels }) => channels)
  }

  /** The server wants all folders, also archived ones. */
  protected override reorder(ids: readonly number[]): Promise<unknown> {
    const { session } = this
    if (session === undefined) return Promise.resolve()
    const archived = foldersOf(session, true).map(({ id }) => id)
    return session.client.api.patchChannelFolders({ order: [...ids, ...archived] })
  }

  protected override render(): TemplateResult | typeof nothing {
    const { session, edited } = this
    if (session === undefined) return nothing
    const stored = foldersOf(session, false)
    const items = this.inOrder(stored)
    const entries = this.entries(
      [...items, ...foldersOf(session, true)],
      ({ id }) => id,
      (item) => this.#form(item, session),
      (item, index) =>
        item.is_archived
          ? this.#archived(item, session)
          : this.#item(item, session, this.moveButtons(items, stored, index, item.name)),
    )
    return this.list(
      folderTexts.title,
      folderTexts.none,
      session.state.folders.size === 0 ? [] : [entries],
      html`${edited === 'new' ? this.#form(undefined, session) : this.addButton(folderTexts.add)}
        <p class="quiet-text">${folderTexts.about}</p>`,
    )
  }

  #item(item: ChannelFolder, session: Session, moveButtons: TemplateResult): TemplateResult {
    const { id: channel_folder_id, name, description } = item
    const count = [...session.state.channels.values()].filter(
      (channel) => channel.folder_id === channel_folder_id && !channel.is_archived,
    ).length
    const archive = async (button: HTMLElement): Promise<void> => {
      if (!(await ask(button, folderTexts.archiveQuestion(name), folderTexts.archive))) return
      await this.act(folderTexts.isArchived(name), () =>
        session.client.api.updateChannelFolder({ channel_folder_id, is_archived: true }),
      )
    }
    return html`<li class="entry" data-key=${channel_folder_id}>
      <div class="about">
        <strong dir="auto">${name}</strong>
        <div class="quiet-text" dir="auto">
          ${[folderTexts.channels(count), description].filter(Boolean).join(' · ')}
        </div>
      </div>
      <div class="edit-buttons">
        ${moveButtons} ${this.editButton(name, item)}
        ${this.button(folderTexts.archive, folderTexts.archiveWhat(name), (button) => {
          void archive(button)
        })}
      </div>
    </li>`
  }

  #archived({ id: channel_folder_id, name }: ChannelFolder, session: Session): TemplateResult {
    return html`<li class="entry">
      <div class="about">
        <strong dir="auto">${name}</strong>
        <div class="quiet-text">${folderTexts.archived}</div>
      </div>
      <div class="edit-buttons">
        ${this.button(folderTexts.restore, folderTexts.restoreWhat(name), () => {
          void this.act(folderTexts.isRestored(name), () =>
            session.client.api.updateChannelFolder({ channel_folder_id, is_archived: false }),
          )
        })}
      </div>
    </li>`
  }

  #form(item: ChannelFolder | undefined, session: Session): TemplateResult {
    const { organization } = session.state
    const submit = (event: Event): void => {
      event.preventDefault()
      if (!(event.target instanceof HTMLFormElement)) return
      const text = textsOf(event.target)
      const name = text('name')
      const description = text('description')
      const { api } = session.client
      void this.submit(name, item?.id, () =>
        item === undefined
          ? api.createChannelFolder({ name, description })
          : api.updateChannelFolder({
              channel_folder_id: item.id,
              // Only values that the user has changed: the rest may have been changed elsewhere.
              ...(name !== item.name && { name }),
              ...(description !== item.description && { description }),
            }),
      )
    }
    return html`<form @submit=${submit}>
      ${formField({
        name: 'name',
        label: folderTexts.name,
        value: item?.name ?? '',
        maxLength: organization.max_channel_folder_name_length ?? 100,
        problem: this.problem,
      })}
      ${formField({
        name: 'description',
        label: folderTexts.description,
        value: item?.description ?? '',
        maxLength: organization.max_channel_folder_description_length ?? 1024,
        isOptional: true,
        problem: this.problem,
      })}
      ${problemText(this.problem)} ${this.formButtons(() => void this.end(item?.id))}
    </form>`
  }
}

/** In display order. */
function foldersOf({ state }: Session, isArchived: boolean): ChannelFolder[] {
  return [...state.folders.values()]
    .filter((folder) => folder.is_archived === isArchived)
    .sort((one, other) => one.order - other.order || one.id - other.id)
}

define('parley-folder-section', FolderSection)
