import type { Translation } from '../language.js'
import type { accountTexts } from '../english/accounts.js'

export const frenchAccountTexts: Translation<typeof accountTexts> = {
  USER_UNKNOWN: 'Cet utilisateur n’existe pas',
  USER_INACTIVE: 'L’utilisateur est désactivé',
  USER_ERASED: 'L’utilisateur de ce compte a été effacé',
  USER_IDS_NOT_LIST: 'Les identifiants d’utilisateurs ne sont pas une liste',
  USER_ID_NOT_INTEGER: 'L’identifiant d’utilisateur [{index}] n’est pas un nombre entier',
  USER_ID_INVALID: 'Identifiant d’utilisateur incorrect : {userId}',
  RECIPIENT_ID_INVALID: 'Identifiant d’utilisateur incorrect {userId}',
  RECIPIENT_EMAIL_INVALID: 'Adresse e-mail incorrecte « {email} »',
  USER_WITH_ID_INACTIVE: 'L’utilisateur {userId} est désactivé',
  USER_WITH_ID_IS_BOT: 'L’utilisateur {userId} est un bot',
  CANNOT_DEACTIVATE_LAST_USER: 'Désactivation impossible : il s’agit de {entity}',
  LAST_USER: 'l’unique utilisateur',
  LAST_OWNER: 'l’unique propriétaire de l’organisation',
  ONLY_OWNER_NOT_DEACTIVATED: 'L’unique propriétaire de l’organisation ne peut pas être désactivé',
  ONLY_OWNER_NOT_DEMOTED:
    'Ce rôle ne peut pas être retiré à l’unique propriétaire de l’organisation.',
  ONLY_OWNER_NOT_ERASED:
    'L’unique propriétaire de l’organisation ne peut pas être effacé ; nommez d’abord un autre propriétaire',
  BOTS_NOT_ERASED: 'Les bots ne peuvent pas être effacés',
  GUEST_NOT_ADMINISTRATOR: 'Les invités ne peuvent pas administrer l’organisation',
  ROLE_MANAGED_BY_LOGIN:
    'Le rôle de cet utilisateur est géré par le système de connexion de l’organisation.',
  USER_CREATION_NOT_ALLOWED: 'Vous ne pouvez pas créer d’utilisateurs',
  USER_EMAIL_CHANGE_NOT_ALLOWED: 'Vous ne pouvez pas modifier les adresses e-mail des utilisateurs',
  USER_QUERY_NOT_ALLOWED: 'Vous n’êtes pas autorisé à faire cette demande',
  USER_NAME_TOO_LONG: 'Le nom est trop long !',
  USER_NAME_TOO_SHORT: 'Le nom est trop court !',
  USER_NAME_WRONG_CHARACTERS: 'Le nom contient des caractères incorrects !',
  USER_NAME_WRONG_FORMAT: 'Format incorrect !',
  USER_NAMES_NOT_UNIQUE: 'Chaque nom doit être unique dans cette organisation.',
  USER_NAME_TAKEN: 'Ce nom est déjà utilisé.',
  EMAIL_ADDRESS_TAKEN: 'Cette adresse e-mail est déjà utilisée.',
  EMAIL_ADDRESS_WRONG_FORMAT: 'Adresse incorrecte.',
  EMAIL_ADDRESS_RESERVED: 'Cette adresse est réservée aux bots du système.',
  EMAIL_ADDRESS_OUTSIDE_DOMAIN: 'Cette adresse est en dehors de votre domaine.',
  EMAIL_ADDRESS_DISPOSABLE: 'Veuillez utiliser votre véritable adresse e-mail.',
  EMAIL_ADDRESS_WITH_PLUS: 'Les adresses e-mail contenant + ne sont pas autorisées.',
  EMAIL_ADDRESS_HAS_ACCOUNT: 'Cette adresse a déjà un compte.',
  EMAIL_ADDRESS_OF_DEACTIVATED_ACCOUNT: 'Le compte a été désactivé.',
  EMAIL_ADDRESS_NOT_ALLOWED:
    'L’adresse e-mail « {email} » n’est pas autorisée dans cette organisation',
  EMAIL_ADDRESSES_DISPOSABLE_NOT_ALLOWED:
    'Les adresses e-mail jetables ne sont pas autorisées dans cette organisation',
  EMAIL_ADDRESS_CHANGES_DISABLED:
    'La modification des adresses e-mail est désactivée dans cette organisation.',
  NEW_EMAIL_ADDRESS_INVALID: 'La nouvelle adresse e-mail est incorrecte.',
  NEW_EMAIL_ADDRESS_PROBLEM: 'La nouvelle adresse e-mail n’est pas possible : {problem}',
  CONFIRMATION_LINK_EXPIRED: 'Le lien de confirmation a expiré ou a déjà été utilisé.',
  AVATAR_CHANGES_DISABLED:
    'La modification des photos de profil est désactivée dans cette organisation.',
  BOT_UNKNOWN: 'Ce bot n’existe pas',
  BOT_TYPE_INVALID: 'Type de bot incorrect',
  BOT_NAME_INVALID: 'Nom ou nom d’utilisateur incorrect',
  BOT_INTERFACE_INVALID: 'Type d’interface incorrect',
  BOT_NAME_TAKEN:
    'Un bot actif nommé « {name} » existe déjà dans cette organisation. Pour réactiver ce bot, vous devez d’abord renommer ou désactiver l’autre.',
  BOT_WITH_DEACTIVATED_OWNER:
    'Le propriétaire de ce bot est désactivé : réactivez-le d’abord, ou choisissez-en un autre.',
  EMBEDDED_BOTS_DISABLED: 'Les bots intégrés ne sont pas activés.',
  BOT_OWNER_UNKNOWN: 'Le propriétaire n’a pas été modifié : cet utilisateur n’existe pas',
  BOT_OWNER_INACTIVE: 'Le propriétaire n’a pas été modifié : l’utilisateur est désactivé',
  BOT_OWNER_IS_BOT:
    'Le propriétaire n’a pas été modifié : un bot ne peut pas posséder d’autres bots',
  BOT_OWNER_HAS_MORE_PERMISSIONS:
    'Le propriétaire n’a pas été modifié : l’utilisateur a plus de droits que vous',
  BOT_OWNER_HAS_FEWER_PERMISSIONS:
    'Le propriétaire n’a pas été modifié : le bot a plus d’autorisations que l’utilisateur',
  INVITATION_UNKNOWN: 'Cette invitation n’existe pas',
  INVITATION_REVOKED: 'L’invitation a déjà été révoquée',
  INVITATION_ENDED: 'Cette invitation a expiré, a été utilisée ou révoquée, ou n’a jamais existé.',
  INVITATION_CHANNEL_INVALID:
    'Identifiant de canal incorrect {channelId}. Aucune invitation n’a été envoyée.',
  INVITATION_SUBSCRIBING_NOT_ALLOWED:
    'Vous ne pouvez pas abonner d’autres utilisateurs à des canaux.',
  INVITATION_ADDRESSES_MISSING: 'Indiquez au moins une adresse e-mail.',
  INVITATION_MAIL_NOT_CONFIGURED:
    'Ce serveur ne peut pas envoyer d’e-mails, qui sont nécessaires aux invitations.',
  INVITATIONS_DAILY_LIMIT:
    'Une organisation peut envoyer {limit} invitations par jour. Aucune n’a été envoyée, car ce nombre serait dépassé.',
  INVITATION_ADDRESSES_NOT_VALID:
    'Certaines adresses e-mail sont incorrectes : aucune invitation n’a été envoyée.',
  INVITATION_NOBODY_INVITED: 'Personne n’a pu être invité.',
  INVITATION_ADDRESSES_TAKEN_NONE_SENT:
    'Certaines de ces adresses ont déjà un compte. Aucune invitation n’a été envoyée.',
  INVITATION_ADDRESSES_TAKEN:
    'Certaines de ces adresses ont déjà un compte et n’ont pas reçu d’invitation. Toutes les autres en ont reçu une !',
  SIGN_UP_PASSWORD_TOO_WEAK: 'Le mot de passe est trop faible.',
  SIGN_UP_TERMS_NOT_ACCEPTED: 'Vous devez accepter les conditions.',
  SIGN_UP_CLOSED:
    'L’inscription n’est pas possible ici. Adressez-vous à la personne qui vous a envoyé le lien.',

  USER_GROUP_UNKNOWN: 'Groupe d’utilisateurs incorrect',
  USER_GROUP_ID_INVALID: 'Identifiant de groupe d’utilisateurs incorrect : {groupId}',
  USER_GROUP_DEACTIVATED: 'Le groupe d’utilisateurs est désactivé.',
  USER_GROUP_NOT_POSSIBLE:
    'Le paramètre « {setting} » ne peut pas prendre pour valeur le groupe « {group} ».',
  USER_GROUP_HAS_MEMBER: 'L’utilisateur {userId} est déjà membre de ce groupe',
  USER_GROUP_WITHOUT_MEMBER: 'Ce groupe d’utilisateurs n’a pas de membre « {userId} »',
  USER_GROUP_HAS_SUBGROUP: 'Le groupe {groupId} est déjà un sous-groupe de ce groupe.',
  USER_GROUP_CIRCULAR:
    'Le groupe {groupId} est déjà un sous-groupe d’un des sous-groupes indiqués.',
  USER_GROUP_WITHOUT_SUBGROUP: 'Le groupe {groupId} n’est pas un sous-groupe de ce groupe.',
  USER_GROUP_NAME_EMPTY: 'Le nom du groupe d’utilisateurs ne peut pas être vide !',
  USER_GROUP_NAME_TOO_LONG:
    'Le nom du groupe d’utilisateurs ne peut pas dépasser {limit} caractères.',
  USER_GROUP_NAME_WRONG_START:
    'Le nom du groupe d’utilisateurs ne peut pas commencer par « {prefix} ».',
  USER_GROUP_NAME_TAKEN: 'Le groupe d’utilisateurs « {name} » existe déjà.',
  USER_GROUP_NO_CHANGES:
    'Il n’y a rien à faire. Indiquez « add », « delete », « add_subgroups » ou « delete_subgroups ».',
  USER_GROUP_NO_NEW_DATA: 'Aucune nouvelle donnée n’a été indiquée',
  SYSTEM_GROUP_REQUIRED: '« {setting_name} » doit être un groupe d’utilisateurs du système.',
  CANNOT_DEACTIVATE_GROUP_IN_USE:
    'Le groupe d’utilisateurs est utilisé et ne peut pas être désactivé.',
  PROFILE_FIELD_UNKNOWN: 'Le champ d’identifiant {fieldId} n’existe pas.',
  PROFILE_FIELD_NAME_EMPTY: 'Le libellé ne peut pas être vide.',
  PROFILE_FIELD_NAME_TAKEN: 'Un champ avec ce libellé existe déjà.',
  PROFILE_FIELD_TYPE_INVALID: 'Type de champ incorrect.',
  PROFILE_FIELD_NOT_IN_SUMMARY:
    'Ce type de champ ne peut pas être affiché dans le résumé du profil.',
  PROFILE_SUMMARY_FULL:
    'Seuls 2 champs personnalisés peuvent être affichés dans le résumé du profil.',
  PROFILE_FIELD_WITHOUT_CHOICES: 'Le champ doit avoir au moins un choix.',
  PROFILE_FIELD_CHOICE_BLANK: '« value » ne peut pas être vide.',
  PROFILE_FIELD_CHOICES_DUPLICATED: 'Le champ ne peut pas avoir plusieurs fois le même choix.',
  PROFILE_FIELD_ACCOUNT_TYPE_INVALID: 'Type de compte externe incorrect',
  PROFILE_FIELD_URL_PATTERN_MISSING: 'Un compte externe personnalisé doit définir un modèle d’URL',
  PROFILE_FIELD_URL_PATTERN_INCOMPLETE: 'Le modèle d’URL doit contenir « {placeholder} ».',
  PROFILE_FIELD_URL_PATTERN_NOT_URL: 'field_data["url_pattern"] n’est pas une URL',
  PROFILE_FIELD_ORDER_INVALID: 'Ordre incorrect.',
  PROFILE_FIELD_BUILT_IN: 'Les champs de profil par défaut ne peuvent pas être modifiés.',
  PROFILE_VALUE_NOT_CHOICE: '« {value} » n’est pas un choix possible pour « {field} ».',
  PROFILE_VALUE_NOT_URL: '{field} n’est pas une URL',
  PROFILE_FIELD_NOT_EDITABLE:
    'Vous ne pouvez pas modifier ce champ. Adressez-vous à un administrateur.',

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
