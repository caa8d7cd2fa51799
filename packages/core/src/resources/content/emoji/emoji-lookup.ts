import { inject } from 'tsyringe'

import { emojiCodeOfName, emojiNamesOfCode } from '../../../emoji/index.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import { ServerFactsToken, type ServerFacts } from '../../../kernel/server-facts.js'
import type { OrganizationScope } from '../../../storage/index.js'
import { SharedValues, type SharedValue } from '../../organization/organizations/index.js'
import { customEmojiChanged } from './custom-emoji-events.js'
import { customEmoji, type CustomEmojiRow } from './custom-emoji-table.js'

/** An existing emoji, in the form in which rows name it. */
export interface KnownEmoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: 'unicode_emoji' | 'realm_emoji' | 'service_extra_emoji'
}

/** The only built-in emoji that is neither a Unicode emoji nor a custom one. */
export const extraEmoji = 'zulip'

/** Finds the emoji that a client names, and checks that it exists. */
@perServer()
export class EmojiLookup {
  /** The active custom emoji by name. */
  readonly #custom: SharedValue<ReadonlyMap<string, CustomEmojiRow>>

  constructor(
    @inject(ServerFactsToken) private readonly facts: ServerFacts,
    @inject(SharedValues) shared: SharedValues,
  ) {
    this.#custom = shared.define('emoji_names', {
      load: async (scope) => {
        const rows = await scope.rows(customEmoji).list({ is_deactivated: false }, 'id')
        return new Map(rows.map((row) => [row.name, row]))
      },
      changedBy: [customEmojiChanged],
      isAnnouncedAtOnce: true,
    })
  }

  /**
   * Finds the emoji with a name. A custom emoji takes precedence over the built-in extra one, which
   * takes precedence over a Unicode emoji.
   *
   * @throws {ChatError} `BAD_REQUEST` if no emoji has that name.
   */
  async byName(scope: OrganizationScope, name: string): Promise<KnownEmoji> {
    const [custom] = await this.customByNames(scope, [name])
    if (custom !== undefined) {
      return { emoji_name: name, emoji_code: String(custom.id), reaction_type: 'realm_emoji' }
    }
    if (name === extraEmoji) {
      return { emoji_name: name, emoji_code: name, reaction_type: 'service_extra_emoji' }
    }
    const code = emojiCodeOfName(name)
    if (code === undefined) throw badRequest('EMOJI_UNKNOWN', { name })
    return { emoji_name: name, emoji_code: code, reaction_type: 'unicode_emoji' }
  }

  /** The active custom emoji with these names. */
  async customByNames(
    scope: OrganizationScope,
    names: readonly string[],
  ): Promise<readonly CustomEmojiRow[]> {
    if (names.length === 0) return []
    const custom = await this.#custom.in(scope)
    return names.flatMap((name) => custom.get(name) ?? [])
  }

  /**
   * Checks that name, code and type belong together.
   *
   * @throws {ChatError} `BAD_REQUEST` naming the one that does not match.
   */
  async requireKnown(
    scope: OrganizationScope,
    { emoji_name, emoji_code, reaction_type }: KnownEmoji | Record<keyof KnownEmoji, string>,
  ): Promise<void> {
    switch (storedType(reaction_type)) {
      case 'realm_emoji': {
        const custom = await this.#findCustom(scope, emoji_code)
        if (custom === undefined) throw badRequest('CUSTOM_EMOJI_UNKNOWN')
        if (custom.name !== emoji_name) throw badRequest('CUSTOM_EMOJI_NAME_INVALID')
        if (custom.is_deactivated) throw badRequest('CUSTOM_EMOJI_DEACTIVATED')
        return
      }
      case 'service_extra_emoji':
        if (emoji_code !== extraEmoji) throw badRequest('EMOJI_CODE_INVALID')
        if (emoji_name !== emoji_code) throw badRequest('EMOJI_NAME_INVALID')
        return
      case 'unicode_emoji': {
        const names = emojiNamesOfCode(emoji_code)
        if (names.length === 0) throw badRequest('EMOJI_CODE_INVALID')
        if (!names.includes(emoji_name)) throw badRequest('EMOJI_NAME_INVALID')
        return
      }
      default:
        throw badRequest('EMOJI_TYPE_INVALID')
    }
  }

  /**
   * Checks that there is such an emoji, or was one.
   *
   * @throws {ChatError} `BAD_REQUEST` if there is no such type or no such code.
   */
  async requireCode(scope: OrganizationScope, type: string, code: string): Promise<void> {
    switch (storedType(type)) {
      case 'realm_emoji':
        if ((await this.#findCustom(scope, code)) !== undefined) return
        break
      case 'service_extra_emoji':
        if (code === extraEmoji) return
        break
      case 'unicode_emoji':
        if (emojiNamesOfCode(code).length > 0) return
        break
      default:
        throw badRequest('EMOJI_TYPE_INVALID')
    }
    throw badRequest('REACTION_EMOJI_CODE_INVALID')
  }

  async #findCustom(scope: OrganizationScope, code: string) {
    const id = /^[0-9]{1,15}$/.test(code) ? Number(code) : 0
    return scope.rows(customEmoji).find({ id })
  }

  /** The type as clients receive it: for the extra emoji, it is a server option. */
  wireType(reactionType: string): KnownEmoji['reaction_type'] | 'zulip_extra_emoji' {
    // Rows have only these types, because `requireKnown` checks new ones.
    const stored = storedType(reactionType) as KnownEmoji['reaction_type']
    return stored === 'service_extra_emoji' ? this.facts.extraEmojiType : stored
  }
}

/** The type as it is stored: one name for the extra emoji. */
export function storedType(reactionType: string): string {
  return reactionType === 'zulip_extra_emoji' ? 'service_extra_emoji' : reactionType
}
