import type { Translation } from '../language.js'
import type { accountTexts } from '../english/accounts.js'

export const germanAccountTexts: Translation<typeof accountTexts> = {
  USER_UNKNOWN: 'Diesen Benutzer gibt es nicht',
  USER_INACTIVE: 'Der Benutzer ist deaktiviert',
  USER_ERASED: 'Der Benutzer dieses Kontos wurde gelöscht',
  USER_IDS_NOT_LIST: 'Die Benutzer-IDs sind keine Liste',
  USER_ID_NOT_INTEGER: 'Die Benutzer-ID [{index}] ist keine ganze Zahl',
  USER_ID_INVALID: 'Ungültige Benutzer-ID: {userId}',
  RECIPIENT_ID_INVALID: 'Ungültige Benutzer-ID {userId}',
  RECIPIENT_EMAIL_INVALID: 'Ungültige E-Mail-Adresse „{email}“',
  USER_WITH_ID_INACTIVE: 'Der Benutzer mit der ID {userId} ist deaktiviert',
  USER_WITH_ID_IS_BOT: 'Der Benutzer mit der ID {userId} ist ein Bot',
  CANNOT_DEACTIVATE_LAST_USER: 'Deaktivieren nicht möglich, denn dies ist {entity}',
  LAST_USER: 'der einzige Benutzer',
  LAST_OWNER: 'der einzige Besitzer der Organisation',
  ONLY_OWNER_NOT_DEACTIVATED: 'Der einzige Besitzer der Organisation kann nicht deaktiviert werden',
  ONLY_OWNER_NOT_DEMOTED:
    'Dem einzigen Besitzer der Organisation kann diese Rolle nicht entzogen werden.',
  ONLY_OWNER_NOT_ERASED:
    'Der einzige Besitzer der Organisation kann nicht gelöscht werden; machen Sie zuerst einen anderen Benutzer zum Besitzer',
  BOTS_NOT_ERASED: 'Bots können nicht gelöscht werden',
  GUEST_NOT_ADMINISTRATOR: 'Gäste können die Organisation nicht administrieren',
  ROLE_MANAGED_BY_LOGIN:
    'Die Rolle dieses Benutzers wird durch die Anmeldung der Organisation bestimmt.',
  USER_CREATION_NOT_ALLOWED: 'Sie dürfen keine Benutzer anlegen',
  USER_EMAIL_CHANGE_NOT_ALLOWED: 'Sie dürfen die E-Mail-Adressen von Benutzern nicht ändern',
  USER_QUERY_NOT_ALLOWED: 'Sie sind zu dieser Abfrage nicht berechtigt',
  USER_NAME_TOO_LONG: 'Der Name ist zu lang!',
  USER_NAME_TOO_SHORT: 'Der Name ist zu kurz!',
  USER_NAME_WRONG_CHARACTERS: 'Der Name enthält ungültige Zeichen!',
  USER_NAME_WRONG_FORMAT: 'Ungültiges Format!',
  USER_NAMES_NOT_UNIQUE: 'In dieser Organisation muss jeder Name eindeutig sein.',
  USER_NAME_TAKEN: 'Der Name wird bereits verwendet.',
  EMAIL_ADDRESS_TAKEN: 'Die E-Mail-Adresse wird bereits verwendet.',
  EMAIL_ADDRESS_WRONG_FORMAT: 'Ungültige Adresse.',
  EMAIL_ADDRESS_RESERVED: 'Die Adresse ist für Bots des Systems reserviert.',
  EMAIL_ADDRESS_OUTSIDE_DOMAIN: 'Die Adresse liegt außerhalb Ihrer Domain.',
  EMAIL_ADDRESS_DISPOSABLE: 'Bitte verwenden Sie Ihre echte E-Mail-Adresse.',
  EMAIL_ADDRESS_WITH_PLUS: 'E-Mail-Adressen mit + sind nicht erlaubt.',
  EMAIL_ADDRESS_HAS_ACCOUNT: 'Zu dieser Adresse gibt es bereits ein Konto.',
  EMAIL_ADDRESS_OF_DEACTIVATED_ACCOUNT: 'Das Konto wurde deaktiviert.',
  EMAIL_ADDRESS_NOT_ALLOWED:
    'Die E-Mail-Adresse „{email}“ ist in dieser Organisation nicht erlaubt',
  EMAIL_ADDRESSES_DISPOSABLE_NOT_ALLOWED:
    'Wegwerfadressen sind in dieser Organisation nicht erlaubt',
  EMAIL_ADDRESS_CHANGES_DISABLED:
    'In dieser Organisation können E-Mail-Adressen nicht geändert werden.',
  NEW_EMAIL_ADDRESS_INVALID: 'Die neue E-Mail-Adresse ist ungültig.',
  NEW_EMAIL_ADDRESS_PROBLEM: 'Die neue E-Mail-Adresse ist nicht möglich: {problem}',
  CONFIRMATION_LINK_EXPIRED:
    'Der Link zur Bestätigung ist abgelaufen oder wurde bereits verwendet.',
  AVATAR_CHANGES_DISABLED: 'In dieser Organisation können Profilbilder nicht geändert werden.',
  BOT_UNKNOWN: 'Diesen Bot gibt es nicht',
  BOT_TYPE_INVALID: 'Ungültige Art von Bot',
  BOT_NAME_INVALID: 'Ungültiger Name oder Benutzername',
  BOT_INTERFACE_INVALID: 'Ungültige Art von Schnittstelle',
  BOT_NAME_TAKEN:
    'In dieser Organisation gibt es bereits einen aktiven Bot namens „{name}“. Um diesen Bot zu reaktivieren, müssen Sie zuerst den anderen umbenennen oder deaktivieren.',
  BOT_WITH_DEACTIVATED_OWNER:
    'Der Besitzer dieses Bots ist deaktiviert: Reaktivieren Sie zuerst den Besitzer, oder wählen Sie einen anderen.',
  EMBEDDED_BOTS_DISABLED: 'Eingebettete Bots sind nicht aktiviert.',
  BOT_OWNER_UNKNOWN: 'Der Besitzer wurde nicht geändert: Diesen Benutzer gibt es nicht',
  BOT_OWNER_INACTIVE: 'Der Besitzer wurde nicht geändert: Der Benutzer ist deaktiviert',
  BOT_OWNER_IS_BOT: 'Der Besitzer wurde nicht geändert: Bots können keine Bots besitzen',
  BOT_OWNER_HAS_MORE_PERMISSIONS:
    'Der Besitzer wurde nicht geändert: Der Benutzer hat mehr Rechte als Sie',
  BOT_OWNER_HAS_FEWER_PERMISSIONS:
    'Der Besitzer wurde nicht geändert: Der Bot hat mehr Rechte als der Benutzer',
  INVITATION_UNKNOWN: 'Diese Einladung gibt es nicht',
  INVITATION_REVOKED: 'Die Einladung wurde bereits widerrufen',
  INVITATION_ENDED:
    'Diese Einladung ist abgelaufen, wurde verwendet oder widerrufen, oder es hat sie nie gegeben.',
  INVITATION_CHANNEL_INVALID:
    'Ungültige Kanal-ID {channelId}. Es wurden keine Einladungen versendet.',
  INVITATION_SUBSCRIBING_NOT_ALLOWED: 'Sie dürfen andere Benutzer nicht zu Kanälen hinzufügen.',
  INVITATION_ADDRESSES_MISSING: 'Geben Sie mindestens eine E-Mail-Adresse an.',
  INVITATION_MAIL_NOT_CONFIGURED:
    'Dieser Server kann keine E-Mails versenden, die für Einladungen nötig sind.',
  INVITATIONS_DAILY_LIMIT:
    'Eine Organisation kann {limit} Einladungen am Tag versenden. Es wurden keine versendet, weil es mehr würden.',
  INVITATION_ADDRESSES_NOT_VALID:
    'Einige E-Mail-Adressen sind ungültig, deshalb wurden keine Einladungen versendet.',
  INVITATION_NOBODY_INVITED: 'Es konnte niemand eingeladen werden.',
  INVITATION_ADDRESSES_TAKEN_NONE_SENT:
    'Zu einigen dieser Adressen gibt es bereits Konten. Es wurden keine Einladungen versendet.',
  INVITATION_ADDRESSES_TAKEN:
    'Zu einigen dieser Adressen gibt es bereits Konten, an sie wurde keine Einladung versendet. Alle anderen haben eine Einladung erhalten!',
  SIGN_UP_PASSWORD_TOO_WEAK: 'Das Passwort ist zu schwach.',
  SIGN_UP_TERMS_NOT_ACCEPTED: 'Sie müssen den Bedingungen zustimmen.',
  SIGN_UP_CLOSED:
    'Hier können Sie sich nicht registrieren. Fragen Sie die Person, die Ihnen den Link gesendet hat.',

  USER_GROUP_UNKNOWN: 'Ungültige Benutzergruppe',
  USER_GROUP_ID_INVALID: 'Ungültige ID einer Benutzergruppe: {groupId}',
  USER_GROUP_DEACTIVATED: 'Die Benutzergruppe ist deaktiviert.',
  USER_GROUP_NOT_POSSIBLE:
    'Die Einstellung „{setting}“ kann nicht auf die Gruppe „{group}“ gesetzt werden.',
  USER_GROUP_HAS_MEMBER: 'Der Benutzer {userId} ist bereits Mitglied dieser Gruppe',
  USER_GROUP_WITHOUT_MEMBER: 'In dieser Benutzergruppe gibt es kein Mitglied „{userId}“',
  USER_GROUP_HAS_SUBGROUP:
    'Die Benutzergruppe {groupId} ist bereits eine Untergruppe dieser Gruppe.',
  USER_GROUP_CIRCULAR:
    'Die Benutzergruppe {groupId} ist bereits eine Untergruppe einer der angegebenen Untergruppen.',
  USER_GROUP_WITHOUT_SUBGROUP: 'Die Benutzergruppe {groupId} ist keine Untergruppe dieser Gruppe.',
  USER_GROUP_NAME_EMPTY: 'Der Name der Benutzergruppe darf nicht leer sein!',
  USER_GROUP_NAME_TOO_LONG: 'Der Name der Benutzergruppe darf höchstens {limit} Zeichen haben.',
  USER_GROUP_NAME_WRONG_START: 'Der Name der Benutzergruppe darf nicht mit „{prefix}“ beginnen.',
  USER_GROUP_NAME_TAKEN: 'Die Benutzergruppe „{name}“ gibt es bereits.',
  USER_GROUP_NO_CHANGES:
    'Es gibt nichts zu tun. Geben Sie „add“, „delete“, „add_subgroups“ oder „delete_subgroups“ an.',
  USER_GROUP_NO_NEW_DATA: 'Es wurden keine neuen Daten angegeben',
  SYSTEM_GROUP_REQUIRED: '„{setting_name}“ muss eine Benutzergruppe des Systems sein.',
  CANNOT_DEACTIVATE_GROUP_IN_USE:
    'Die Benutzergruppe wird verwendet und kann nicht deaktiviert werden.',
  PROFILE_FIELD_UNKNOWN: 'Das Feld mit der ID {fieldId} gibt es nicht.',
  PROFILE_FIELD_NAME_EMPTY: 'Die Bezeichnung darf nicht leer sein.',
  PROFILE_FIELD_NAME_TAKEN: 'Ein Feld mit dieser Bezeichnung gibt es bereits.',
  PROFILE_FIELD_TYPE_INVALID: 'Ungültige Art von Feld.',
  PROFILE_FIELD_NOT_IN_SUMMARY:
    'Diese Art von Feld kann in der Kurzfassung des Profils nicht angezeigt werden.',
  PROFILE_SUMMARY_FULL:
    'In der Kurzfassung des Profils können nur 2 eigene Felder angezeigt werden.',
  PROFILE_FIELD_WITHOUT_CHOICES: 'Das Feld braucht mindestens eine Auswahlmöglichkeit.',
  PROFILE_FIELD_CHOICE_BLANK: '„value“ darf nicht leer sein.',
  PROFILE_FIELD_CHOICES_DUPLICATED: 'Das Feld darf keine Auswahlmöglichkeit mehrfach enthalten.',
  PROFILE_FIELD_ACCOUNT_TYPE_INVALID: 'Ungültige Art von externem Konto',
  PROFILE_FIELD_URL_PATTERN_MISSING: 'Ein eigenes externes Konto braucht ein URL-Muster',
  PROFILE_FIELD_URL_PATTERN_INCOMPLETE: 'Das URL-Muster muss „{placeholder}“ enthalten.',
  PROFILE_FIELD_URL_PATTERN_NOT_URL: 'field_data["url_pattern"] ist keine URL',
  PROFILE_FIELD_ORDER_INVALID: 'Ungültige Reihenfolge.',
  PROFILE_FIELD_BUILT_IN: 'Vorgegebene Profilfelder können nicht geändert werden.',
  PROFILE_VALUE_NOT_CHOICE: '„{value}“ ist keine Auswahlmöglichkeit von „{field}“.',
  PROFILE_VALUE_NOT_URL: '{field} ist keine URL',
  PROFILE_FIELD_NOT_EDITABLE:
    'Sie dürfen dieses Feld nicht ändern. Wenden Sie sich dafür an die Administration.',

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
