import { inject } from 'tsyringe'

import { BotType, type Actor } from '../../../domain/users/actor.js'
import { isEmailAddress } from '../../../domain/users/email-address.js'
import { badRequest } from '../../../errors/index.js'
import { perServer } from '../../../kernel/per-server.js'
import type { OrganizationScope, Transaction } from '../../../storage/index.js'
import { ChannelAccess } from '../../channels/channels/index.js'
import type { UploadedImage } from '../../files/images/index.js'
import { PermissionGroups } from '../../groups/user-groups/index.js'
import { UserRepository, type UserRow } from '../../people/users/index.js'
import { AccountRights } from '../user-administration/index.js'
import type { BotDetails } from './bot-repository.js'
import { botDetails } from './bot-details-table.js'

/** The channels that a bot uses by default; an empty string for no channel. */
export interface RequestedDefaults {
  readonly sendingChannel?: string | undefined
  readonly eventsChannel?: string | undefined
  readonly allPublicChannels?: boolean | undefined
}

/** Decides which bots may exist, and who manages them. */
@perServer()
export class BotRules {
  constructor(
    @inject(UserRepository) private readonly users: UserRepository,
    @inject(AccountRights) private readonly rights: AccountRights,
    @inject(PermissionGroups) private readonly groups: PermissionGroups,
    @inject(ChannelAccess) private readonly channels: ChannelAccess,
  ) {}

  /** @throws {ChatError} `BAD_REQUEST` if `actor` may not create such a bot, or no user may. */
  async requireCreation(actor: Actor, type: number): Promise<void> {
    const mayCreate =
      (await this.groups.allows(actor, 'can_create_bots_group')) ||
      (type === BotType.incomingWebhook &&
        (await this.groups.allows(actor, 'can_create_write_only_bots_group')))
    if (!mayCreate) throw badRequest('INSUFFICIENT_PERMISSION')
    if (type === BotType.embedded) throw badRequest('EMBEDDED_BOTS_DISABLED')
    if (!Object.values(BotType).some((known) => known === type)) {
      throw badRequest('BOT_TYPE_INVALID')
    }
  }

  /**
   * @throws {ChatError} `BAD_REQUEST` if there is no such bot or `actor` does not manage it,
   *   `UNAUTHORIZED_PRINCIPAL` if only owners do.
   */
  async requireManaged(scope: OrganizationScope, actor: Actor, id: number): Promise<UserRow> {
    return this.#managed(scope, await this.users.find(scope, id), actor)
  }

  /** Like {@link requireManaged}, and locks the bot against concurrent changes. */
  async lockManaged(tx: Transaction, actor: Actor, id: number): Promise<UserRow> {
    return this.#managed(tx, await this.users.lock(tx, id), actor)
  }

  async #managed(
    scope: OrganizationScope,
    bot: UserRow | undefined,
    actor: Actor,
  ): Promise<UserRow> {
    if (bot === undefined || !bot.is_bot) throw badRequest('BOT_UNKNOWN')
    await this.rights.requireManager(scope, actor, bot)
    return bot
  }

  /** @throws {ChatError} `BAD_REQUEST` if no channel of that name is visible to `actor`. */
  async resolveDefaults(
    scope: OrganizationScope,
    actor: Actor,
    defaults: RequestedDefaults,
  ): Promise<Partial<BotDetails>> {
    const idOf = async (name: string): Promise<number | null> =>
      name === '' ? null : (await this.channels.requireVisible(scope, actor, { name })).channel.id
    const { sendingChannel, eventsChannel, allPublicChannels } = defaults
    return {
      ...(sendingChannel === undefined
        ? {}
        : { default_sending_channel_id: await idOf(sendingChannel) }),
      ...(eventsChannel === undefined
        ? {}
        : { default_events_channel_id: await idOf(eventsChannel) }),
      ...(allPublicChannels === undefined
        ? {}
        : { default_all_public_channels: allPublicChannels }),
    }
  }
}

/** @throws {ChatError} `BAD_REQUEST` if the result is not a valid address. */
export function botEmail(shortName: string, domain: string): string {
  const email = `${shortName.trim()}-bot@${domain}`
  if (shortName.trim() === '' || !isEmailAddress(email)) throw badRequest('BOT_NAME_INVALID')
  return email
}

/** @throws {ChatError} `BAD_REQUEST` if it is not a supported format of calls. */
export function requireServiceInterface(value: number): void {
  if (value !== 1 && value !== 2) throw badRequest('BOT_INTERFACE_INVALID')
}

/**
 * @param text the URL, optionally as a JSON string.
 * @throws {ChatError} `BAD_REQUEST` if it is not an HTTP or HTTPS URL, or is too long.
 */
export function requireServiceUrl(parameter: string, text: string): string {
  const url = /^"(.*)"$/s.exec(text.trim())?.[1] ?? text.trim()
  if (
    /^https?:\/\/\S+$/i.test(url) &&
    url.length <= botDetails.columns.service_base_url.maxLength &&
    URL.canParse(url)
  )
    return url
  throw badRequest('PARAMETER_NOT_URL', { parameter })
}

/**
 * Returns the picture among the files of a request, or undefined if it has none.
 *
 * @throws {ChatError} `BAD_REQUEST` if there are more files.
 */
export function onlyAvatar(files: readonly UploadedImage[]): UploadedImage | undefined {
  if (files.length > 1) throw badRequest('UPLOAD_NOT_SINGLE')
  return files[0]
}
