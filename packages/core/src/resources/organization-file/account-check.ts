import { isEmailAddress } from '../../domain/email-address.js'
import { foldCase } from '../../domain/folding.js'
import { normalizeFullName } from '../../domain/full-name.js'
import { isSystemBotAddress } from '../../domain/system-bots.js'
import { canonicalTimeZone } from '../../domain/time-zones.js'
import { checkFileBots } from '../bots/index.js'
import type { FileCheck } from '../file-sections/index.js'
import type { FileBot, FileUser } from './organization-file-schema.js'
import { checkUserSettings } from './settings-check.js'

/**
 * Reports what is wrong with the users and bots of a file.
 *
 * @param systemBotDomain of the addresses of the server's own bots, which nobody else can have.
 */
export function checkAccounts(check: FileCheck, systemBotDomain: string): void {
  const [id, email, apiKey, externalId] = [check.once(), check.once(), check.once(), check.once()]
  const users = check.items<FileUser>('users')
  const bots = check.items<FileBot>('bots')
  for (const { place, item } of [...users, ...bots]) {
    id(`${place}/id`, item.id)
    email(`${place}/email`, foldCase(item.email), item.email)
    if (!isEmailAddress(item.email)) check.report(`${place}/email`, 'is no e-mail address')
    if (isSystemBotAddress(item.email, systemBotDomain)) {
      check.report(`${place}/email`, "is that of one of the server's own bots")
    }
    if (item.api_key !== undefined) apiKey(`${place}/api_key`, item.api_key, 'the key')
    check.requireRule(`${place}/full_name`, () => normalizeFullName(item.full_name))
  }
  for (const { place, item } of users) {
    if (item.external_id !== undefined) externalId(`${place}/external_id`, item.external_id)
    if (item.timezone !== undefined && item.timezone !== '') {
      if (canonicalTimeZone(item.timezone) === undefined) {
        check.report(`${place}/timezone`, 'is no time zone')
      }
    }
    checkUserSettings(check, `${place}/settings`, item.settings ?? {})
  }
  for (const { place, item } of bots) {
    if (item.owner_id !== null) check.requireKnown(`${place}/owner_id`, 'user', item.owner_id)
  }
  checkFileBots(check)
}
