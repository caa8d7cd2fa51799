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
}
