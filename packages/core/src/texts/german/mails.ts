import type { Translation } from '../language.js'
import type { mailTexts } from '../english/mails.js'

export const germanMailTexts: Translation<typeof mailTexts> = {
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
}
