import type { Translation } from '../language.js'
import type { pageTexts } from '../english/pages.js'

export const frenchPageTexts: Translation<typeof pageTexts> = {
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
}
