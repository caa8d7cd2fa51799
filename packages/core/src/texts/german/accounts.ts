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
}
