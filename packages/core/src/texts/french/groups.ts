import type { Translation } from '../language.js'
import type { groupTexts } from '../english/groups.js'

export const frenchGroupTexts: Translation<typeof groupTexts> = {
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
}
