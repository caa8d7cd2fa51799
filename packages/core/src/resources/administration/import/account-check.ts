import { foldCase } from '../../../domain/texts/folding.js'
import { isEmailAddress } from '../../../domain/users/email-address.js'
import { normalizeFullName } from '../../../domain/users/full-name.js'
import { isSystemBotAddress } from '../../../domain/users/system-bots.js'
import { canonicalTimeZone } from '../../../domain/users/time-zones.js'
import type { FileCheck, PlacedItem } from '../../../resource-definition/file-check.js'
import { checkFileBots } from '../../accounts/bots/index.js'
import type { FileBot, FileUser } from './organization-file-items.js'
import { checkUserSettings } from './settings-check.js'

/**
 * Reports problems with the users and bots of a file.
 *
 * @param systemBotDomain domain of the addresses of the server's own bots, which no other account
 *   can have.
 */
export async function checkAccounts(check: FileCheck, systemBotDomain: string): Promise<void> {
  const [id, email, apiKey, externalId] = [check.once(), check.once(), check.once(), check.once()]
  const checkAccount = ({ place, item }: PlacedItem<FileUser | FileBot>): void => {
    id(`${place}/id`, item.id)
    email(`${place}/email`, foldCase(item.email), item.email)
    if (!isEmailAddress(item.email)) check.report(`${place}/email`, 'is no e-mail address')
    if (isSystemBotAddress(item.email, systemBotDomain)) {
      check.report(`${place}/email`, "is that of one of the server's own bots")
    }
    if (item.api_key !== undefined) apiKey(`${place}/api_key`, item.api_key, 'the key')
    check.requireRule(`${place}/full_name`, () => normalizeFullName(item.full_name))
  }
  for await (const user of check.each('users')) checkAccount(user)
  for await (const bot of check.each('bots')) checkAccount(bot)
  for await (const { place, item } of check.each('users')) {
    if (item.external_id !== undefined) externalId(`${place}/external_id`, item.external_id)
    if (item.timezone !== undefined && item.timezone !== '') {
      if (canonicalTimeZone(item.timezone) === undefined) {
        check.report(`${place}/timezone`, 'is no time zone')
      }
    }
    checkUserSettings(check, `${place}/settings`, item.settings ?? {})
  }
  for await (const { place, item } of check.each('bots')) {
    if (item.owner_id !== null) check.requireKnown(`${place}/owner_id`, 'user', item.owner_id)
  }
  await checkFileBots(check)
}
