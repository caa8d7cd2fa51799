import { inject } from 'tsyringe'

import { parseUserSettings } from '../../../domain/users/user-settings.js'
import { perServer } from '../../../kernel/per-server.js'
import { EmojiLookup } from '../../content/emoji/index.js'
import type { UserStatus } from './user-status-events.js'
import type { UserStatusWithSettings } from './user-status-repository.js'

/** Formats stored statuses for clients. */
@perServer()
export class UserStatusView {
  constructor(@inject(EmojiLookup) private readonly emoji: EmojiLookup) {}

  /** The status without its empty parts. */
  of(row: UserStatusWithSettings): UserStatus {
    const { status_text, emoji_name, emoji_code, reaction_type } = row
    const isAway = !parseUserSettings(row.settings).presence_enabled
    return {
      ...(isAway ? { away: true } : {}),
      ...(status_text === '' ? {} : { status_text }),
      ...(emoji_name === ''
        ? {}
        : { emoji_name, emoji_code, reaction_type: this.emoji.wireType(reaction_type) }),
    }
  }
}
