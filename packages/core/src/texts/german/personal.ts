import type { Translation } from '../language.js'
import type { personalTexts } from '../english/personal.js'

export const germanPersonalTexts: Translation<typeof personalTexts> = {
  DRAFT_UNKNOWN: 'Diesen Entwurf gibt es nicht',
  DRAFT_TIMESTAMP_NEGATIVE: 'Der Zeitstempel darf nicht negativ sein.',
  DRAFT_CHANNEL_NOT_ONE: 'Für Nachrichten in Kanälen wird genau eine Kanal-ID benötigt',
  DRAFTS_DISABLED: 'Der Benutzer hat die Synchronisierung von Entwürfen deaktiviert.',
  MAIL_LINK_INVALID: 'Der Link ist ungültig.',
  CANNOT_MUTE_SELF: 'Sie können sich nicht selbst stummschalten',
  USER_ALREADY_MUTED: 'Der Benutzer ist bereits stummgeschaltet',
  USER_NOT_MUTED: 'Der Benutzer ist nicht stummgeschaltet',
  BUILT_IN_VIEW_WITHOUT_NAME: 'Vorgegebene Ansichten können keinen eigenen Namen haben.',
  CUSTOM_VIEW_NAME_REQUIRED: 'Eigene Ansichten brauchen einen gültigen Namen.',
  NAVIGATION_VIEW_FRAGMENT_INVALID:
    'Das Fragment einer Ansicht darf nicht mit einem Schema beginnen.',
  NAVIGATION_VIEW_TAKEN: 'Diese Ansicht gibt es bereits.',
  NAVIGATION_VIEW_UNKNOWN: 'Diese Ansicht gibt es nicht.',
  PRESENCE_STATUS_INVALID: 'Ungültiger Status: {status}',
  PRESENCE_OF_BOT: 'Für Bots gibt es keine Anwesenheit.',
  PRESENCE_UNKNOWN: 'Zu {user} gibt es keine Anwesenheitsdaten',
  DELIVERY_TIME_PAST: 'Der geplante Zeitpunkt muss in der Zukunft liegen.',
  REMINDER_UNKNOWN: 'Diese Erinnerung gibt es nicht',
  REMINDER_NOTE_TOO_LONG: 'Die Notiz einer Erinnerung darf höchstens {limit} Zeichen haben',
  SAVED_SNIPPET_UNKNOWN: 'Diesen Textbaustein gibt es nicht.',
  SCHEDULED_CHANNEL_INVALID: 'Ungültiger Datentyp der Kanal-ID',
  SCHEDULED_RECIPIENT_REQUIRED:
    'Um die Art einer geplanten Nachricht zu ändern, werden Empfänger benötigt.',
  SCHEDULED_TOPIC_REQUIRED:
    'Um eine geplante Nachricht an einen Kanal zu richten, wird ein Thema benötigt.',
  SCHEDULED_MESSAGE_SENT: 'Die geplante Nachricht wurde bereits gesendet',
  SCHEDULED_MESSAGE_UNKNOWN: 'Diese geplante Nachricht gibt es nicht',
  SETTING_LANGUAGE_INVALID: 'Ungültige default_language',
  SETTING_MAIL_PERIOD_INVALID: 'Ungültiger Zeitraum für gesammelte E-Mails: {seconds} Sekunden',
  SETTING_TIME_ZONE_INVALID: 'Unbekannte Zeitzone',
  SETTING_SOUND_INVALID: 'Ungültiger Benachrichtigungston „{name}“',
  STATUS_WITHOUT_CHANGES: 'Es wurden keine neuen Werte angegeben.',
  STATUS_EMOJI_NAME_MISSING: 'Zu emoji_code oder reaction_type gehört auch emoji_name.',
  PUSH_SERVICE_NOT_CONFIGURED: 'Auf diesem Server sind Push-Benachrichtigungen nicht eingerichtet.',
  INVALID_PUSH_DEVICE_TOKEN: 'Das Gerät ist nicht bekannt',
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: 'Das Gerät ist dem Push-Dienst nicht bekannt',
  NO_ACTIVE_PUSH_DEVICE: 'Kein aktives Gerät ist für Push-Benachrichtigungen registriert',
  ADMIN_ACTION_REQUIRED:
    'Push-Benachrichtigungen sind auf dem Server falsch eingerichtet. Wenden Sie sich an dessen Administration, oder versuchen Sie es später erneut.',
  FAILED_TO_CONNECT_BOUNCER: 'Der Push-Dienst ist nicht erreichbar.',
  INTERNAL_SERVER_ERROR_ON_BOUNCER:
    'Interner Fehler des Push-Dienstes, versuchen Sie es später erneut.',
  PUSH_APP_ID_INVALID: 'Ungültige App-ID',
  PUSH_TOKEN_WRONG_LENGTH: 'Das Token ist leer oder hat eine ungültige Länge',
  PUSH_TOKEN_NOT_APNS: 'Ungültiges APNS-Token',
  PUSH_TOKEN_NOT_FCM: 'Ungültiges FCM-Token',
  PUSH_TOKEN_UNKNOWN: 'Dieses Token gibt es nicht',
}
