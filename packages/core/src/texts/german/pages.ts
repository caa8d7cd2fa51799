import type { Translation } from '../language.js'
import type { pageTexts } from '../english/pages.js'

export const germanPageTexts: Translation<typeof pageTexts> = {
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
}
