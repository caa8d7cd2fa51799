import type { Translation } from '../language.js'
import type { mailTexts } from '../english/mails.js'

export const frenchMailTexts: Translation<typeof mailTexts> = {
  MAIL_SUBJECT_HIDDEN: 'Nouveaux messages',
  MAIL_SUBJECT_DIRECT: 'Messages directs avec {names}',
  MAIL_SUBJECT_YOURSELF: 'Messages directs à vous-même',
  MAIL_MISSED_ONE: 'Vous avez manqué un message dans {organization}.',
  MAIL_MISSED_MANY: 'Vous avez manqué {count} messages dans {organization}.',
  MAIL_OMITTED_ONE: '1 message antérieur ne figure pas dans ce mail.',
  MAIL_OMITTED_MANY: '{count} messages antérieurs ne figurent pas dans ce mail.',
  MAIL_QUOTE_HEAD: '{sender}, {time} :',
  MAIL_OPEN: 'Ouvrir la conversation',
  MAIL_OPEN_AT: 'Ouvrir la conversation : {url}',
  MAIL_REPLY: 'Pour répondre, répondez à ce mail.',
  MAIL_STOP: 'Ne plus recevoir ces mails',
  MAIL_STOP_AT: 'Pour ne plus recevoir ces mails, ouvrez {url}',
  MAIL_REASON_FOLLOWED: 'Vous recevez ce mail parce que vous suivez le sujet.',
  MAIL_REASON_CHANNEL:
    'Vous recevez ce mail parce que vous avez activé les mails pour les messages de ce canal.',
  MAIL_REASON_DIRECT:
    'Vous recevez ce mail parce que vous étiez hors ligne quand vous avez reçu des messages directs.',
  MAIL_REASON_MENTIONED:
    'Vous recevez ce mail parce que vous étiez hors ligne quand vous avez été mentionné.',
  MAIL_REASON_DIGEST:
    'Vous recevez ce mail, une fois par semaine au plus, parce que vous étiez absent quelques jours.',
  MAIL_DIGEST_SUBJECT: 'Ce que vous avez manqué dans {organization}',
  MAIL_DIGEST_COUNT: 'Messages non lus dans vos canaux de {organization} : {count}.',
  MAIL_DIGEST_WRITERS: 'Messages non lus : {count}, de {names}',
  MAIL_DIGEST_WRITERS_MORE: 'Messages non lus : {count}, de {names} et d’autres : {more}',
  MAIL_DIGEST_CHANNELS: 'Nouveaux canaux :',
  MAIL_DIGEST_OPEN: 'Ouvrir le chat',
  MAIL_DIGEST_OPEN_AT: 'Ouvrir le chat : {url}',
  MAIL_INVITATION: 'Invitation à rejoindre {organization}',
  MAIL_INVITATION_BY: '{inviter} vous invite à rejoindre {organization}',
  MAIL_INVITATION_INTRO: 'Vous êtes invité à rejoindre {organization}, une messagerie d’équipe.',
  MAIL_INVITATION_INTRO_BY:
    '{inviter} vous invite à rejoindre {organization}, une messagerie d’équipe.',
  MAIL_INVITATION_OPEN: 'Pour accepter l’invitation, ouvrez :',
  MAIL_INVITATION_IGNORE: 'Si vous ne voulez pas participer, ignorez ce mail.',
  MAIL_LINK_EXPIRES: 'Le lien est valable jusqu’au {time}.',
  MAIL_SIGN_UP: 'Confirmez votre adresse e-mail pour {organization}',
  MAIL_SIGN_UP_INTRO:
    'Quelqu’un, sans doute vous, veut rejoindre {organization} avec cette adresse.',
  MAIL_SIGN_UP_OPEN: 'Pour créer votre compte, ouvrez :',
  MAIL_SIGN_UP_IGNORE: 'Si ce n’était pas vous, ignorez ce mail ; aucun compte ne sera créé.',
  MAIL_ACCOUNT_EXISTS: 'Vous avez déjà un compte dans {organization}',
  MAIL_ACCOUNT_EXISTS_INTRO:
    'Quelqu’un, sans doute vous, a voulu rejoindre {organization} avec cette adresse.',
  MAIL_ACCOUNT_EXISTS_HINT:
    'Cette adresse y a déjà un compte : connectez-vous avec. Si vous n’y arrivez pas,\nadressez-vous à un administrateur de l’organisation.',
  MAIL_IGNORE: 'Si ce n’était pas vous, ignorez ce mail.',
  MAIL_NEW_ADDRESS: 'Confirmez votre nouvelle adresse e-mail pour {organization}',
  MAIL_NEW_ADDRESS_INTRO:
    'Quelqu’un, sans doute vous, veut désormais utiliser cette adresse dans {organization}.',
  MAIL_NEW_ADDRESS_OPEN: 'Pour le confirmer dans les 24 heures, ouvrez :',
  MAIL_NEW_ADDRESS_IGNORE: 'Si ce n’était pas vous, ignorez ce mail ; rien ne changera.',
  MAIL_ADDRESS_CHANGED: 'Votre adresse e-mail pour {organization} a été changée',
  MAIL_ADDRESS_CHANGED_INTRO: 'Votre adresse dans {organization} est désormais {email}.',
  MAIL_ADDRESS_CHANGED_HINT:
    'Si ce n’est pas vous qui l’avez changée, prévenez un administrateur de l’organisation.',
  INCOMING_MAIL_FILES_LEFT: '{count} fichiers du mail n’ont pas été enregistrés.',
  INCOMING_MAIL_FROM: 'De : {sender}',
  INCOMING_MAIL_NO_SUBJECT: 'Mail sans objet',
  INCOMING_MAIL_NO_TEXT: '(pas de texte)',
}
