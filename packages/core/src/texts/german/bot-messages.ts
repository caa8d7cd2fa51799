import type { Translation } from '../language.js'
import type { botMessageTexts } from '../english/bot-messages.js'

export const germanBotMessageTexts: Translation<typeof botMessageTexts> = {
  CHANNEL_EVENTS_TOPIC: 'Änderungen des Kanals',
  NEW_CHANNELS_TOPIC: 'neue Kanäle',
  SIGNUPS_TOPIC: 'neue Mitglieder',
  REPORTS_TOPIC: 'Meldungen zu {name}',
  CHANNEL_UNARCHIVED_MESSAGE: 'Der Kanal {channel} wurde aus dem Archiv geholt.',
  CHANNEL_ARCHIVED_MESSAGE: 'Der Kanal {channel} wurde archiviert.',
  CHANNEL_PRIVACY_CHANGED_MESSAGE:
    '{user} hat die [Zugriffsrechte](/help/channel-permissions) dieses Kanals von **{old}** zu **{new}** geändert.',
  CHANNEL_RENAMED_MESSAGE: '{user} hat den Kanal **{old}** in **{new}** umbenannt.',
  CHANNEL_DESCRIPTION_CHANGED_MESSAGE:
    '{user} hat die Beschreibung dieses Kanals geändert.\n\n' +
    '* **Alte Beschreibung:**\n{old_fence} quote\n{old}\n{old_fence}\n' +
    '* **Neue Beschreibung:**\n{new_fence} quote\n{new}\n{new_fence}',
  CHANNEL_POSTING_CHANGED_MESSAGE:
    '{user} hat die [Schreibrechte](/help/channel-posting-policy) dieses Kanals geändert:\n\n' +
    '* **Alt**: {old}\n* **Neu**: {new}',
  CHANNEL_CREATED_MESSAGE:
    'Kanal erstellt von {user}: **{privacy}**. **Beschreibung:**\n{fence} quote\n{description}\n{fence}',
  CHANNEL_WITHOUT_DESCRIPTION: '*Keine Beschreibung.*',
  CHANNEL_WEB_PUBLIC: 'Öffentlich im Web',
  CHANNEL_PUBLIC: 'Öffentlich',
  CHANNEL_PRIVATE_SHARED: 'Privat, gemeinsamer Verlauf',
  CHANNEL_PRIVATE_PROTECTED: 'Privat, geschützter Verlauf',
  CHANNEL_ANNOUNCED_MESSAGE: '{user} hat den neuen Kanal {channel} erstellt.',
  CHANNELS_ANNOUNCED_MESSAGE: '{user} hat die folgenden Kanäle erstellt: {channels}.',
  CHANNEL_SUBSCRIBED_MESSAGE: '{user} hat für Sie {channel} abonniert.',
  CHANNELS_SUBSCRIBED_MESSAGE: '{user} hat für Sie die folgenden Kanäle abonniert:\n\n{channels}',
  GROUP_ADDED_MESSAGE: '{user} hat Sie zur Gruppe {group} hinzugefügt.',
  GROUP_REMOVED_MESSAGE: '{user} hat Sie aus der Gruppe {group} entfernt.',
  TOPIC_RESOLVED_MESSAGE: '{user} hat dieses Thema als erledigt markiert.',
  TOPIC_UNRESOLVED_MESSAGE: '{user} hat dieses Thema als nicht erledigt markiert.',
  TOPIC_ARRIVED_MESSAGE: '{user} hat dieses Thema hierher verschoben. Früherer Ort: {place}.',
  MESSAGE_ARRIVED_MESSAGE:
    '{user} hat [eine Nachricht]({url}) hierher verschoben. Früherer Ort: {place}.',
  MESSAGES_ARRIVED_MESSAGE:
    '{user} hat {count} Nachrichten hierher verschoben. Früherer Ort: {place}.',
  TOPIC_DEPARTED_MESSAGE: '{user} hat dieses Thema verschoben. Neuer Ort: {place}.',
  MESSAGE_DEPARTED_MESSAGE:
    '{user} hat eine Nachricht dieses Themas verschoben. Neuer Ort: {place}.',
  MESSAGES_DEPARTED_MESSAGE:
    '{user} hat {count} Nachrichten dieses Themas verschoben. Neuer Ort: {place}.',
  PRIVATE_CHANNEL_PLACE: 'ein privater Kanal',
  WELCOME_MESSAGE:
    'Hallo und willkommen bei **{organization}**! 👋 ' +
    'Dies ist eine Direktnachricht von mir, dem Welcome Bot.\n\n' +
    'Unterhaltungen sind nach Kanälen und Themen geordnet. So können Sie verfolgen, was Ihnen ' +
    'wichtig ist, und das Übrige für später lassen. Nachrichten, die Sie wiederfinden möchten, ' +
    'können Sie mit einem Stern markieren, wie diese hier.',
  USERS_JOINED_MESSAGE: 'Neu in dieser Organisation: {users}.',
  USERS_LIST: '{users} und {last}',
  USERS_ONE_OTHER: '1 weitere Person',
  USERS_MANY_OTHERS: '{count} weitere Personen',
  INVITATION_ACCEPTED_MESSAGE: '{user} hat Ihre Einladung angenommen!',
  DATA_EXPORT_COMPLETE_MESSAGE:
    'Ihr Datenexport ist fertig. [Exporte ansehen und herunterladen](/#organization/data-exports-admin).',
  SCHEDULED_MESSAGE_FAILED_MESSAGE:
    'Ihre für {time} geplante Nachricht wurde wegen des folgenden Fehlers nicht gesendet:' +
    '\n\n> {reason}\n\n[Geplante Nachrichten ansehen](#scheduled)',
  SCHEDULED_MESSAGE_LATE: 'Die Nachricht konnte nicht zur geplanten Zeit gesendet werden.',
  REMINDER_OF_CHANNEL_MESSAGE: 'Sie wollten an {message} erinnert werden.',
  REMINDER_OF_DIRECT_MESSAGE: 'Sie wollten an die folgende Direktnachricht erinnert werden.',
  REMINDER_OF_UNREADABLE_MESSAGE:
    'Sie wollten an eine Nachricht erinnert werden, die gelöscht wurde oder die Sie nicht mehr lesen können.',
  REMINDER_NOTE: ' Notiz:\n\n> {note}',
  REMINDER_QUOTE: '{user} [schrieb]({url}):\n',
  REMINDER_POLL: '{user} [hat eine Umfrage gesendet]({url}).',
  REMINDER_TODO: '{user} [hat eine Aufgabenliste gesendet]({url}).',
  REMINDER_MESSAGE: '{user} [hat eine Nachricht gesendet]({url}).',
  REPORT_OF_CHANNEL_MESSAGE:
    '{reporter} hat {message} von {user} gemeldet.\n\n- Grund: **{reason}**\n\n',
  REPORT_OF_DIRECT_MESSAGE:
    '{reporter} hat eine Direktnachricht von {user} gemeldet.\n\n- Grund: **{reason}**\n\n',
  REPORT_QUOTE: 'Nachricht von {user}',
  REPORT_SPAM: 'Spam',
  REPORT_HARASSMENT: 'Belästigung',
  REPORT_INAPPROPRIATE: 'Unangemessener Inhalt',
  REPORT_NORMS: 'Verstößt gegen die Regeln der Gemeinschaft',
  REPORT_OTHER: 'Anderer Grund',
  PRODUCT_CHANNEL: '{product}',
  PRODUCT_CHANNEL_DESCRIPTION: 'Fragen und Gespräche zur Benutzung von {product}.',
  SANDBOX_CHANNEL: 'Spielwiese',
  SANDBOX_CHANNEL_DESCRIPTION: 'Hier können Sie {product} ausprobieren. :test_tube:',
  GENERAL_CHANNEL: 'Allgemein',
  GENERAL_CHANNEL_DESCRIPTION: 'Für Gespräche aller',
  MOVING_MESSAGES_TOPIC: 'Nachrichten verschieben',
  MOVING_MESSAGES_MESSAGE:
    'Diese Nachricht stand zuerst unter einem anderen Thema. Wer Nachrichten verschieben darf, kann eine Nachricht oder ein ganzes Thema an einen anderen Ort verschieben.',
  MOVING_TOPICS_TOPIC: 'Themen verschieben',
  MOVING_TOPICS_MESSAGE:
    'Wenn ein Gespräch abschweift, verschieben Sie das Spätere in ein eigenes Thema. So bleibt beides übersichtlich.',
  PRODUCT_QUESTIONS_TOPIC: 'Willkommen bei {product}!',
  PRODUCT_QUESTIONS_MESSAGE: 'Hier ist der Ort für Fragen zu {product}. Fragen Sie einfach!',
  FIRST_CONVERSATION_TOPIC: 'Ein Gespräch beginnen',
  FIRST_CONVERSATION_MESSAGE:
    'Um ein Gespräch zu beginnen, wählen Sie einen Kanal, geben Sie ein Thema an und schreiben Sie.',
  EXPERIMENTS_TOPIC: 'Versuche',
  EXPERIMENTS_MESSAGE: 'Hier können Sie alles ausprobieren. :test_tube: Es stört niemanden.',
  GREETINGS_TOPIC: 'Begrüßung',
  GREETINGS_MESSAGE: 'Sagen Sie allen Hallo! :wave:',
}
