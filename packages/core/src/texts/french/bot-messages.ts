import type { Translation } from '../language.js'
import type { botMessageTexts } from '../english/bot-messages.js'

export const frenchBotMessageTexts: Translation<typeof botMessageTexts> = {
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
}
