import type { Translation } from '../language.js'
import type { botMessageTexts, mailTexts, pageTexts, pushTexts } from '../english/notifications.js'

export const frenchNotificationTexts: Translation<
  typeof botMessageTexts & typeof mailTexts & typeof pageTexts & typeof pushTexts
> = {
  CHANNEL_EVENTS_TOPIC: 'modifications du canal',
  NEW_CHANNELS_TOPIC: 'nouveaux canaux',
  SIGNUPS_TOPIC: 'nouveaux membres',
  REPORTS_TOPIC: 'signalements de {name}',
  CHANNEL_UNARCHIVED_MESSAGE: 'Le canal {channel} a été désarchivé.',
  CHANNEL_ARCHIVED_MESSAGE: 'Le canal {channel} a été archivé.',
  CHANNEL_PRIVACY_CHANGED_MESSAGE:
    '{user} a changé les [droits d’accès](/help/channel-permissions) de ce canal de **{old}** en **{new}**.',
  CHANNEL_RENAMED_MESSAGE: '{user} a renommé le canal **{old}** en **{new}**.',
  CHANNEL_DESCRIPTION_CHANGED_MESSAGE:
    '{user} a changé la description de ce canal.\n\n' +
    '* **Ancienne description :**\n{old_fence} quote\n{old}\n{old_fence}\n' +
    '* **Nouvelle description :**\n{new_fence} quote\n{new}\n{new_fence}',
  CHANNEL_POSTING_CHANGED_MESSAGE:
    '{user} a changé les [droits de publication](/help/channel-posting-policy) de ce canal :\n\n' +
    '* **Avant** : {old}\n* **Maintenant** : {new}',
  CHANNEL_CREATED_MESSAGE:
    'Canal créé par {user} : **{privacy}**. **Description :**\n{fence} quote\n{description}\n{fence}',
  CHANNEL_WITHOUT_DESCRIPTION: '*Aucune description.*',
  CHANNEL_WEB_PUBLIC: 'Public sur le Web',
  CHANNEL_PUBLIC: 'Public',
  CHANNEL_PRIVATE_SHARED: 'Privé, historique partagé',
  CHANNEL_PRIVATE_PROTECTED: 'Privé, historique protégé',
  CHANNEL_ANNOUNCED_MESSAGE: '{user} a créé le nouveau canal {channel}.',
  CHANNELS_ANNOUNCED_MESSAGE: '{user} a créé les canaux suivants : {channels}.',
  CHANNEL_SUBSCRIBED_MESSAGE: '{user} vous a abonné à {channel}.',
  CHANNELS_SUBSCRIBED_MESSAGE: '{user} vous a abonné aux canaux suivants :\n\n{channels}',
  GROUP_ADDED_MESSAGE: '{user} vous a ajouté au groupe {group}.',
  GROUP_REMOVED_MESSAGE: '{user} vous a retiré du groupe {group}.',
  TOPIC_RESOLVED_MESSAGE: '{user} a marqué ce sujet comme résolu.',
  TOPIC_UNRESOLVED_MESSAGE: '{user} a marqué ce sujet comme non résolu.',
  TOPIC_ARRIVED_MESSAGE: '{user} a déplacé ce sujet ici depuis {place}.',
  MESSAGE_ARRIVED_MESSAGE: '{user} a déplacé [un message]({url}) ici depuis {place}.',
  MESSAGES_ARRIVED_MESSAGE: '{user} a déplacé {count} messages ici depuis {place}.',
  TOPIC_DEPARTED_MESSAGE: '{user} a déplacé ce sujet vers {place}.',
  MESSAGE_DEPARTED_MESSAGE: '{user} a déplacé un message de ce sujet vers {place}.',
  MESSAGES_DEPARTED_MESSAGE: '{user} a déplacé {count} messages de ce sujet vers {place}.',
  PRIVATE_CHANNEL_PLACE: 'un canal privé',
  WELCOME_MESSAGE:
    'Bonjour et bienvenue dans **{organization}** ! 👋 ' +
    'Ceci est un message direct de ma part, Welcome Bot.\n\n' +
    'Les conversations sont classées par canal et par sujet : vous suivez ce qui compte pour ' +
    'vous et laissez le reste pour plus tard. Vous pouvez marquer d’une étoile les messages que ' +
    'vous voulez retrouver, comme celui-ci.',
  USERS_JOINED_MESSAGE: 'Dans cette organisation depuis peu : {users}.',
  USERS_LIST: '{users} et {last}',
  USERS_ONE_OTHER: '1 autre personne',
  USERS_MANY_OTHERS: '{count} autres personnes',
  INVITATION_ACCEPTED_MESSAGE: '{user} a accepté votre invitation !',
  DATA_EXPORT_COMPLETE_MESSAGE:
    'Votre exportation de données est terminée. [Voir et télécharger les exportations](/#organization/data-exports-admin).',
  SCHEDULED_MESSAGE_FAILED_MESSAGE:
    'Le message que vous aviez programmé pour {time} n’a pas été envoyé à cause de l’erreur suivante :' +
    '\n\n> {reason}\n\n[Voir les messages programmés](#scheduled)',
  SCHEDULED_MESSAGE_LATE: 'Le message n’a pas pu être envoyé à l’heure prévue.',
  REMINDER_OF_CHANNEL_MESSAGE: 'Vous avez demandé un rappel pour {message}.',
  REMINDER_OF_DIRECT_MESSAGE: 'Vous avez demandé un rappel pour le message direct suivant.',
  REMINDER_OF_UNREADABLE_MESSAGE:
    'Vous avez demandé un rappel pour un message qui a été supprimé ou que vous ne pouvez plus lire.',
  REMINDER_NOTE: ' Note :\n\n> {note}',
  REMINDER_QUOTE: '{user} [a écrit]({url}) :\n',
  REMINDER_POLL: '{user} [a envoyé un sondage]({url}).',
  REMINDER_TODO: '{user} [a envoyé une liste de tâches]({url}).',
  REMINDER_MESSAGE: '{user} [a envoyé un message]({url}).',
  REPORT_OF_CHANNEL_MESSAGE:
    '{reporter} a signalé {message} de {user}.\n\n- Motif : **{reason}**\n\n',
  REPORT_OF_DIRECT_MESSAGE:
    '{reporter} a signalé un message direct de {user}.\n\n- Motif : **{reason}**\n\n',
  REPORT_QUOTE: 'Message de {user}',
  REPORT_SPAM: 'Spam',
  REPORT_HARASSMENT: 'Harcèlement',
  REPORT_INAPPROPRIATE: 'Contenu déplacé',
  REPORT_NORMS: 'Enfreint les règles de la communauté',
  REPORT_OTHER: 'Autre motif',
  PRODUCT_CHANNEL: '{product}',
  PRODUCT_CHANNEL_DESCRIPTION: 'Questions et discussions sur l’utilisation de {product}.',
  SANDBOX_CHANNEL: 'bac à sable',
  SANDBOX_CHANNEL_DESCRIPTION: 'Faites vos essais avec {product} ici. :test_tube:',
  GENERAL_CHANNEL: 'général',
  GENERAL_CHANNEL_DESCRIPTION: 'Pour les conversations de toute l’équipe',
  MOVING_MESSAGES_TOPIC: 'déplacer des messages',
  MOVING_MESSAGES_MESSAGE:
    'Ce message se trouvait d’abord sous un autre sujet. Les personnes autorisées à déplacer des messages peuvent déplacer un message, ou tout un sujet.',
  MOVING_TOPICS_TOPIC: 'déplacer des sujets',
  MOVING_TOPICS_MESSAGE:
    'Quand une conversation change de thème, déplacez la suite vers un nouveau sujet : les deux restent faciles à suivre.',
  PRODUCT_QUESTIONS_TOPIC: 'bienvenue sur {product} !',
  PRODUCT_QUESTIONS_MESSAGE:
    'C’est l’endroit pour poser des questions sur {product}. N’hésitez pas !',
  FIRST_CONVERSATION_TOPIC: 'commencer une conversation',
  FIRST_CONVERSATION_MESSAGE:
    'Pour commencer une conversation, choisissez un canal, indiquez un sujet et écrivez.',
  EXPERIMENTS_TOPIC: 'essais',
  EXPERIMENTS_MESSAGE: 'Ici, vous pouvez tout essayer. :test_tube: Cela ne dérange personne.',
  GREETINGS_TOPIC: 'salutations',
  GREETINGS_MESSAGE: 'Dites bonjour à tout le monde ! :wave:',

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

  PAGE_REFUSED: 'Cela n’a pas fonctionné',
  PAGE_FAILED: 'Un problème est survenu. Veuillez réessayer dans un instant.',
  PAGE_TOO_MANY_ATTEMPTS: 'Il y a eu trop de tentatives. Veuillez réessayer plus tard.',
  PAGE_ADDRESS: 'Confirmez votre nouvelle adresse e-mail',
  PAGE_ADDRESS_QUESTION: 'Utiliser désormais {email} ?',
  PAGE_ADDRESS_CONFIRM: 'Confirmer',
  PAGE_ADDRESS_CHANGED: 'Votre adresse e-mail a été changée',
  PAGE_ADDRESS_NOW: 'Votre adresse est désormais {email}. Vous pouvez fermer cette page.',
  PAGE_MAILS: 'Ne plus recevoir de mails',
  PAGE_MAILS_ABOUT_MENTIONS:
    'Ne plus recevoir de mails sur les messages directs et les mentions que vous manquez ?',
  PAGE_MAILS_ABOUT_TOPICS:
    'Ne plus recevoir de mails sur les messages des sujets que vous suivez ?',
  PAGE_MAILS_ABOUT_CHANNEL: 'Ne plus recevoir de mails sur les messages de ce canal ?',
  PAGE_MAILS_STOPPED: 'Mails arrêtés',
  PAGE_MAILS_STOPPED_MENTIONS:
    'Vous ne recevrez plus de mails sur les messages directs et les mentions que vous manquez. Vous pouvez les réactiver dans vos paramètres et fermer cette page.',
  PAGE_MAILS_STOPPED_TOPICS:
    'Vous ne recevrez plus de mails sur les messages des sujets que vous suivez. Vous pouvez les réactiver dans vos paramètres et fermer cette page.',
  PAGE_MAILS_STOPPED_CHANNEL:
    'Vous ne recevrez plus de mails sur les messages de ce canal. Vous pouvez les réactiver dans vos paramètres et fermer cette page.',
  PAGE_MAILS_ABOUT_DIGESTS: 'Ne plus recevoir de mails sur ce que vous avez manqué ?',
  PAGE_MAILS_STOPPED_DIGESTS:
    'Vous ne recevrez plus de mails sur ce que vous avez manqué. Vous pouvez les réactiver dans vos paramètres et fermer cette page.',
  PAGE_SIGN_ON_QUESTION: 'Se connecter à l’application sur cet appareil en tant que {name} ?',
  PAGE_SIGN_ON_HINT:
    'Continuez seulement si vous venez de demander la connexion dans l’application.',
  PAGE_SIGN_ON_CONTINUE: 'Continuer',
  PAGE_JOIN: 'Rejoindre {organization}',
  PAGE_JOIN_INVITED: '{inviter} vous invite à rejoindre {organization}.',
  PAGE_JOIN_ENTER_ADDRESS:
    'Indiquez votre adresse e-mail. Vous recevrez un mail avec un lien pour créer votre compte.',
  PAGE_JOIN_SEND: 'Envoyer le mail',
  PAGE_JOIN_MAIL: 'Consultez vos mails',
  PAGE_JOIN_MAIL_SENT:
    'Un mail a été envoyé à {email}. Ouvrez le lien qu’il contient pour continuer.',
  PAGE_JOIN_CREATE: 'Créer le compte',
  PAGE_JOIN_DONE: 'Bienvenue dans {organization}',
  PAGE_JOIN_CREATED: 'Votre compte a été créé. Connectez-vous avec {email} et votre mot de passe.',
  PAGE_JOIN_CONTINUE: 'Continuer',
  PAGE_JOIN_EMAIL: 'Adresse e-mail',
  PAGE_JOIN_NAME: 'Nom complet',
  PAGE_JOIN_PASSWORD: 'Mot de passe',
  PAGE_JOIN_PASSWORD_HINT: 'Au moins {count} caractères, et difficile à deviner.',
  PAGE_JOIN_ACCEPT: 'J’accepte les {terms}',
  PAGE_JOIN_TERMS: 'conditions d’utilisation',
  PAGE_JOIN_REFUSED: 'Vous ne pouvez pas rejoindre l’organisation',
  PAGE_JOIN_OTHER_SITE:
    'Ouvrez de nouveau le lien de votre invitation et remplissez-y le formulaire.',

  PUSH_CONTENT_HIDDEN: 'Nouveau message',
  PUSH_FROM: '{sender} :',
  PUSH_MENTIONED_YOU: '{sender} vous a mentionné :',
  PUSH_MENTIONED_GROUP: '{sender} a mentionné @{group} :',
  PUSH_MENTIONED_EVERYONE: '{sender} a mentionné tout le monde :',
}
