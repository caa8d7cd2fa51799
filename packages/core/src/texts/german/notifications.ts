import type { Translation } from '../language.js'
import type { botMessageTexts, mailTexts, pageTexts, pushTexts } from '../english/notifications.js'

export const germanNotificationTexts: Translation<
  typeof botMessageTexts & typeof mailTexts & typeof pageTexts & typeof pushTexts
> = {
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

  MAIL_SUBJECT_HIDDEN: 'Neue Nachrichten',
  MAIL_SUBJECT_DIRECT: 'Direktnachrichten mit {names}',
  MAIL_SUBJECT_YOURSELF: 'Direktnachrichten an Sie selbst',
  MAIL_MISSED_ONE: 'Sie haben eine Nachricht in {organization} verpasst.',
  MAIL_MISSED_MANY: 'Sie haben {count} Nachrichten in {organization} verpasst.',
  MAIL_OMITTED_ONE: '1 frühere Nachricht steht nicht in dieser Mail.',
  MAIL_OMITTED_MANY: '{count} frühere Nachrichten stehen nicht in dieser Mail.',
  MAIL_QUOTE_HEAD: '{sender}, {time}:',
  MAIL_OPEN: 'Unterhaltung öffnen',
  MAIL_OPEN_AT: 'Unterhaltung öffnen: {url}',
  MAIL_REPLY: 'Um zu antworten, antworten Sie auf diese Mail.',
  MAIL_STOP: 'Diese Mails abbestellen',
  MAIL_STOP_AT: 'Um diese Mails abzubestellen, öffnen Sie {url}',
  MAIL_REASON_FOLLOWED: 'Sie erhalten diese Mail, weil Sie dem Thema folgen.',
  MAIL_REASON_CHANNEL:
    'Sie erhalten diese Mail, weil Sie Mails über die Nachrichten dieses Kanals eingeschaltet haben.',
  MAIL_REASON_DIRECT:
    'Sie erhalten diese Mail, weil Sie offline waren, als Sie Direktnachrichten bekamen.',
  MAIL_REASON_MENTIONED: 'Sie erhalten diese Mail, weil Sie offline waren, als Sie erwähnt wurden.',
  MAIL_REASON_DIGEST:
    'Sie erhalten diese Mail höchstens einmal in der Woche, weil Sie einige Tage nicht da waren.',
  MAIL_DIGEST_SUBJECT: 'Was Sie in {organization} verpasst haben',
  MAIL_DIGEST_COUNT: 'Ungelesene Nachrichten in Ihren Kanälen in {organization}: {count}.',
  MAIL_DIGEST_WRITERS: 'Ungelesene Nachrichten: {count}, von {names}',
  MAIL_DIGEST_WRITERS_MORE: 'Ungelesene Nachrichten: {count}, von {names} und weiteren: {more}',
  MAIL_DIGEST_CHANNELS: 'Neue Kanäle:',
  MAIL_DIGEST_OPEN: 'Chat öffnen',
  MAIL_DIGEST_OPEN_AT: 'Chat öffnen: {url}',
  MAIL_INVITATION: 'Einladung zu {organization}',
  MAIL_INVITATION_BY: '{inviter} hat Sie zu {organization} eingeladen',
  MAIL_INVITATION_INTRO: 'Sie sind zu {organization} eingeladen, einem Team-Chat.',
  MAIL_INVITATION_INTRO_BY: '{inviter} hat Sie zu {organization} eingeladen, einem Team-Chat.',
  MAIL_INVITATION_OPEN: 'Um die Einladung anzunehmen, öffnen Sie:',
  MAIL_INVITATION_IGNORE: 'Wenn Sie nicht teilnehmen möchten, ignorieren Sie diese Mail.',
  MAIL_LINK_EXPIRES: 'Der Link gilt bis {time}.',
  MAIL_SIGN_UP: 'Bestätigen Sie Ihre E-Mail-Adresse für {organization}',
  MAIL_SIGN_UP_INTRO:
    'Jemand, wahrscheinlich Sie, möchte mit dieser Adresse an {organization} teilnehmen.',
  MAIL_SIGN_UP_OPEN: 'Um Ihr Konto anzulegen, öffnen Sie:',
  MAIL_SIGN_UP_IGNORE:
    'Wenn Sie es nicht waren, ignorieren Sie diese Mail; dann wird kein Konto angelegt.',
  MAIL_ACCOUNT_EXISTS: 'Sie haben bereits ein Konto in {organization}',
  MAIL_ACCOUNT_EXISTS_INTRO:
    'Jemand, wahrscheinlich Sie, wollte mit dieser Adresse an {organization} teilnehmen.',
  MAIL_ACCOUNT_EXISTS_HINT:
    'Die Adresse hat dort schon ein Konto: Melden Sie sich damit an. Wenn Sie das nicht können,\nfragen Sie einen Administrator der Organisation.',
  MAIL_IGNORE: 'Wenn Sie es nicht waren, ignorieren Sie diese Mail.',
  MAIL_NEW_ADDRESS: 'Bestätigen Sie Ihre neue E-Mail-Adresse für {organization}',
  MAIL_NEW_ADDRESS_INTRO:
    'Jemand, wahrscheinlich Sie, möchte ab jetzt diese Adresse in {organization} verwenden.',
  MAIL_NEW_ADDRESS_OPEN: 'Um dies innerhalb eines Tages zu bestätigen, öffnen Sie:',
  MAIL_NEW_ADDRESS_IGNORE:
    'Wenn Sie es nicht waren, ignorieren Sie diese Mail; dann ändert sich nichts.',
  MAIL_ADDRESS_CHANGED: 'Ihre E-Mail-Adresse für {organization} wurde geändert',
  MAIL_ADDRESS_CHANGED_INTRO: 'Ihre Adresse in {organization} ist jetzt {email}.',
  MAIL_ADDRESS_CHANGED_HINT:
    'Wenn nicht Sie sie geändert haben, benachrichtigen Sie einen Administrator der Organisation.',
  INCOMING_MAIL_FILES_LEFT: '{count} Dateien der Mail wurden nicht gespeichert.',
  INCOMING_MAIL_FROM: 'Von: {sender}',
  INCOMING_MAIL_NO_SUBJECT: 'Mail ohne Betreff',
  INCOMING_MAIL_NO_TEXT: '(kein Text)',

  PAGE_REFUSED: 'Das hat nicht geklappt',
  PAGE_FAILED: 'Etwas ist schiefgegangen. Bitte versuchen Sie es gleich noch einmal.',
  PAGE_TOO_MANY_ATTEMPTS: 'Es gab zu viele Versuche. Bitte versuchen Sie es später noch einmal.',
  PAGE_ADDRESS: 'Bestätigen Sie Ihre neue E-Mail-Adresse',
  PAGE_ADDRESS_QUESTION: 'Ab jetzt {email} verwenden?',
  PAGE_ADDRESS_CONFIRM: 'Bestätigen',
  PAGE_ADDRESS_CHANGED: 'Ihre E-Mail-Adresse wurde geändert',
  PAGE_ADDRESS_NOW: 'Ihre Adresse ist jetzt {email}. Sie können diese Seite schließen.',
  PAGE_MAILS: 'Mails abbestellen',
  PAGE_MAILS_ABOUT_MENTIONS:
    'Keine Mails mehr über verpasste Direktnachrichten und Erwähnungen erhalten?',
  PAGE_MAILS_ABOUT_TOPICS:
    'Keine Mails mehr über Nachrichten in Themen erhalten, denen Sie folgen?',
  PAGE_MAILS_ABOUT_CHANNEL: 'Keine Mails mehr über Nachrichten dieses Kanals erhalten?',
  PAGE_MAILS_STOPPED: 'Mails abbestellt',
  PAGE_MAILS_STOPPED_MENTIONS:
    'Sie erhalten keine Mails mehr über verpasste Direktnachrichten und Erwähnungen. In Ihren Einstellungen können Sie sie wieder einschalten. Diese Seite können Sie schließen.',
  PAGE_MAILS_STOPPED_TOPICS:
    'Sie erhalten keine Mails mehr über Nachrichten in Themen, denen Sie folgen. In Ihren Einstellungen können Sie sie wieder einschalten. Diese Seite können Sie schließen.',
  PAGE_MAILS_STOPPED_CHANNEL:
    'Sie erhalten keine Mails mehr über Nachrichten dieses Kanals. In Ihren Einstellungen können Sie sie wieder einschalten. Diese Seite können Sie schließen.',
  PAGE_MAILS_ABOUT_DIGESTS: 'Keine Mails mehr darüber erhalten, was Sie verpasst haben?',
  PAGE_MAILS_STOPPED_DIGESTS:
    'Sie erhalten keine Mails mehr darüber, was Sie verpasst haben. In Ihren Einstellungen können Sie sie wieder einschalten. Diese Seite können Sie schließen.',
  PAGE_SIGN_ON_QUESTION: 'In der App auf diesem Gerät als {name} anmelden?',
  PAGE_SIGN_ON_HINT:
    'Fahren Sie nur fort, wenn Sie die Anmeldung gerade in der App begonnen haben.',
  PAGE_SIGN_ON_CONTINUE: 'Weiter',
  PAGE_JOIN: 'An {organization} teilnehmen',
  PAGE_JOIN_INVITED: '{inviter} hat Sie zu {organization} eingeladen.',
  PAGE_JOIN_ENTER_ADDRESS:
    'Geben Sie Ihre E-Mail-Adresse ein. Sie erhalten eine Mail mit einem Link, über den Sie Ihr Konto anlegen.',
  PAGE_JOIN_SEND: 'Mail senden',
  PAGE_JOIN_MAIL: 'Sehen Sie in Ihre Mails',
  PAGE_JOIN_MAIL_SENT:
    'Eine Mail wurde an {email} gesendet. Öffnen Sie den Link darin, um fortzufahren.',
  PAGE_JOIN_CREATE: 'Konto anlegen',
  PAGE_JOIN_DONE: 'Willkommen bei {organization}',
  PAGE_JOIN_CREATED: 'Ihr Konto wurde angelegt. Melden Sie sich mit {email} und Ihrem Passwort an.',
  PAGE_JOIN_CONTINUE: 'Weiter',
  PAGE_JOIN_EMAIL: 'E-Mail-Adresse',
  PAGE_JOIN_NAME: 'Vollständiger Name',
  PAGE_JOIN_PASSWORD: 'Passwort',
  PAGE_JOIN_PASSWORD_HINT: 'Mindestens {count} Zeichen, und schwer zu erraten.',
  PAGE_JOIN_ACCEPT: 'Ich akzeptiere die {terms}',
  PAGE_JOIN_TERMS: 'Nutzungsbedingungen',
  PAGE_JOIN_REFUSED: 'Die Teilnahme ist gerade nicht möglich',
  PAGE_JOIN_OTHER_SITE:
    'Öffnen Sie den Link Ihrer Einladung noch einmal, und füllen Sie dort das Formular aus.',

  PUSH_CONTENT_HIDDEN: 'Neue Nachricht',
  PUSH_FROM: '{sender}:',
  PUSH_MENTIONED_YOU: '{sender} hat Sie erwähnt:',
  PUSH_MENTIONED_GROUP: '{sender} hat @{group} erwähnt:',
  PUSH_MENTIONED_EVERYONE: '{sender} hat alle erwähnt:',
}
