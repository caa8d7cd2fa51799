import helmet from 'helmet'

/** Headers of the whole product, in an application of Express before the chat's middleware. */
export const securityHeaders = helmet({
  contentSecurityPolicy: {
    directives: {
      // Pictures, sounds and videos in messages, avatars and emoji: the chat serves all of them.
      imgSrc: ["'self'"],
      mediaSrc: ["'self'"],
      // Requests and WebSockets. Safari before 15.4 does not count wss: as 'self'.
      connectSrc: ["'self'", 'wss://product.example'],
      // Formulas and tables in messages have style attributes.
      styleSrc: ["'self'"],
      styleSrcAttr: ["'unsafe-inline'"],
      // The login form, if mobile clients sign on through it: it leads back to them, and browsers
      // apply this to redirects as well.
      formAction: ["'self'", 'zulip:'],
    },
  },
  // 'no-referrer', which helmet sets otherwise, withholds the proof of origin of long polls from
  // servers without TLS.
  referrerPolicy: { policy: 'same-origin' },
})
