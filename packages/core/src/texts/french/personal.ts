import type { Translation } from '../language.js'
import type { personalTexts } from '../english/personal.js'

export const frenchPersonalTexts: Translation<typeof personalTexts> = {
  DRAFT_UNKNOWN: 'Ce brouillon n’existe pas',
  DRAFT_TIMESTAMP_NEGATIVE: 'L’horodatage ne peut pas être négatif.',
  DRAFT_CHANNEL_NOT_ONE:
    'Les messages dans les canaux nécessitent exactement un identifiant de canal',
  DRAFTS_DISABLED: 'L’utilisateur a désactivé la synchronisation des brouillons.',
  MAIL_LINK_INVALID: 'Le lien est incorrect.',
  CANNOT_MUTE_SELF: 'Vous ne pouvez pas vous mettre vous-même en sourdine',
  USER_ALREADY_MUTED: 'L’utilisateur est déjà en sourdine',
  USER_NOT_MUTED: 'L’utilisateur n’est pas en sourdine',
  BUILT_IN_VIEW_WITHOUT_NAME: 'Les vues par défaut ne peuvent pas avoir de nom personnalisé.',
  CUSTOM_VIEW_NAME_REQUIRED: 'Les vues personnalisées doivent avoir un nom valide.',
  NAVIGATION_VIEW_FRAGMENT_INVALID: 'Le fragment d’une vue ne peut pas commencer par un schéma.',
  NAVIGATION_VIEW_TAKEN: 'Cette vue existe déjà.',
  NAVIGATION_VIEW_UNKNOWN: 'Cette vue n’existe pas.',
  PRESENCE_STATUS_INVALID: 'Statut incorrect : {status}',
  PRESENCE_OF_BOT: 'Les bots n’ont pas d’indication de présence.',
  PRESENCE_UNKNOWN: 'Aucune indication de présence pour {user}',
  DELIVERY_TIME_PAST: 'L’heure d’envoi programmée doit être dans le futur.',
  REMINDER_UNKNOWN: 'Ce rappel n’existe pas',
  REMINDER_NOTE_TOO_LONG: 'La note d’un rappel ne peut pas dépasser {limit} caractères',
  SAVED_SNIPPET_UNKNOWN: 'Cet extrait enregistré n’existe pas.',
  SCHEDULED_CHANNEL_INVALID: 'Type de données incorrect pour l’identifiant de canal',
  SCHEDULED_RECIPIENT_REQUIRED:
    'Pour modifier le type d’un message programmé, un destinataire est nécessaire.',
  SCHEDULED_TOPIC_REQUIRED:
    'Pour adresser un message programmé à un canal, un sujet est nécessaire.',
  SCHEDULED_MESSAGE_SENT: 'Le message programmé a déjà été envoyé',
  SCHEDULED_MESSAGE_UNKNOWN: 'Ce message programmé n’existe pas',
  SETTING_LANGUAGE_INVALID: 'default_language incorrect',
  SETTING_MAIL_PERIOD_INVALID: 'Délai de regroupement des e-mails incorrect : {seconds} secondes',
  SETTING_TIME_ZONE_INVALID: 'Fuseau horaire inconnu',
  SETTING_SOUND_INVALID: 'Son de notification incorrect « {name} »',
  STATUS_WITHOUT_CHANGES: 'Aucune nouvelle valeur n’a été indiquée.',
  STATUS_EMOJI_NAME_MISSING: 'emoji_code et reaction_type nécessitent emoji_name.',
  PUSH_SERVICE_NOT_CONFIGURED: 'Les notifications push ne sont pas configurées sur ce serveur.',
  INVALID_PUSH_DEVICE_TOKEN: 'L’appareil n’est pas reconnu',
  INVALID_REMOTE_PUSH_DEVICE_TOKEN: 'L’appareil n’est pas reconnu par le service push',
  NO_ACTIVE_PUSH_DEVICE: 'Aucun appareil actif n’est enregistré pour les notifications push',
  ADMIN_ACTION_REQUIRED:
    'Les notifications push sont mal configurées sur le serveur. Adressez-vous à l’administrateur du serveur ou réessayez plus tard.',
  FAILED_TO_CONNECT_BOUNCER: 'Le service de notifications push est injoignable.',
  INTERNAL_SERVER_ERROR_ON_BOUNCER:
    'Erreur interne du service de notifications push, réessayez plus tard.',
  PUSH_APP_ID_INVALID: 'Identifiant d’application incorrect',
  PUSH_TOKEN_WRONG_LENGTH: 'Le jeton est vide ou de longueur incorrecte',
  PUSH_TOKEN_NOT_APNS: 'Jeton APNS incorrect',
  PUSH_TOKEN_NOT_FCM: 'Jeton FCM incorrect',
  PUSH_TOKEN_UNKNOWN: 'Ce jeton n’existe pas',
}
