import type { UserSettings } from '../../../domain/users/user-settings.js'
import type { PersonalSettings } from './subscription-repository.js'
import type {
  ChannelWithSubscribers,
  IncludeSubscribers,
  PersonalProperties,
} from './subscription-events.js'

/** Clients that request partial lists get them for channels with at least this many subscribers. */
const partialFrom = 250

/** The subscribers of a channel on the wire, for a client that requests all or a part of them. */
export function subscriberFields(
  ids: number[],
  include: Exclude<IncludeSubscribers, 'false'>,
): Pick<ChannelWithSubscribers, 'subscribers' | 'partial_subscribers'> {
  // A partial list must contain all recently active users. They are not known here, so it is
  // complete.
  return include === 'partial' && ids.length >= partialFrom
    ? { partial_subscribers: ids }
    : { subscribers: ids }
}

/** A subscription's own fields on the wire. */
export function personalFields(row: PersonalSettings): PersonalProperties {
  return {
    color: row.color,
    is_muted: row.is_muted,
    in_home_view: !row.is_muted,
    pin_to_top: row.pin_to_top,
    audible_notifications: row.audible_notifications,
    desktop_notifications: row.desktop_notifications,
    email_notifications: row.email_notifications,
    push_notifications: row.push_notifications,
    wildcard_mentions_notify: row.wildcard_mentions_notify,
  }
}

/** The same for clients that do not support null: inherited values replace it. */
export function withInherited(
  personal: PersonalProperties,
  settings: UserSettings,
): PersonalProperties {
  return {
    ...personal,
    audible_notifications:
      personal.audible_notifications ?? settings.enable_stream_audible_notifications,
    desktop_notifications:
      personal.desktop_notifications ?? settings.enable_stream_desktop_notifications,
    email_notifications: personal.email_notifications ?? settings.enable_stream_email_notifications,
    push_notifications: personal.push_notifications ?? settings.enable_stream_push_notifications,
    wildcard_mentions_notify:
      personal.wildcard_mentions_notify ?? settings.wildcard_mentions_notify,
  }
}
