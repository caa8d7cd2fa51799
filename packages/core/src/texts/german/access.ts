import type { Translation } from '../language.js'
import type { accessTexts } from '../english/access.js'

export const germanAccessTexts: Translation<typeof accessTexts> = {
  UNAUTHORIZED: 'Sie sind nicht angemeldet: Dies erfordert einen API-Schlüssel oder eine Sitzung',
  SESSION_REQUIRED:
    'Sie sind nicht angemeldet: Dies erfordert einen API-Schlüssel oder eine Sitzung',
  INVALID_API_KEY: 'Ungültiger API-Schlüssel',
  API_KEY_MALFORMED: 'Der API-Schlüssel hat ein ungültiges Format',
  BASIC_AUTHENTICATION_REQUIRED: 'Dies erfordert eine HTTP-Basic-Authentifizierung.',
  AUTHORIZATION_HEADER_INVALID: 'Ungültiger Authorization-Header für die Basic-Authentifizierung',
  ACCOUNT_IN_OTHER_ORGANIZATION: 'Das Konto gehört nicht zu dieser Subdomain',
  USER_DEACTIVATED: 'Das Konto ist deaktiviert',
  CALLER_DEACTIVATED: 'Das Konto ist deaktiviert',
  REALM_DEACTIVATED: 'Diese Organisation wurde deaktiviert',
  CALLER_REALM_DEACTIVATED: 'Diese Organisation wurde deaktiviert',
  AUTHENTICATION_FAILED: 'Ihr Benutzername oder Ihr Passwort ist falsch',
  PASSWORD_AUTH_DISABLED: 'Die Anmeldung mit Passwort ist in dieser Organisation deaktiviert',
  PASSWORD_RESET_REQUIRED: 'Ihr Passwort wurde gesperrt und muss zurückgesetzt werden',
  SECOND_FACTOR_REQUIRED: 'Für die Anmeldung wird ein zweiter Faktor benötigt',
  SECOND_FACTOR_FAILED: 'Der Code ist falsch',
  NONEXISTENT_SUBDOMAIN: 'Ungültige Subdomain',
  CSRF_FAILED: 'CSRF-Fehler: {reason}',
  CSRF_ORIGIN_MISSING: 'Die Anfrage hat keinen Header „Origin“',
  CSRF_ORIGIN_NOT_TRUSTED:
    'Der Header „Origin“ nennt einen Ursprung, der nicht vertrauenswürdig ist',
  CSRF_FORM_ON_OTHER_SITE: 'Das Formular stammt von einer anderen Website',
  ADDRESS_NOT_ALLOWED: 'Von Ihrer Netzwerkadresse aus ist die Verwaltung nicht erlaubt',
  AUTHENTICATION_METHOD_UNKNOWN:
    'Ungültige Anmeldemethode: {method}. Gültige Methoden sind: {methods}',
  AUTHENTICATION_METHOD_REQUIRED: 'Mindestens eine Anmeldemethode muss aktiviert sein.',
  EMAIL_ADDRESS_INVALID: 'Geben Sie eine gültige E-Mail-Adresse ein.',
  DEVELOPMENT_LOGIN_DISABLED: 'DevAuthBackend ist nicht aktiviert.',
  DEVELOPMENT_ONLY: 'Im Produktivbetrieb nicht verfügbar.',
  PASSWORD_MANAGED_ELSEWHERE: 'Ihr Passwort wird in LDAP verwaltet',
  PASSWORD_WRONG: 'Falsches Passwort!',
  PASSWORD_ATTEMPTS_EXCEEDED: 'Zu viele Versuche! Versuchen Sie es in {seconds} Sekunden erneut.',
  NEW_PASSWORD_TOO_WEAK: 'Das neue Passwort ist zu schwach!',
  API_KEYS_DISABLED: 'Für dieses Konto sind API-Schlüssel deaktiviert.',
  SIGN_ON_FLOWS_CONFLICT:
    'mobile_flow_otp und desktop_flow_otp können nicht zusammen verwendet werden.',
  SIGN_ON_OTP_INVALID: 'Ungültiges Einmalpasswort',
}
