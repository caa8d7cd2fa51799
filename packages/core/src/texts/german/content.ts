import type { Translation } from '../language.js'
import type { contentTexts } from '../english/content.js'

export const germanContentTexts: Translation<typeof contentTexts> = {
  EMOJI_UNKNOWN: 'Das Emoji „{name}“ gibt es nicht',
  EMOJI_ADMINISTRATION_NOT_ALLOWED:
    'Dazu müssen Sie die Organisation administrieren oder das Emoji hinzugefügt haben',
  EMOJI_NAME_TAKEN: 'Ein eigenes Emoji mit diesem Namen gibt es bereits.',
  EMOJI_NAME_MISSING: 'Der Name des Emojis fehlt',
  EMOJI_NAME_WRONG_CHARACTERS:
    'Namen von Emojis dürfen nur englische Kleinbuchstaben, Ziffern, Leerzeichen, Bindestriche und Unterstriche enthalten.',
  EMOJI_NAME_WRONG_END: 'Namen von Emojis müssen mit einem Buchstaben oder einer Ziffer enden.',
  EMOJI_OVERRIDE_NOT_ALLOWED: 'Standard-Emojis dürfen nur von Administratoren ersetzt werden.',
  EMOJI_IMAGE_INVALID: 'Ungültiges Bildformat',
  CUSTOM_EMOJI_UNKNOWN: 'Ungültiges eigenes Emoji.',
  CUSTOM_EMOJI_NAME_INVALID: 'Ungültiger Name eines eigenen Emojis.',
  CUSTOM_EMOJI_DEACTIVATED: 'Dieses eigene Emoji wurde deaktiviert.',
  EMOJI_CODE_INVALID: 'Ungültiger Emoji-Code.',
  EMOJI_NAME_INVALID: 'Ungültiger Emoji-Name.',
  EMOJI_TYPE_INVALID: 'Ungültige Art von Emoji.',
  REACTION_EMOJI_CODE_INVALID: 'Ungültiger Emoji-Code',
  LINKIFIER_UNKNOWN: 'Diese Verlinkungsregel gibt es nicht.',
  LINKIFIER_ORDER_WITH_DUPLICATES:
    'Die geordnete Liste darf keine Verlinkungsregel mehrfach enthalten',
  LINKIFIER_ORDER_INCOMPLETE:
    'Die geordnete Liste muss jede Verlinkungsregel genau einmal enthalten',
  LINKIFIER_GROUP_NOT_IN_PATTERN: 'Die Gruppe „{group}“ der URL-Vorlage kommt im Muster nicht vor.',
  LINKIFIER_GROUP_NOT_IN_TEMPLATE:
    'Die Gruppe „{group}“ des Musters kommt in der URL-Vorlage nicht vor.',
  LINKIFIER_PATTERN_TAKEN: 'Eine Verlinkungsregel mit diesem Muster gibt es bereits.',
  LINKIFIER_PATTERN_INVALID: 'Ungültiger regulärer Ausdruck: {problem}',
  LINKIFIER_PATTERN_NOT_COMBINED:
    'Ungültiger regulärer Ausdruck: Er kann nicht Teil eines anderen sein',
  URL_TEMPLATE_INVALID: 'Ungültige URL-Vorlage.',
  PLAYGROUND_LANGUAGE_INVALID: 'Ungültige Zeichen in der Programmiersprache',
  PLAYGROUND_UNKNOWN: 'Ungültige Code-Umgebung',
  PLAYGROUND_TAKEN:
    'Eine Code-Umgebung mit dieser Programmiersprache und diesem Namen gibt es bereits.',
  PLAYGROUND_CODE_MISSING: 'In der URL-Vorlage fehlt die Variable „code“',
  PLAYGROUND_CODE_NOT_ALONE: '„code“ muss die einzige Variable der URL-Vorlage sein',
  BAD_IMAGE: 'Das Bild kann nicht gelesen werden; haben Sie eine Bilddatei hochgeladen?',
  IMAGE_MISSING: 'Sie müssen genau eine Datei hochladen: {what}.',
  IMAGE_FILE: 'Datei',
  IMAGE_AVATAR: 'Profilbild',
  IMAGE_ICON: 'Symbol',
  IMAGE_LOGO: 'Logo',
  IMAGE_TOO_LARGE: 'Die hochgeladene Datei ist größer als erlaubt (höchstens {limit} MiB)',
  REALM_UPLOAD_QUOTA: 'Ihre Organisation hat für diese Datei nicht mehr genug Speicherplatz.',
  UPLOAD_QUOTA_EXCEEDED: 'Sie haben keinen Platz für weitere Dateien (höchstens {limit} MiB)',
  UPLOAD_NOT_SINGLE: 'Sie können nur eine Datei auf einmal hochladen',
  UPLOAD_MISSING: 'Geben Sie eine Datei zum Hochladen an',
  UPLOAD_TOO_LARGE: 'Die Datei ist größer, als dieser Server erlaubt ({limit} MiB).',
  FILE_NOT_ACCESSIBLE: 'Sie dürfen diese Datei nicht ansehen.',
  FILE_TOKEN_INVALID: 'Ungültiges Token',
  FILE_NAME_INVALID: 'Ungültiger Dateiname',
  ATTACHMENT_UNKNOWN: 'Ungültiger Anhang',
}
