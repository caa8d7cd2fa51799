import type { Translation } from '../language.js'
import type { groupTexts } from '../english/groups.js'

export const germanGroupTexts: Translation<typeof groupTexts> = {
  USER_GROUP_UNKNOWN: 'Ungültige Benutzergruppe',
  USER_GROUP_ID_INVALID: 'Ungültige ID einer Benutzergruppe: {groupId}',
  USER_GROUP_DEACTIVATED: 'Die Benutzergruppe ist deaktiviert.',
  USER_GROUP_NOT_POSSIBLE:
    'Die Einstellung „{setting}“ kann nicht auf die Gruppe „{group}“ gesetzt werden.',
  USER_GROUP_HAS_MEMBER: 'Der Benutzer {userId} ist bereits Mitglied dieser Gruppe',
  USER_GROUP_WITHOUT_MEMBER: 'In dieser Benutzergruppe gibt es kein Mitglied „{userId}“',
  USER_GROUP_HAS_SUBGROUP:
    'Die Benutzergruppe {groupId} ist bereits eine Untergruppe dieser Gruppe.',
  USER_GROUP_CIRCULAR:
    'Die Benutzergruppe {groupId} ist bereits eine Untergruppe einer der angegebenen Untergruppen.',
  USER_GROUP_WITHOUT_SUBGROUP: 'Die Benutzergruppe {groupId} ist keine Untergruppe dieser Gruppe.',
  USER_GROUP_NAME_EMPTY: 'Der Name der Benutzergruppe darf nicht leer sein!',
  USER_GROUP_NAME_TOO_LONG: 'Der Name der Benutzergruppe darf höchstens {limit} Zeichen haben.',
  USER_GROUP_NAME_WRONG_START: 'Der Name der Benutzergruppe darf nicht mit „{prefix}“ beginnen.',
  USER_GROUP_NAME_TAKEN: 'Die Benutzergruppe „{name}“ gibt es bereits.',
  USER_GROUP_NO_CHANGES:
    'Es gibt nichts zu tun. Geben Sie „add“, „delete“, „add_subgroups“ oder „delete_subgroups“ an.',
  USER_GROUP_NO_NEW_DATA: 'Es wurden keine neuen Daten angegeben',
  SYSTEM_GROUP_REQUIRED: '„{setting_name}“ muss eine Benutzergruppe des Systems sein.',
  CANNOT_DEACTIVATE_GROUP_IN_USE:
    'Die Benutzergruppe wird verwendet und kann nicht deaktiviert werden.',
  PROFILE_FIELD_UNKNOWN: 'Das Feld mit der ID {fieldId} gibt es nicht.',
  PROFILE_FIELD_NAME_EMPTY: 'Die Bezeichnung darf nicht leer sein.',
  PROFILE_FIELD_NAME_TAKEN: 'Ein Feld mit dieser Bezeichnung gibt es bereits.',
  PROFILE_FIELD_TYPE_INVALID: 'Ungültige Art von Feld.',
  PROFILE_FIELD_NOT_IN_SUMMARY:
    'Diese Art von Feld kann in der Kurzfassung des Profils nicht angezeigt werden.',
  PROFILE_SUMMARY_FULL:
    'In der Kurzfassung des Profils können nur 2 eigene Felder angezeigt werden.',
  PROFILE_FIELD_WITHOUT_CHOICES: 'Das Feld braucht mindestens eine Auswahlmöglichkeit.',
  PROFILE_FIELD_CHOICE_BLANK: '„value“ darf nicht leer sein.',
  PROFILE_FIELD_CHOICES_DUPLICATED: 'Das Feld darf keine Auswahlmöglichkeit mehrfach enthalten.',
  PROFILE_FIELD_ACCOUNT_TYPE_INVALID: 'Ungültige Art von externem Konto',
  PROFILE_FIELD_URL_PATTERN_MISSING: 'Ein eigenes externes Konto braucht ein URL-Muster',
  PROFILE_FIELD_URL_PATTERN_INCOMPLETE: 'Das URL-Muster muss „{placeholder}“ enthalten.',
  PROFILE_FIELD_URL_PATTERN_NOT_URL: 'field_data["url_pattern"] ist keine URL',
  PROFILE_FIELD_ORDER_INVALID: 'Ungültige Reihenfolge.',
  PROFILE_FIELD_BUILT_IN: 'Vorgegebene Profilfelder können nicht geändert werden.',
  PROFILE_VALUE_NOT_CHOICE: '„{value}“ ist keine Auswahlmöglichkeit von „{field}“.',
  PROFILE_VALUE_NOT_URL: '{field} ist keine URL',
  PROFILE_FIELD_NOT_EDITABLE:
    'Sie dürfen dieses Feld nicht ändern. Wenden Sie sich dafür an die Administration.',
}
