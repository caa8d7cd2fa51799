import { inject } from 'tsyringe'

import { perServer } from '../../../kernel/per-server.js'
import { chunksOf } from '../../../resource-definition/chunks.js'
import {
  Database,
  parseJson,
  toJson,
  UnitOfWork,
  type Transaction,
} from '../../../storage/index.js'
import { SearchIndex } from '../../messages/search-index/index.js'
import { erasedAccount, type UserRow } from '../../people/users/index.js'
import { PersonalRowRepository } from './personal-row-repository.js'

const messagesPerBatch = 100

/** A user whose mentions are renamed. */
type MentionedUser = Pick<UserRow, 'id' | 'full_name'>

/**
 * Replaces the name of an erased user in the mentions of all messages, also in those that the chat
 * itself has sent, such as about new subscribers. Clients get no events: they show the current name
 * of a mentioned user, or the old one until they read the message again.
 */
@perServer()
export class ErasedMentions {
  constructor(
    @inject(Database) private readonly database: Database,
    @inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @inject(PersonalRowRepository) private readonly rows: PersonalRowRepository,
    @inject(SearchIndex) private readonly words: SearchIndex,
  ) {}

  async rename(organizationId: number, user: MentionedUser): Promise<void> {
    const scope = this.database.read(organizationId)
    const mark = `data-user-id="${user.id}"`
    const { contains } = scope.dialect.sql
    const markInJson = JSON.stringify(mark).slice(1, -1)
    const pages = this.rows.idsWhere(
      scope,
      'messages',
      `(${contains('rendered_content')} OR ${contains('edit_history')})`,
      [mark, markInJson],
    )
    for await (const ids of pages) {
      for (const batch of chunksOf(ids, messagesPerBatch)) {
        await this.unitOfWork.run(organizationId, (tx) => this.#renameIn(tx, batch, user))
      }
    }
  }

  async #renameIn(tx: Transaction, ids: readonly number[], user: MentionedUser): Promise<void> {
    for (const message of await this.rows.lockMessages(tx, ids)) {
      const content = renamedSource(message.content, user)
      const rendered_content = renamedHtml(message.rendered_content, user)
      const edit_history =
        message.edit_history === null
          ? null
          : toJson(
              parseJson(message.edit_history).map((item) => ({
                ...item,
                ...(item.prev_content !== undefined && {
                  prev_content: renamedSource(item.prev_content, user),
                }),
                ...(item.prev_rendered_content !== undefined && {
                  prev_rendered_content: renamedHtml(item.prev_rendered_content, user),
                }),
              })),
            )
      await this.rows.updateMessage(tx, message.id, { content, rendered_content, edit_history })
      await this.words.replace(tx, { ...message, rendered_content })
    }
  }
}

/** The Markdown of a message that mentions the user. */
function renamedSource(source: string, { id, full_name }: MentionedUser): string {
  const mention = `**${erasedAccount(id).full_name}|${id}**`
  return source
    .replaceAll(new RegExp(`(@_?)\\*\\*[^*|]*\\|${id}\\*\\*`, 'g'), `$1${mention}`)
    .replaceAll(`@**${full_name}**`, `@${mention}`)
    .replaceAll(`@_**${full_name}**`, `@_${mention}`)
}

/** The HTML of a message that mentions the user. */
function renamedHtml(html: string, { id }: MentionedUser): string {
  const mention = new RegExp(
    `(<span class="user-mention(?: silent)?" data-user-id="${id}">@?)[^<]*(</span>)`,
    'g',
  )
  return html.replaceAll(mention, `$1${erasedAccount(id).full_name}$2`)
}
