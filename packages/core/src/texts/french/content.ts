import type { Translation } from '../language.js'
import type { contentTexts } from '../english/content.js'

export const frenchContentTexts: Translation<typeof contentTexts> = {
  EMOJI_UNKNOWN: 'L’emoji « {name} » n’existe pas',
  EMOJI_ADMINISTRATION_NOT_ALLOWED:
    'Vous devez administrer l’organisation ou être l’auteur de l’emoji',
  EMOJI_NAME_TAKEN: 'Un emoji personnalisé de ce nom existe déjà.',
  EMOJI_NAME_MISSING: 'Le nom de l’emoji est manquant',
  EMOJI_NAME_WRONG_CHARACTERS:
    'Les noms d’emojis ne peuvent contenir que des lettres minuscules sans accent, des chiffres, des espaces, des tirets et des tirets bas.',
  EMOJI_NAME_WRONG_END: 'Les noms d’emojis doivent finir par une lettre ou un chiffre.',
  EMOJI_OVERRIDE_NOT_ALLOWED: 'Seuls les administrateurs peuvent remplacer les emojis par défaut.',
  EMOJI_IMAGE_INVALID: 'Format d’image incorrect',
  CUSTOM_EMOJI_UNKNOWN: 'Emoji personnalisé incorrect.',
  CUSTOM_EMOJI_NAME_INVALID: 'Nom d’emoji personnalisé incorrect.',
  CUSTOM_EMOJI_DEACTIVATED: 'Cet emoji personnalisé a été désactivé.',
  EMOJI_CODE_INVALID: 'Code d’emoji incorrect.',
  EMOJI_NAME_INVALID: 'Nom d’emoji incorrect.',
  EMOJI_TYPE_INVALID: 'Type d’emoji incorrect.',
  REACTION_EMOJI_CODE_INVALID: 'Code d’emoji incorrect',
  LINKIFIER_UNKNOWN: 'Cette règle de liens n’existe pas.',
  LINKIFIER_ORDER_WITH_DUPLICATES:
    'La liste ordonnée ne peut pas contenir plusieurs fois la même règle de liens',
  LINKIFIER_ORDER_INCOMPLETE:
    'La liste ordonnée doit contenir chaque règle de liens exactement une fois',
  LINKIFIER_GROUP_NOT_IN_PATTERN:
    'Le groupe « {group} » du modèle d’URL n’est pas présent dans le motif.',
  LINKIFIER_GROUP_NOT_IN_TEMPLATE:
    'Le groupe « {group} » du motif n’est pas présent dans le modèle d’URL.',
  LINKIFIER_PATTERN_TAKEN: 'Une règle de liens avec ce motif existe déjà.',
  LINKIFIER_PATTERN_INVALID: 'Expression régulière incorrecte : {problem}',
  LINKIFIER_PATTERN_NOT_COMBINED:
    'Expression régulière incorrecte : elle ne peut pas faire partie d’une autre',
  URL_TEMPLATE_INVALID: 'Modèle d’URL incorrect.',
  PLAYGROUND_LANGUAGE_INVALID: 'Caractères incorrects dans le langage de programmation',
  PLAYGROUND_UNKNOWN: 'Environnement de code incorrect',
  PLAYGROUND_TAKEN: 'Un environnement de code avec ce langage et ce nom existe déjà.',
  PLAYGROUND_CODE_MISSING: 'La variable « code » manque dans le modèle d’URL',
  PLAYGROUND_CODE_NOT_ALONE: '« code » doit être la seule variable du modèle d’URL',
  BAD_IMAGE: 'L’image ne peut pas être lue ; avez-vous téléversé un fichier image ?',
  IMAGE_MISSING: 'Vous devez téléverser exactement un fichier : {what}.',
  IMAGE_FILE: 'fichier',
  IMAGE_AVATAR: 'photo de profil',
  IMAGE_ICON: 'icône',
  IMAGE_LOGO: 'logo',
  IMAGE_TOO_LARGE: 'Le fichier téléversé dépasse la taille autorisée de {limit} Mio',
  REALM_UPLOAD_QUOTA: 'Ce fichier dépasserait l’espace de stockage de votre organisation.',
  UPLOAD_QUOTA_EXCEEDED: 'Vous n’avez plus de place pour d’autres fichiers (maximum : {limit} Mio)',
  UPLOAD_NOT_SINGLE: 'Vous ne pouvez téléverser qu’un fichier à la fois',
  UPLOAD_MISSING: 'Indiquez un fichier à téléverser',
  UPLOAD_TOO_LARGE: 'Le fichier dépasse la taille autorisée par ce serveur ({limit} Mio).',
  FILE_NOT_ACCESSIBLE: 'Vous n’êtes pas autorisé à consulter ce fichier.',
  FILE_TOKEN_INVALID: 'Jeton incorrect',
  FILE_NAME_INVALID: 'Nom de fichier incorrect',
  ATTACHMENT_UNKNOWN: 'Pièce jointe incorrecte',
}
