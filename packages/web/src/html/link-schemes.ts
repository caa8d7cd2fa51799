/** The schemes of links in messages: those that the server allows; a test compares the lists. */
export const linkSchemes: readonly string[] = (
  'http https ftp bitcoin geo im irc ircs magnet mailto matrix mms news nntp openpgp4fpr sip sms ' +
  'smsto ssh tel urn webcal wtai xmpp'
).split(' ')
