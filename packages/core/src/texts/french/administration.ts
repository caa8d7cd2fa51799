import type { Translation } from '../language.js'
import type { administrationTexts } from '../english/administration.js'

export const frenchAdministrationTexts: Translation<typeof administrationTexts> = {
  ORGANIZATION_UNKNOWN: 'Cette organisation n’existe pas',
  ORGANIZATION_NOT_NAMED:
    'Il n’y a pas encore d’organisation, ou plusieurs : créez la première avec chat.organizations.ensure(), ou nommez-en une',
  ORGANIZATION_NAME_WRONG_LENGTH: 'Le nom de l’organisation doit comporter de 1 à 40 caractères.',
  ORGANIZATION_EXTERNAL_ID_INVALID: 'externalId incorrect',
  ORGANIZATION_IMPORT_TAKEN: 'Le sous-domaine ou l’identifiant de l’organisation est déjà utilisé',
  SUBDOMAIN_TAKEN: 'Ce sous-domaine est déjà utilisé. Veuillez en choisir un autre.',
  SUBDOMAIN_TOO_SHORT: 'Le sous-domaine doit comporter au moins 3 caractères.',
  SUBDOMAIN_WRONG_HYPHEN: 'Le sous-domaine ne peut pas commencer ou finir par « - ».',
  SUBDOMAIN_WRONG_CHARACTERS:
    'Le sous-domaine ne peut contenir que des lettres minuscules, des chiffres et « - ».',
  SUBDOMAIN_RESERVED: 'Ce sous-domaine est réservé. Veuillez en choisir un autre.',
  DATA_EXPORT_UNKNOWN: 'Identifiant d’export de données incorrect',
  DATA_EXPORT_DELETED: 'L’export a déjà été supprimé',
  DATA_EXPORT_FAILED: 'L’export a échoué, il n’y a rien à supprimer',
  DATA_EXPORT_IN_PROGRESS: 'L’export est encore en cours',
  DATA_EXPORT_LIMIT: 'Trop d’exports.',
  DATA_EXPORT_TOO_LARGE: 'Veuillez demander l’export à {contact}.',
  SETTING_JITSI_URL_INVALID: 'jitsi_server_url n’est pas d’un type autorisé',
  SETTING_ORGANIZATION_LANGUAGE_INVALID: 'Langue incorrecte « {language} »',
  SETTING_VIDEO_PROVIDER_INVALID: 'video_chat_provider incorrect {provider}',
  SETTING_GIPHY_RATING_INVALID: 'giphy_rating incorrect {rating}',
  VIDEO_CALL_SERVER_FAILED: 'Le serveur d’appels vidéo n’a pas répondu comme prévu.',
  VIDEO_CALLS_NOT_CONFIGURED: 'BigBlueButton n’est pas configuré.',
  VIDEO_CALL_SIGNATURE_INVALID: 'Signature incorrecte.',
  DOMAIN_INVALID: 'Domaine incorrect : {problem}',
  DOMAIN_EMPTY: 'Le domaine ne peut pas être vide.',
  DOMAIN_WITHOUT_DOT: 'Le domaine doit contenir au moins un point (.)',
  DOMAIN_TOO_LONG: 'Le domaine est trop long',
  DOMAIN_WRONG_DOT: 'Le domaine ne peut pas commencer ou finir par un point (.)',
  DOMAIN_TWO_DOTS: 'Plusieurs « . » consécutifs ne sont pas autorisés.',
  DOMAIN_WRONG_HYPHEN: 'Les sous-domaines ne peuvent pas commencer ou finir par « - ».',
  DOMAIN_WRONG_CHARACTERS:
    'Le domaine ne peut contenir que des lettres, des chiffres, « . » et « - ».',
  DOMAIN_UNKNOWN: 'Le domaine {domain} n’est pas enregistré.',
  DOMAIN_TAKEN: 'Le domaine {domain} fait déjà partie de votre organisation.',
}
